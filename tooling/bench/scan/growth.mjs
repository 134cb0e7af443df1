// What a scan costs as it grows: CPU time per target, and memory.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { plot } from "../plot.ts"
import { count as shown, median, note, root, turns, verdict } from "../report.ts"
import { clients } from "./clients.mjs"
import { startFarm } from "../farm/farmProcess.ts"
import { fixed, runOnce, runUndisturbed } from "./runs.mjs"

const COUNTS = [1000, 10_000, 100_000]
/** As many servers for each size: short scans are repeated, since one of a thousand takes no longer than some noise. */
const TOTAL = 100_000

/** A program that does nothing but such a scan; some settings are for Node. */
const longScan = (count, settings = [], forNode = [], file = "memory.mjs") => [
  process.execPath,
  ...forNode,
  fileURLToPath(new URL(file, import.meta.url)),
  String(count),
  ...settings
]

/** Keeps V8's space for young objects small, which it enlarges to 128 MB as long as something outlives its collections. */
const SMALL = "--max-semi-space-size=4"
const PROGRAM = "`sourcewire scan --json`"
/** What a process of a million targets may take, in MB. */
const MOST_MB = 130

/** CPU time per target in scans of three sizes, warm, so that what a scan costs is not mixed with what a compiler costs. */
export const growth = async (rounds) => {
  const largest = COUNTS.at(-1)
  await using farm = await startFarm({ n: largest })
  const targets = farm.targets()
  const rows = new Map(COUNTS.map((count) => [count, []]))
  note("growth ")
  for (const count of turns(COUNTS, rounds)) {
    const size = ["--n", String(count), "--warmup", "50000", "--repeat", String(TOTAL / count)]
    const args = ["--targets", targets, "--workload", "B", "--concurrency", "100", ...size]
    rows.get(count).push(await runUndisturbed(farm, clients[0].command, args))
    note(".")
  }
  // By itself, as a program has it: the clients of a comparison hold lists and checks besides.
  const peaks = Array.from({ length: rounds }, () => runOnce(farm, longScan(largest), []).peakMb)
  note("\n")
  // The least, since other work on the machine can only add.
  const perServer = COUNTS.map((count) => Math.min(...rows.get(count).map(({ cpu_s, n }) => (1e6 * cpu_s) / n)))
  const table = [
    ["servers", "right", "CPU µs/server"],
    ...COUNTS.map((count, i) => {
      const of = (field) => median(rows.get(count).map((line) => line[field]))
      return [count, `${of("ok")} of ${of("n")}`, fixed(perServer[i], 1)]
    })
  ]
  const spread = Math.max(...perServer) / Math.min(...perServer)
  const peak = median(peaks)
  return {
    rounds,
    table,
    notes: [
      verdict(
        `largest and smallest cost per server differ by a factor of ${fixed(spread)} (at most 1.10)`,
        spread <= 1.1
      ),
      verdict(`100 000 servers with default settings: peak of ${Math.round(peak)} MB (at most 150)`, peak <= 150)
    ]
  }
}

/** Memory of one very long scan, over its targets; with `write`, the plot goes to the docs. */
export const memory = async (write) => {
  const [count, dead] = [1_000_000, 95]
  note("memory: a million targets ")
  await using farm = await startFarm({ n: count, dead })
  const settings = ["10000", "300", "1"]
  const [whole, small] = [[], [SMALL]].map((forNode) => runOnce(farm, longScan(count, settings, forNode), []))
  const program = runOnce(farm, longScan(count, settings, [], "programMemory.mjs"), [])
  note("\n")
  const { points } = whole
  const half = points[points.length >> 1][1]
  const end = points.at(-1)[1]
  const growth = end / half
  const line = { name: "Resident memory", unit: "MB", values: points.map(([, mb]) => mb) }
  if (write) writeFileSync(join(root, "docs/benchmarks/scan-memory.svg"), plot([line], `${shown(count)} targets`))
  return {
    table: [
      ["scan", "targets", "answered", "seconds", "CPU s", "peak MB", "MB at half", "MB at the end"],
      ...Object.entries({ "the library": whole, [`the library, ${SMALL}`]: small, [PROGRAM]: program }).map(
        ([name, { answered, cpuSeconds, done, peakMb, points, seconds }]) => {
          const sizes = points === undefined ? ["", ""] : [points[points.length >> 1][1], points.at(-1)[1]]
          return [name, done, answered, fixed(seconds, 1), fixed(cpuSeconds, 1), peakMb, ...sizes]
        }
      )
    ],
    notes: [
      verdict(`memory at the end is ${fixed(growth)}× that at half (at most 1.10)`, growth <= 1.1),
      verdict(`peak of ${whole.peakMb} MB (at most ${MOST_MB})`, whole.peakMb <= MOST_MB),
      verdict(`with ${SMALL}, peak of ${small.peakMb} MB (at most ${MOST_MB})`, small.peakMb <= MOST_MB),
      verdict(
        `${PROGRAM}, which keeps that space small itself: peak of ${program.peakMb} MB (at most ${MOST_MB})`,
        program.peakMb <= MOST_MB
      )
    ]
  }
}
