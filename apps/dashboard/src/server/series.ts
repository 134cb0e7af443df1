/** Converts samples to the data of plots. The data contain a value for each step of a span, or a gap if there is no sample for the step. */
import type { Sample } from "@sourcewire/monitor/api"
import type { Span } from "@sourcewire/ui/spans"
import type { Times } from "../grades.ts"

/** The times of a plot: the start of each step in the span, and the end of the span. The span and the times are in seconds. */
export const listTimes = ([from, to]: Span, stepMs: number): ReadonlyArray<number> => {
  const step = stepMs / 1000
  const times: Array<number> = []
  for (let at = Math.floor(from / step) * step; at < to; at += step) times.push(at)
  return [...times, to]
}

/**
 * The values of each line of a plot: one value for each time in `times`. If the span ends within a step, the value of this step is repeated
 * at the end of the span. Therefore a sample of this step is visible as a line, even if the plot has no other samples.
 */
export const listLines = (
  samples: ReadonlyArray<Sample>,
  times: ReadonlyArray<number>,
  stepMs: number,
  values: (sample: Sample) => ReadonlyArray<number | undefined>
): ReadonlyArray<Array<number | null>> => {
  const step = stepMs / 1000
  const byTime = new Map(samples.map((sample) => [sample.at / 1000, values(sample)]))
  const rows = times.map((at) => byTime.get(Math.floor(at / step) * step))
  const count = values({ at: 0, asked: 0, answered: 0, upMs: 0, downMs: 0, mutedMs: 0 }).length
  return Array.from({ length: count }, (_, line) => rows.map((row) => row?.[line] ?? null))
}

/**
 * The span that a plot shows. If there are no samples, or if the first sample is in the first 5 % of the selected period, the plot shows
 * the whole period. Otherwise, the plot begins with the first sample, but shows at least the last hour of the period. A period that is
 * shorter than an hour is always shown completely.
 */
export const shownSpan = (samples: ReadonlyArray<Sample>, [from, to]: Span): Span => {
  const [first] = samples
  if (first === undefined || first.at / 1000 - from < (to - from) / 20) return [from, to]
  return [Math.max(from, Math.min(first.at / 1000, to - 3600)), to]
}

/** Returns the period of each sample in which the server was down and never up, as a span in seconds. */
export const listOutages = (samples: ReadonlyArray<Sample>, stepMs: number): ReadonlyArray<Span> =>
  samples
    .filter(({ downMs, upMs }) => downMs > 0 && upMs === 0)
    .map(({ at }) => [at / 1000, (at + stepMs) / 1000] as const)

/** A cell of the strip. */
export interface Cell extends Times {
  readonly span: Span
}

/**
 * Divides the span into at most `most` + 1 cells, and adds up the times of the samples in each cell. All cells have the same length, which
 * is a multiple of the step, but the first and the last cell can be shorter.
 */
export const listCells = (
  samples: ReadonlyArray<Sample>,
  [from, to]: Span,
  stepMs: number,
  most: number
): ReadonlyArray<Cell> => {
  const step = stepMs / 1000
  const length = step * Math.max(1, Math.ceil((to - from) / step / most))
  const first = Math.floor(from / length) * length
  const cells = Array.from({ length: Math.ceil((to - first) / length) }, (_, i) => ({
    span: [Math.max(from, first + i * length), Math.min(to, first + (i + 1) * length)] as const,
    upMs: 0,
    downMs: 0,
    mutedMs: 0
  }))
  for (const { at, downMs, mutedMs, upMs } of samples) {
    const cell = cells[Math.floor((at / 1000 - first) / length)]
    if (cell === undefined) continue
    cell.upMs += upMs
    cell.downMs += downMs
    cell.mutedMs += mutedMs
  }
  return cells
}
