/**
 * What decoding a capture, or lines of hex, costs for people beside JSON, of the same file. `--write` puts the table into the docs.
 *
 *     pnpm bench:captures [--rounds 5] [--megabytes 10] [--write]
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Responder } from "@sourcewire/server"
import { profiles } from "@sourcewire/emulator"
import { compress } from "@sourcewire/server/machines"
import { encode } from "@sourcewire/protocol"
import { isSplit } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { programs } from "../programs/programs.mjs"
import { ip, links, pcap, type Sent } from "../testing/captureFiles.ts"
import { buildProgram } from "./builtProgram.ts"
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

/** A capture of so many bytes. */
const capture = (bytes: number): Buffer => {
  const frames: Array<{ readonly timeNs: bigint; readonly bytes: Buffer }> = []
  for (let size = 0, i = 0; size < bytes; i++) {
    for (const sent of talk(names[i % names.length]!, `198.51.100.${i % 250}`)) {
      const frame = links[1]!(ip(sent))
      frames.push({ timeNs: 1_795_248_900_000_000_000n + BigInt(frames.length) * 1_000_000n, bytes: frame })
      size += frame.length + 16
    }
  }
  return pcap(1, frames)
}

/** As many bytes of hex, a message a line; the fragments of a reply stand on one. */
const hexLines = (bytes: number): string => {
  let text = ""
  for (let i = 0; text.length < bytes; i++) {
    let wasSplit = false
    for (const { payload } of talk(names[i % names.length]!, `198.51.100.${i % 250}`)) {
      text += `${wasSplit && isSplit(payload) ? " " : "\n"}${Buffer.from(payload).toString("hex")}`
      wasSplit = isSplit(payload)
    }
  }
  return text
}

/** Milliseconds that a command takes, given the file as its standard input where it names none. */
const timed = async (args: ReadonlyArray<string>, input: string): Promise<number> => {
  const begun = performance.now()
  const stdin = args.includes("--pcap") ? "ignore" : openSync(input, "r")
  const child = spawn(programs.node, args, { stdio: [stdin, "pipe", "ignore"] })
  if (stdin !== "ignore") closeSync(stdin)
  child.stdout!.resume()
  const [exitCode] = (await once(child, "close")) as [number | null]
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`)
  return performance.now() - begun
}

using built = await buildProgram()
const { folder } = built
const file = join(folder, "capture.pcap")
writeFileSync(file, capture(megabytes * 1_000_000))
const lines = join(folder, "messages.txt")
writeFileSync(lines, hexLines(megabytes * 1_000_000))
const commandOf = (...flags: ReadonlyArray<string>) => ({
  name: ["decode", ...flags].join(" ").replace(file, "FILE"),
  args: [join(folder, "sourcewire.js"), "decode", ...flags],
  times: [] as Array<number>
})
const jsonOfCapture = commandOf("--pcap", file, "--json")
const listOfCapture = commandOf("--pcap", file)
const jsonOfLines = commandOf("--json")
const viewOfLines = commandOf()
const commands = [
  { command: jsonOfCapture, beside: jsonOfCapture },
  { command: listOfCapture, beside: jsonOfCapture },
  { command: commandOf("--pcap", file, "--text", "no such words"), beside: jsonOfCapture },
  { command: commandOf("--pcap", file, "--conversation"), beside: jsonOfCapture },
  { command: jsonOfLines, beside: jsonOfLines },
  { command: viewOfLines, beside: jsonOfLines }
]
for (const { command } of turns(commands, rounds)) {
  note(".")
  command.times.push(await timed(command.args, lines))
}
note("\n")
const ratio = (command: typeof jsonOfLines, beside: typeof jsonOfLines): number =>
  median(command.times) / median(beside.times)
const goal = (what: string, times: number): string =>
  verdict(`${what} takes ${times.toFixed(2)}× the time of JSON (at most ${GOAL}×)`, times <= GOAL)
report({
  title: "Captures",
  about: `Wall time of the program on a capture, and on lines of hex, of ${megabytes} MB each, for which emulated servers of four games were asked: INFO with its challenge, PLAYER, RULES. The median of ${rounds} rounds that take turns. Made by \`pnpm bench:captures --write\`.`,
  file: "docs/benchmarks/captures.md",
  table: [
    ["command", "ms", "of --json"],
    ...commands.map(({ beside, command }) => [
      `\`sourcewire ${command.name}\``,
      median(command.times).toFixed(0),
      `${ratio(command, beside).toFixed(2)}×`
    ])
  ],
  notes: [
    goal("A line per message of a capture", ratio(listOfCapture, jsonOfCapture)),
    goal("Every message in full, of lines of hex,", ratio(viewOfLines, jsonOfLines))
  ],
  write
})
