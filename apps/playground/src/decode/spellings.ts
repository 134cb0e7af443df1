/** Writes datagrams as text, in notations that users paste into other programs. */
import { type Message, toHex } from "@sourcewire/protocol"
import type { GivenReply } from "../../engine/GivenReply.ts"
import { BY_REPLY } from "../../engine/replyKinds.ts"

export const SPELLINGS = {
  hex: "hex",
  dump: "hex dump",
  base64: "base64",
  c: "C array",
  python: "Python bytes",
  typescript: "TypeScript",
  fixture: "test fixture (JSON)",
  server: "server (TypeScript)"
} as const

export type Spelling = keyof typeof SPELLINGS

export interface Spelled {
  readonly datagrams: ReadonlyArray<Uint8Array>
  /** The message that the bytes contain. `undefined` if the bytes cannot be decoded. */
  readonly message: Message | undefined
  readonly problem: string | undefined
  /** The date for the field `source` of a fixture, such as `2026-11-23`. */
  readonly date: string
}

const PER_LINE = 16

const pairs = (bytes: Uint8Array): ReadonlyArray<string> => [...bytes].map((byte) => byte.toString(16).padStart(2, "0"))

const lines = (bytes: Uint8Array, spell: (line: Uint8Array, at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(bytes.length / PER_LINE) }, (_, i) =>
    spell(bytes.subarray(i * PER_LINE, (i + 1) * PER_LINE), i * PER_LINE)
  )

/** Writes a hex dump in the format of `xxd`. */
const dump = (bytes: Uint8Array): string =>
  lines(bytes, (line, at) => {
    const hex = pairs(line)
    const groups = Array.from({ length: PER_LINE / 2 }, (_, i) => hex.slice(2 * i, 2 * i + 2).join("")).join(" ")
    const text = [...line].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("")
    return `${at.toString(16).padStart(8, "0")}: ${groups.padEnd(39)}  ${text}`
  }).join("\n")

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

const codes = (bytes: Uint8Array): string =>
  lines(
    bytes,
    (line) =>
      `  ${pairs(line)
        .map((pair) => `0x${pair}`)
        .join(", ")}`
  ).join(",\n")

/** For each type of reply: the kind of request to which a server sends this reply. */
export const REQUESTS: Readonly<Record<string, GivenReply["request"] | undefined>> = {
  ...BY_REPLY,
  ChallengeReply: "getChallenge"
}

/** Returns the datagrams as a text in the chosen notation. The text ends with a line break. */
export const spell = (spelling: Spelling, { datagrams, date, message, problem }: Spelled): string => {
  const each = (one: (bytes: Uint8Array) => string, between = "\n"): string => `${datagrams.map(one).join(between)}\n`
  switch (spelling) {
    case "hex":
      return each((bytes) => toHex(bytes))
    case "dump":
      return each(dump, "\n\n")
    case "base64":
      return each(base64)
    case "c":
      return `${datagrams
        .map((bytes, i) => `static const unsigned char datagram_${i + 1}[${bytes.length}] = {\n${codes(bytes)}\n};`)
        .join("\n")}\n`
    case "python":
      return `datagrams = [\n${datagrams.map((bytes) => `    bytes.fromhex("${toHex(bytes)}"),`).join("\n")}\n]\n`
    case "typescript":
      return `const datagrams = [\n${datagrams.map((bytes) => `Uint8Array.of(\n${codes(bytes)}\n)`).join(",\n")}\n]\n`
    case "fixture":
      return json({
        source: `made in the Sourcewire playground, ${date}`,
        datagrams: datagrams.map((bytes) => toHex(bytes)),
        ...(message === undefined ? {} : { message }),
        ...(problem === undefined ? {} : { problem })
      })
    default:
      return server(REQUESTS[message?._tag ?? ""] ?? "info", datagrams)
  }
}

/** The source code of a server that replies with the datagrams. */
const server = (
  request: string,
  datagrams: ReadonlyArray<Uint8Array>
): string => `import { startServer } from "@sourcewire/emulator"
import { readRequest } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"

const datagrams = [
${datagrams.map((bytes) => `  "${toHex(bytes)}"`).join(",\n")}
].map((hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))

const server = await startServer({
  transport: layer,
  profile: "css",
  port: 27015,
  // The datagrams are the reply to requests of the kind "${request}". All other requests receive the replies of the profile.
  intercept: (datagram, _address, _port, reply) => {
    if (readRequest(datagram) !== "${request}") return false
    for (const bytes of datagrams) reply(bytes)
    return true
  }
})
console.log(\`The server listens on port \${server.port}.\`)
`

const json = (value: unknown): string =>
  `${JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one), 2)}\n`
