/** The table of a campaign: to the terminal, and as a page of the documentation. */
import { count, report as print } from "../../bench/report.ts"
import type { Progress } from "./engine/campaign.ts"
import { readFindings } from "./findings.ts"
import type { Target } from "./Target.ts"

/** What became of one target. */
export interface Row {
  readonly target: Target
  readonly progress: Progress
  readonly seconds: number
  /** Blocks in the sources that the target covers. */
  readonly blocks: number
  readonly reached: number
}

/** Prints the rows; with `write` also into the documentation. */
export const report = (rows: ReadonlyArray<Row>, seed: number, write: boolean): void => {
  const runs = rows.reduce((sum, { progress }) => sum + progress.runs, 0)
  const findings = rows.reduce((sum, { progress }) => sum + progress.failures.length, 0)
  print({
    file: "docs/benchmarks/fuzz.md",
    title: "Fuzzing",
    about:
      "Inputs per target, made by changing those that reached something new, along the fields that the declarations know. A block is a branch, a loop body or a function of the sources that a target is there for; a step is a loop round or a call. Made by `pnpm fuzz --write`; how it works is in `tooling/fuzz`.",
    table: [
      ["target", "inputs", "corpus", "blocks reached", "most steps", "findings", "what holds"],
      ...rows.map(({ blocks, progress, reached, target }) => [
        target.name,
        count(progress.runs),
        count(progress.corpus),
        `${reached} of ${blocks} (${((100 * reached) / Math.max(1, blocks)).toFixed(0)} %)`,
        count(progress.steps),
        progress.failures.length,
        target.holds
      ])
    ],
    notes: [
      `${count(runs)} inputs, seed ${seed}, ${rows.length} targets: ${findings} findings in this run.`,
      `${readFindings().length} findings of earlier runs are mended and replayed by the tests (\`tooling/fuzz/findings\`).`,
      "Blocks that are never reached are mostly those that only faults of the caller or of the system lead to."
    ],
    write
  })
}
