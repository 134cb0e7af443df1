/** Samples as the plots want them: times and values, with a gap where nothing was asked. */
import type { Sample } from "@sourcewire/monitor/api"

/** Times in seconds, then one list of values per line. */
export type Series = [Array<number>, ...Array<Array<number | null>>]

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
