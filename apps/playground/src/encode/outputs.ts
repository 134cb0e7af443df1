/** The encoded message in notations that can be copied. */
import { type Message, toHex } from "@sourcewire/protocol"

const BYTES_PER_LINE = 12

export const cArray = (tag: string, bytes: Uint8Array): string => {
  const name = tag.replaceAll(/[a-z][A-Z]/g, (pair) => `${pair[0]}_${pair[1]}`).toLowerCase()
  const lines: Array<string> = []
  for (let at = 0; at < bytes.length; at += BYTES_PER_LINE) {
    const line = [...bytes.subarray(at, at + BYTES_PER_LINE)].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`)
    lines.push(`  ${line.join(", ")}`)
  }
  return `static const unsigned char ${name}[${bytes.length}] = {\n${lines.join(",\n")}\n};\n`
}

export const typescriptCall = (message: Message): string =>
  `import { encode } from "@sourcewire/protocol"\n\nconst datagram = encode(${literal(message, "")})\n`

const literal = (value: unknown, indent: string): string => {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]"
    return `[\n${value.map((one) => `${indent}  ${literal(one, `${indent}  `)}`).join(",\n")}\n${indent}]`
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined)
    return `{\n${entries.map(([key, one]) => `${indent}  ${key}: ${literal(one, `${indent}  `)}`).join(",\n")}\n${indent}}`
  }
  if (typeof value === "number" && !Number.isFinite(value))
    return `Number.${value > 0 ? "POSITIVE_INFINITY" : "NEGATIVE_INFINITY"}`
  return JSON.stringify(value)
}

/** For each type of request: the command of `sourcewire` that sends a request of this type. */
const commands: Readonly<Record<string, string>> = {
  InfoRequest: "info",
  PlayersRequest: "players",
  RulesRequest: "rules",
  PingRequest: "ping",
  HandshakeRequest: "handshake --form source",
  CsgoHandshakeRequest: "handshake --form csgo",
  GoldSourceHandshakeRequest: "handshake --form goldsource"
}

/**
 * Returns a command line for a message. If `sourcewire` has a command that sends this message, the command line contains this command.
 * Otherwise, the command line decodes the bytes of the message.
 */
export const commandLine = (message: Message, bytes: Uint8Array): string => {
  const command = commands[message._tag]
  if (command !== undefined) return `sourcewire ${command} 127.0.0.1:27015`
  // The password is omitted, because it would stay in the shell's history.
  if (message._tag === "RconRequest") return `sourcewire rcon 127.0.0.1:27015 ${quote(message.command)}`
  return `sourcewire decode --tree ${toHex(bytes)}`
}

const quote = (word: string): string =>
  /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
