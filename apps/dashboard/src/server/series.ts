/** Samples as the plots want them: times and values, with a gap where nothing was asked. */
import type { Sample } from "@sourcewire/monitor/api"

/** Times in seconds, then one list of values per line. */
export type Series = [Array<number>, ...Array<Array<number | null>>]

/** From when to when, in seconds. */
export type Span = readonly [from: number, to: number]

/** The values of each sample by times. Between two samples that are further apart than a step there is a gap. */
export const seriesOf = (
  samples: ReadonlyArray<Sample>,
  stepMs: number,
  values: (sample: Sample) => ReadonlyArray<number | undefined>
): Series => {
  const times: Array<number> = []
  const lines: Array<Array<number | null>> = []
  const add = (at: number, row: ReadonlyArray<number | undefined>): void => {
    times.push(at / 1000)
    for (const [i, value] of row.entries()) (lines[i] ??= []).push(value ?? null)
  }
  let before: number | undefined
  for (const sample of samples) {
    const row = values(sample)
    if (before !== undefined && sample.at > before + stepMs)
      add(
        before + stepMs,
        row.map(() => undefined)
      )
    add(sample.at, row)
    before = sample.at
  }
  return [times, ...lines]
}

/** When nothing was answered though it was asked, as spans of whole steps. */
export const silences = (samples: ReadonlyArray<Sample>, stepMs: number): ReadonlyArray<Span> => {
  const spans: Array<[number, number]> = []
  for (const { answered, asked, at } of samples) {
    if (asked === 0 || answered > 0) continue
    const [from, to] = [at / 1000, (at + stepMs) / 1000]
    const last = spans.at(-1)
    if (last !== undefined && last[1] === from) last[1] = to
    else spans.push([from, to])
  }
  return spans
}

/** A cell of the strip: how much of what was asked then was answered. */
export interface Cell {
  readonly span: Span
  readonly asked: number
  readonly answered: number
}

/** The span in so many cells of one length. */
export const cellsOf = (samples: ReadonlyArray<Sample>, [from, to]: Span, count: number): ReadonlyArray<Cell> => {
  const length = (to - from) / count
  const cells = Array.from({ length: count }, (_, i) => ({
    span: [from + i * length, from + (i + 1) * length] as const,
    asked: 0,
    answered: 0
  }))
  for (const { answered, asked, at } of samples) {
    const cell = cells[Math.min(count - 1, Math.max(0, Math.floor((at / 1000 - from) / length)))]!
    cell.asked += asked
    cell.answered += answered
  }
  return cells
}
