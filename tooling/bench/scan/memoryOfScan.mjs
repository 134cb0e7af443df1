// Measures how much memory the library needs to scan a million targets, and how much the command-line program needs.
import process from "node:process"
import { fileURLToPath } from "node:url"
import { verdict } from "../Bench.ts"
import { startFarm } from "../farm/farmProcess.ts"
import { fixed, runOnce } from "./runs.mjs"

/**
 * Returns a command that measures a scan of `count` targets. The script `file` does the measurement, and `forNode` contains flags for Node.
 */
const longScan = (count, settings, forNode, file = "memory.mjs") => [
  process.execPath,
  ...forNode,
  fileURLToPath(new URL(file, import.meta.url)),
  String(count),
  ...settings
]

/**
 * A flag of Node that limits V8's memory for young objects. Without this flag, V8 enlarges this memory up to 128 MB while objects survive
 * garbage collections.
 */
const SMALL = "--max-semi-space-size=4"
const PROGRAM = "`sourcewire scan --json`"
/** Maximum memory of a process that scans a million targets, in MB. */
const MOST_MB = 130

/**
 * Scans a million targets three times: with the library, with the library and the flag `SMALL`, and with the program. Measures the peak
 * memory of each scan. For the library, also measures the memory after half of the targets and at the end.
 */
export const memory = async () => {
  const [count, dead] = [1_000_000, 95]
  await using farm = await startFarm({ n: count, dead })
  const settings = ["10000", "300", "1"]
  const scan = (forNode, file) => runOnce(farm, longScan(count, settings, forNode, file), [])
  const [whole, small, program] = [scan([]), scan([SMALL]), scan([], "programMemory.mjs")]
  const halfwayAndEnd = ({ points }) => [points[points.length >> 1], points.at(-1)]
  const [half, end] = halfwayAndEnd(whole)
  const row = (name, run, sizes = halfwayAndEnd(run)) => {
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
      verdict(
        `memory at the end is ${fixed(growth)}× the memory after half of the targets (at most 1.10)`,
        growth <= 1.1
      ),
      peak("", whole),
      peak(`with ${SMALL}, `, small),
      peak(`${PROGRAM}, which limits this space itself: `, program)
    ]
  }
}
