/**
 * Mutates only a random sample of a package. A run with a sample takes minutes, but a run with all mutants of core or monitor takes hours.
 *
 * PACKAGE=monitor SAMPLE=40 SEED=2 pnpm mutate
 *
 * The files are divided into windows of a few lines, and `SAMPLE` of these windows are mutated. `SEED` (default: 1) determines which
 * windows are mutated. Samples with different seeds can contain the same window. If a mutant changes lines of several windows, it is not in
 * any sample. An example is the removal of a long function body.
 *
 * If one mutant of a window survives, other mutants of this window often survive, too. Therefore the confidence interval of the score
 * treats only windows, and not single mutants, as independent.
 */
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"

const linesPerWindow = 12
const windows = Number(process.env.SAMPLE ?? 0)
const seed = process.env.SEED ?? "1"

/** Returns the patterns of the files to mutate. If a sample is requested, these patterns select only the lines of the sample. */
export const sampled = ([files, ...excluded]) => {
  if (windows === 0) return [files, ...excluded]
  const all = globSync(files, { exclude: excluded.map((pattern) => pattern.slice(1)) }).flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n").length
    return Array.from({ length: Math.ceil(lines / linesPerWindow) }, (_, at) => {
      return `${file}:${at * linesPerWindow + 1}-${(at + 1) * linesPerWindow}`
    })
  })
  const order = new Map(all.map((window) => [window, createHash("sha256").update(`${seed} ${window}`).digest("hex")]))
  return all.toSorted((a, b) => (order.get(a) < order.get(b) ? -1 : 1)).slice(0, windows)
}

/** Prints the score (the share of mutants that a test detected) with its 95 % confidence interval. */
const onMutationTestReportReady = ({ files }) => {
  const counts = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 }
  const clusters = new Map()
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const { location, status } of mutants.filter((mutant) => mutant.status in counts)) {
      counts[status]++
      const key = `${file} ${Math.floor((location.start.line - 1) / linesPerWindow)}`
      const cluster = clusters.get(key) ?? { valid: 0, detected: 0 }
      cluster.valid++
      if (status === "Killed" || status === "Timeout") cluster.detected++
      clusters.set(key, cluster)
    }
  }
  const valid = counts.Killed + counts.Timeout + counts.Survived + counts.NoCoverage
  const score = (counts.Killed + counts.Timeout) / valid
  const squares = [...clusters.values()].reduce((sum, one) => sum + (one.detected - score * one.valid) ** 2, 0)
  const error = (1.96 * Math.sqrt((squares * clusters.size) / (clusters.size - 1))) / valid
  const percent = (share) => `${(100 * share).toFixed(1)} %`
  console.log(
    `Sample: ${windows} windows, seed ${seed}, ${clusters.size} windows with mutants, ${valid} mutants`,
    counts
  )
  console.log(`Score: ${percent(score)} ± ${percent(error)} (95 % interval)`)
}

export const strykerPlugins =
  windows === 0 ? [] : [{ kind: "Reporter", name: "sample", value: { onMutationTestReportReady } }]
