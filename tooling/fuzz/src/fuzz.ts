/**
 * Runs fuzzing targets and prints the findings. If there is a finding, the exit code is 1.
 *
 *     pnpm fuzz [--minutes M | --runs N] [--target T]… [--seed S]
 *
 * - With `--runs`, the inputs are divided among the targets by weight. With `--minutes`, the time is divided among the targets by weight.
 * - If you repeat a command with the same `--seed` and `--runs`, the inputs are the same.
 * - Findings are minimised and written to `tooling/fuzz/findings/`. The tests run the input of each finding again.
 * - In the report, a block is a branch, a loop body or a function of the sources that a target covers. A step is a loop iteration or a
 *   call.
 */
import { parseArgs } from "node:util"
import { Counters } from "./engine/Counters.ts"
import { instrumentOnLoad } from "./engine/instrument.ts"
import type { Target } from "./Target.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    runs: { type: "string" },
    target: { type: "string", multiple: true },
    seed: { type: "string", default: "1" }
  }
})

/**
 * A failure's signature contains only the first line of its stack. If the stacks contain only this line, the search takes a fifth less
 * time.
 */
const SEARCH_STACK_LINES = 1
const REPORT_STACK_LINES = 10

const counters = new Counters()
const root = new URL("../../../", import.meta.url)
// The instrumentation must be active before any of our sources is loaded. Therefore the imports below are dynamic.
instrumentOnLoad(root, /^(packages|apps)\/[^/]+\/src\/.*\.ts$/, counters)
const { targets } = await import("./targets/index.ts")
const { campaign, runOne } = await import("./engine/campaign.ts")
const { minimise } = await import("./engine/minimise.ts")
const { writeFinding } = await import("./findings.ts")
const { count } = await import("../../bench/Bench.ts")
const { plain } = await import("../../bench/page.ts")

const wanted = values.target
const chosen: ReadonlyArray<Target> =
  wanted === undefined ? targets : targets.filter(({ name }) => wanted.some((word) => name.includes(word)))
if (chosen.length === 0) {
  console.error(`There is no such target. The targets are: ${targets.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}
const seed = Number(values.seed)
const allWeights = chosen.reduce((sum, { weight }) => sum + weight, 0)
const allRuns = values.runs === undefined ? undefined : Number(values.runs)
const allMs = allRuns === undefined ? Number(values.minutes ?? 1) * 60_000 : undefined

const rows = []
let [runs, findings] = [0, 0]
for (const target of chosen) {
  Error.stackTraceLimit = SEARCH_STACK_LINES
  const share = target.weight / allWeights
  const start = performance.now()
  const most = allRuns === undefined ? Number.POSITIVE_INFINITY : Math.ceil(allRuns * share)
  const endsAt = allMs === undefined ? Number.POSITIVE_INFINITY : start + allMs * share
  const done = await campaign(target, seed, counters, (runs) => runs >= most || performance.now() >= endsAt)
  Error.stackTraceLimit = REPORT_STACK_LINES
  for (const failure of done.failures) {
    const { error: found, input } = await minimise(target, failure, counters)
    // The input runs once more, to get an error with the longer stack. The known error may still have the short stack of the search.
    const { error = found } = await runOne(target, input, counters)
    const file = writeFinding(target.name, `${error.name}: ${error.message}`, input)
    console.log(`${target.name}: ${error.stack}\n  -> ${file}`)
  }
  runs += done.runs
  findings += done.failures.length
  const { all, reached } = counters.reached(done.seen, target.covers)
  rows.push([
    target.name,
    count(done.runs),
    count(done.corpus),
    `${reached} of ${all} (${((100 * reached) / Math.max(1, all)).toFixed(0)} %)`,
    count(done.steps),
    done.failures.length,
    target.holds
  ])
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.error(
    `${target.name}: ${done.runs} inputs in ${seconds} s, ${reached} of ${all} blocks, ${done.failures.length} findings`
  )
}
console.log(plain([["target", "inputs", "corpus", "blocks reached", "most steps", "findings", "what holds"], ...rows]))
console.log(`\n${count(runs)} inputs, seed ${seed}, ${rows.length} targets: ${findings} findings.`)
if (findings > 0) process.exitCode = 1
