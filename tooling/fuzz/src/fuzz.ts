/**
 * Runs fuzzing campaigns and says what they found.
 *
 *     pnpm fuzz [--minutes M | --runs N] [--target T]… [--seed S] [--write]
 *
 * Inputs are shared out by the targets' weights; with `--minutes`, time is. `--seed` makes a run the same again (with `--runs`).
 * Findings are made small and written to `tooling/fuzz/findings/`; `--write` puts the table into `docs/benchmarks/fuzz.md`. Exits
 * with 1 when there is a finding.
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
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false }
  }
})

const counters = new Counters()
const root = new URL("../../../", import.meta.url)
// Before anything that loads our sources, hence the imports below.
instrumentOnLoad(root, /^(packages|apps)\/[^/]+\/src\/.*\.ts$/, counters)
const { targets } = await import("./targets/index.ts")
const { campaign } = await import("./engine/campaign.ts")
const { minimise } = await import("./engine/minimise.ts")
const { findingOf } = await import("./Input.ts")
const { writeFinding } = await import("./findings.ts")
const { report } = await import("./report.ts")

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
for (const target of chosen) {
  const share = target.weight / allWeights
  const start = performance.now()
  const most = allRuns === undefined ? Number.POSITIVE_INFINITY : Math.ceil(allRuns * share)
  const endsAt = allMs === undefined ? Number.POSITIVE_INFINITY : start + allMs * share
  const progress = await campaign(target, seed, counters, (runs) => runs >= most || performance.now() >= endsAt)
  for (const failure of progress.failures) {
    const { error, input } = await minimise(target, failure, counters)
    const file = writeFinding(findingOf(target.name, `${error.name}: ${error.message}`, input))
    console.log(`${target.name}: ${error.stack}\n  -> ${file}`)
  }
  const seconds = (performance.now() - start) / 1000
  const { all, reached } = counters.reached(progress.seen, target.covers)
  rows.push({ target, progress, seconds, blocks: all, reached })
  console.error(
    `${target.name}: ${progress.runs} inputs in ${seconds.toFixed(0)} s, ${reached} of ${all} blocks, ${progress.failures.length} findings`
  )
}
report(rows, seed, values.write)
if (rows.some(({ progress }) => progress.failures.length > 0)) process.exitCode = 1
