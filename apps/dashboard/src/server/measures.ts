/** The measures that plots can show. A measure reads values from samples, and formats these values as text. */
import type { Sample } from "@sourcewire/monitor/api"
import { percent } from "../words.ts"

/** A measure, such as the number of players or the RTT. */
export interface Measure {
  readonly title: string
  /**
   * The values in a sample. The first value is drawn as a line. The second and the third value are the limits of an area around the line.
   */
  readonly values: (sample: Sample) => ReadonlyArray<number | undefined>
  /** A short text about all samples of a plot, such as the lowest and the highest value. */
  readonly summary: (samples: ReadonlyArray<Sample>) => string
  /** A text with the values of one sample, or with the reason why there are no values. */
  readonly formatValues: (values: ReadonlyArray<number | null>) => string
  /** The highest value of the scale, if the scale is fixed. */
  readonly most?: number
  /** The unit of the numbers at the axis. */
  readonly axisUnit?: string
  /** Whether the numbers at the axis are whole numbers. */
  readonly whole?: boolean
}

const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 1 : 0))

/** A range as text, such as `20 to 24`. If its two ends are equal after rounding, the text contains only one number, such as `22`. */
const range = (from: number, to: number): string =>
  rounded(from) === rounded(to) ? String(rounded(to)) : `${rounded(from)} to ${rounded(to)}`

/**
 * A measure with the mean, the maximum and the minimum of each sample. The text of a sample contains the mean. If the minimum and the
 * maximum differ after rounding, the text also contains them in parentheses.
 */
const spread = (of: "players" | "rttMs", title: string, unit = ""): Measure => ({
  title,
  values: (sample) => [sample[of]?.mean, sample[of]?.max, sample[of]?.min],
  summary: (samples) => {
    const known = samples.flatMap((sample) => sample[of] ?? [])
    if (known.length === 0) return "no data"
    return range(Math.min(...known.map(({ min }) => min)), Math.max(...known.map(({ max }) => max))) + unit
  },
  formatValues: ([mean = null, most, least]) => {
    if (mean === null) return "no reply"
    const isOne = rounded(least ?? mean) === rounded(most ?? mean)
    return `${rounded(mean)}${unit}${isOne ? "" : ` (${range(least ?? mean, most ?? mean)})`}`
  }
})

export const PLAYERS: Measure = { ...spread("players", "Players"), whole: true }

export const ROUND_TRIP = spread("rttMs", "RTT", " ms")

/** The availability in percent: the time in which the server was up, as a share of the time in which it was up or down. */
const computeAvailability = (upMs: number, downMs: number): number | undefined =>
  upMs + downMs === 0 ? undefined : (100 * upMs) / (upMs + downMs)

export const AVAILABILITY: Measure = {
  title: "Availability",
  values: ({ downMs, upMs }) => [computeAvailability(upMs, downMs)],
  summary: (samples) => {
    const sum = (of: "upMs" | "downMs"): number => samples.reduce((all, sample) => all + sample[of], 0)
    const share = computeAvailability(sum("upMs"), sum("downMs"))
    return share === undefined ? "not monitored" : percent(share)
  },
  formatValues: ([value = null]) => (value === null ? "not monitored" : `${percent(value)} up`),
  most: 100,
  axisUnit: " %"
}
