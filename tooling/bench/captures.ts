/**
 * What decoding a capture, or lines of hex, costs for people beside JSON, of the same file. `--write` puts the table into the docs.
 *
 *     pnpm bench:captures [--rounds 5] [--megabytes 10] [--write]
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Responder } from "@sourcewire/server"
import { profiles } from "@sourcewire/emulator"
import { compress } from "@sourcewire/server/machines"
import { encode } from "@sourcewire/protocol"
import { isSplit } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type Frame, ip, links, pcap, type Sent } from "../testing/captureFiles.ts"
import { buildProgram, timed } from "./builtProgram.ts"
import { median, note, options, report, turns, verdict } from "./report.ts"

const { megabytes, rounds, write } = options({ rounds: 5, megabytes: 10 })

/** At most, as a multiple of the time that JSON takes. */
const GOAL = 2

const CLIENT = ["192.0.2.200", 40_000] as const

/** What a client asks a server, and what comes back. */
const talk = (profile: keyof typeof profiles, host: string): ReadonlyArray<Sent> => {
  const server = [host, 27_015] as const
  const responder = new Responder(profiles[profile]({}), { compress })
  const ask = (request: Uint8Array): ReadonlyArray<Sent> => [
    { source: CLIENT, destination: server, payload: request },
    ...responder
      .respond(request, CLIENT[0], CLIENT[1], 0)
      .map((payload): Sent => ({ source: server, destination: CLIENT, payload }))
  ]
  const challenge = responder.challenges.issue(CLIENT[0], CLIENT[1], 0)
  const messages = [
    { _tag: "InfoRequest" },
    { _tag: "InfoRequest", challenge },
    { _tag: "PlayersRequest", challenge },
    { _tag: "RulesRequest", challenge }
  ] as const
  return messages.flatMap((message) => ask(Result.getOrThrow(encode(message))))
}

const names = ["css", "tf2", "rust", "cs16"] as const

function* talks(): Generator<Sent> {
  for (let i = 0; ; i++) yield* talk(names[i % names.length]!, `198.51.100.${i % 250}`)
}

const capture = (bytes: number): Buffer => {
  const frames: Array<Frame> = []
  let size = 0
  for (const sent of talks()) {
    if (size >= bytes && sent.source === CLIENT) break
    const frame = links[1]!(ip(sent))
    frames.push({ timeNs: 1_795_248_900_000_000_000n + BigInt(frames.length) * 1_000_000n, bytes: frame })
    size += frame.length + 16
  }
  return pcap(1, frames)
}

/** As many bytes of hex, a message a line; the fragments of a reply stand on one. */
const hexLines = (bytes: number): string => {
  let text = ""
  let wasSplit = false
  for (const { payload, source } of talks()) {
    if (text.length >= bytes && source === CLIENT) break
    text += `${wasSplit && isSplit(payload) ? " " : "\n"}${Buffer.from(payload).toString("hex")}`
    wasSplit = isSplit(payload)
  }
  return text
}

await using built = await buildProgram()
const folder = built.path
const file = join(folder, "capture.pcap")
writeFileSync(file, capture(megabytes * 1_000_000))
const lines = join(folder, "messages.txt")
writeFileSync(lines, hexLines(megabytes * 1_000_000))
const commandOf = (beside: number, ...flags: ReadonlyArray<string>) => ({
  name: ["decode", ...flags].join(" ").replace(file, "FILE"),
  args: [join(folder, "sourcewire.js"), "decode", ...flags],
  beside,
  times: [] as Array<number>
})
const commands = [
  commandOf(0, "--pcap", file, "--json"),
  commandOf(0, "--pcap", file),
  commandOf(0, "--pcap", file, "--text", "no such words"),
  commandOf(0, "--pcap", file, "--conversation"),
  commandOf(4, "--json"),
  commandOf(4)
]
for (const { args, times } of turns(commands, rounds)) {
  note(".")
  times.push(await timed(args, process.env, lines))
}
note("\n")
/** A command beside that which gives JSON of the same file. */
const ratio = ({ beside, times }: (typeof commands)[number]): number => median(times) / median(commands[beside]!.times)
const goal = (what: string, command: (typeof commands)[number]): string =>
  verdict(`${what} takes ${ratio(command).toFixed(2)}× the time of JSON (at most ${GOAL}×)`, ratio(command) <= GOAL)
report({
  title: "Captures",
  about: `Wall time of the program on a capture, and on lines of hex, of ${megabytes} MB each, for which emulated servers of four games were asked: INFO with its challenge, PLAYER, RULES. The median of ${rounds} rounds that take turns. Made by \`pnpm bench:captures --write\`.`,
  file: "captures.md",
  table: [
    ["command", "ms", "of --json"],
    ...commands.map((command) => [
      `\`sourcewire ${command.name}\``,
      median(command.times).toFixed(0),
      `${ratio(command).toFixed(2)}×`
    ])
  ],
  notes: [
    goal("A line per message of a capture", commands[1]!),
    goal("Every message in full, of lines of hex,", commands[5]!)
  ],
  write
})
