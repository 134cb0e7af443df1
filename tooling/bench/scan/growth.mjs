// What a scan costs as it grows: CPU time per target, and memory.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { plot } from "../plot.ts"
import { count as shown, median, root, verdict } from "../report.ts"
import { clients } from "./clients.mjs"
import { startFarm } from "../farm/farmProcess.ts"
import { compare, fixed, runOnce } from "./runs.mjs"

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
  const largest = Math.max(...COUNTS)
  await using farm = await startFarm({ n: largest })
  const sizes = COUNTS.map((count) => ({
    name: count,
    command: [...clients[0].command, "--n", String(count), "--repeat", String(TOTAL / count)]
  }))
  const args = ["--targets", farm.targets(), "--workload", "B", "--warmup", "50000"]
  const medians = await compare(farm, sizes, args, () => 100, rounds)
  // By itself, as a program has it: the clients of a comparison hold lists and checks besides.
  const peak = median(Array.from({ length: rounds }, () => runOnce(farm, longScan(largest), []).peakMb))
  const rows = [...medians].map(([count, { lines, n, ok }]) => {
    // The least, since other work on the machine can only add.
    const perServer = Math.min(...lines.map((line) => (1e6 * line.cpu_s) / line.n))
    return { cells: [count, `${ok} of ${n}`, fixed(perServer, 1)], perServer }
  })
  const costs = rows.map(({ perServer }) => perServer)
  const spread = Math.max(...costs) / Math.min(...costs)
  return {
    rounds,
    table: [["servers", "right", "CPU µs/server"], ...rows.map(({ cells }) => cells)],
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
  await using farm = await startFarm({ n: count, dead })
  const settings = ["10000", "300", "1"]
  const scan = (forNode, file) => runOnce(farm, longScan(count, settings, forNode, file), [])
  const [whole, small, program] = [scan([]), scan([SMALL]), scan([], "programMemory.mjs")]
  const sizesOf = ({ points }) => [points[points.length >> 1], points.at(-1)]
  const [half, end] = sizesOf(whole)
  const line = { name: "Resident memory", unit: "MB", values: whole.points }
  if (write) writeFileSync(join(root, "docs/benchmarks/scan-memory.svg"), plot([line], `${shown(count)} targets`))
  const row = (name, run, sizes = sizesOf(run)) => {
    const { answered, cpuSeconds, done, peakMb, seconds } = run
    return [name, done, answered, fixed(seconds, 1), fixed(cpuSeconds, 1), peakMb, ...sizes]
  }
  const growth = end / half
  const peak = (name, { peakMb }) => verdict(`${name}peak of ${peakMb} MB (at most ${MOST_MB})`, peakMb <= MOST_MB)
  return {
    table: [
      ["scan", "targets", "answered", "seconds", "CPU s", "peak MB", "MB at half", "MB at the end"],
      row("the library", whole),
      row(`the library, ${SMALL}`, small),
      row(PROGRAM, program, ["", ""])
    ],
    notes: [
      verdict(`memory at the end is ${fixed(growth)}× that at half (at most 1.10)`, growth <= 1.1),
      peak("", whole),
      peak(`with ${SMALL}, `, small),
      peak(`${PROGRAM}, which keeps that space small itself: `, program)
    ]
  }
}
