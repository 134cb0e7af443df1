/**
 * Scans a generated list with `sourcewire scan`, with and without `--verdict`. Measures the time, the memory and the number of datagrams.
 * The datagrams go through real sockets.
 */
import type { ServerListOptions } from "@sourcewire/emulator/machines"
import { ServerList } from "@sourcewire/emulator/machines"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtempDisposable, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type Measured, note } from "../Bench.ts"
import { buildProgram } from "../builtProgram.ts"
import { startListFarm } from "./farmProcess.ts"

/** A module that the program loads. When the program ends, this module writes the program's peak memory and CPU time to a file. */
const usageReporter = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`import { writeFileSync } from "node:fs"
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  writeFileSync(${JSON.stringify(file)}, JSON.stringify({ peakMb: maxRSS / 1024, cpuSeconds: (systemCPUTime + userCPUTime) / 1e6 }))
})`)}`

/** Maximum size of the program's heap in each run, in MiB. On a machine with 8 GB of memory, this size is Node's default. */
const HEAP_MIB = 2048

/**
 * Returns the title and the arguments of each measured run of the program. All runs read their targets from the file `targets`. The run
 * with `--verdict` also reads Steam's player counts from the file `steam`.
 */
const listRuns = (
  targets: string,
  steam: string
): ReadonlyArray<readonly [title: string, flags: ReadonlyArray<string>]> => [
  ["scan", ["scan", "--json", "--file", targets]],
  ["scan --query players", ["scan", "--json", "--query", "players", "--file", targets]],
  ["scan --verdict", ["scan", "--json", "--verdict", "--steam-list", steam, "--file", targets]]
]

function* linesOf(list: ServerList): Generator<string> {
  for (const { address } of list.servers()) yield `${address}\n`
}

export const overSockets = async (options: ServerListOptions): Promise<Measured> => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-verdict-bench-"))
  await using built = await buildProgram()
  note("  opening the sockets of the list …\n")
  await using farm = await startListFarm(options)
  const [targets, steam, usage] = ["targets.txt", "steam.json", "usage.json"].map((name) =>
    join(folder.path, name)
  ) as [string, string, string]
  const list = new ServerList({ ...options, network: "127.80" })
  await pipeline(Readable.from(linesOf(list)), createWriteStream(targets))
  await pipeline(await farm.steamReply(), createWriteStream(steam))
  const rows: Array<ReadonlyArray<string | number>> = []
  for (const [title, flags] of listRuns(targets, steam)) {
    note(`  ${title} …\n`)
    const before = await farm.counters()
    const begun = performance.now()
    const program = join(built.path, "sourcewire.js")
    const heap = `--max-old-space-size=${HEAP_MIB}`
    const child = spawn(process.execPath, [heap, "--import", usageReporter(usage), program, ...flags], {
      stdio: ["ignore", "ignore", "pipe"]
    })
    let summary = ""
    child.stderr.on("data", (text: Buffer) => (summary = (summary + text.toString()).slice(-1000)))
    await once(child, "close")
    const seconds = (performance.now() - begun) / 1000
    const { requests } = await farm.counters()
    const { cpuSeconds, peakMb } = JSON.parse(await readFile(usage, "utf8")) as {
      readonly cpuSeconds: number
      readonly peakMb: number
    }
    const datagrams = requests - before.requests
    rows.push([
      title,
      `${seconds.toFixed(1)} s`,
      `${cpuSeconds.toFixed(1)} s`,
      `${peakMb.toFixed(0)} MiB`,
      /([\d,]+) failed/.exec(summary)?.[1] ?? "?",
      datagrams,
      (datagrams / list.size).toFixed(2)
    ])
  }
  return {
    table: [
      ["command", "time", "processor time", "peak memory", "failed", "datagrams to servers", "per server"],
      ...rows
    ],
    notes: [
      `${list.size.toLocaleString("en")} servers on loopback; all of them reply. The heap of each command is limited to ${HEAP_MIB} MiB, which is Node's default on a machine with 8 GB. \`--verdict\` waits a minute between its two queries. Other programs ran on the machine, so only the ratios of the rows are meaningful.`,
      "Each query of a server takes two datagrams from the client, because servers require a challenge. `--verdict` sends two INFO queries to each server. To a server with players, it also sends two PLAYER queries and one handshake request."
    ]
  }
}
