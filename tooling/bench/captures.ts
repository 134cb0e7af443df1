/**
 * What decoding a capture costs: a line per message for people, and JSON, of the same file. `--write` puts the table into the docs.
 *
 *     pnpm bench:captures [--rounds 5] [--megabytes 10] [--write]
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Responder } from "@sourcewire/server"
import { profiles } from "@sourcewire/emulator"
import { compress } from "@sourcewire/server/machines"
import { encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { run } from "../packaging/src/packed.ts"
import { programs } from "../programs/programs.mjs"
import { ip, links, pcap, type Sent } from "../testing/captureFiles.ts"
import { median, note, options, report, root, turns, verdict } from "./report.ts"

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

/** A capture of so many bytes. */
const capture = (bytes: number): Buffer => {
  const frames: Array<{ readonly timeNs: bigint; readonly bytes: Buffer }> = []
  const names = ["css", "tf2", "rust", "cs16"] as const
  for (let size = 0, i = 0; size < bytes; i++) {
    for (const sent of talk(names[i % names.length]!, `198.51.100.${i % 250}`)) {
      const frame = links[1]!(ip(sent))
      frames.push({ timeNs: 1_795_248_900_000_000_000n + BigInt(frames.length) * 1_000_000n, bytes: frame })
      size += frame.length + 16
    }
  }
  return pcap(1, frames)
}

/** Milliseconds that a command takes. */
const timed = async (args: ReadonlyArray<string>): Promise<number> => {
  const begun = performance.now()
  const child = spawn(programs.node, args, { stdio: ["ignore", "pipe", "ignore"] })
  child.stdout.resume()
  const [exitCode] = (await once(child, "close")) as [number | null]
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}`)
  return performance.now() - begun
}

const folder = mkdtempSync(join(tmpdir(), "sourcewire-captures-"))
try {
  await run(programs.node, [join(root, "tooling/presets/program.ts"), folder], join(root, "apps/cli"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const file = join(folder, "capture.pcap")
  writeFileSync(file, capture(megabytes * 1_000_000))
  const commands = [["--json"], [], ["--text", "no such words"], ["--conversation"]].map((flags) => ({
    name: ["decode --pcap", ...flags].join(" "),
    args: [join(folder, "sourcewire.js"), "decode", "--pcap", file, ...flags],
    times: [] as Array<number>
  }))
  for (const command of turns(commands, rounds)) {
    note(".")
    command.times.push(await timed(command.args))
  }
  note("\n")
  const json = median(commands[0]!.times)
  const people = median(commands[1]!.times)
  report({
    title: "Captures",
    about: `Wall time of the program on a capture of ${megabytes} MB, which emulated servers of four games were asked for: INFO with its challenge, PLAYER, RULES. The median of ${rounds} rounds that take turns. Made by \`pnpm bench:captures --write\`.`,
    file: "docs/benchmarks/captures.md",
    table: [
      ["command", "ms", "of --json"],
      ...commands.map(({ name, times }) => [
        `\`sourcewire ${name}\``,
        median(times).toFixed(0),
        `${(median(times) / json).toFixed(2)}×`
      ])
    ],
    notes: [
      verdict(
        `A line per message takes ${(people / json).toFixed(2)}× the time of JSON (at most ${GOAL}×)`,
        people <= GOAL * json
      )
    ],
    write
  })
} finally {
  rmSync(folder, { recursive: true })
}
