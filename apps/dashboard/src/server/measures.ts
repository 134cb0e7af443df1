/** What the plots of a server show of its samples: numbers, and what is said of them. */
import type { Sample } from "@sourcewire/monitor/api"

/** What is measured, turn by turn. */
export interface Measure {
  readonly title: string
  /** Of a sample: the first is drawn as a line; a second and third bound an area around it. */
  readonly values: (sample: Sample) => ReadonlyArray<number | undefined>
  /** What is said of all samples. */
  readonly summary: (samples: ReadonlyArray<Sample>) => string
  /** What is said of a moment: the values there. */
  readonly say: (values: ReadonlyArray<number | null>) => string
  /** The top of the scale, where it is always the same. */
  readonly most?: number
  /** Behind the numbers at the axis. */
  readonly axisUnit?: string
  /** Only whole numbers stand at the axis. */
  readonly whole?: boolean
}

const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 1 : 0))

/** `22` or `20 to 24`. */
const range = (from: number, to: number): string =>
  rounded(from) === rounded(to) ? String(rounded(to)) : `${rounded(from)} to ${rounded(to)}`

/** A measure with its mean, and least to most where they differ. */
const spread = (of: "players" | "rttMs", title: string, unit = ""): Measure => ({
  title,
  values: (sample) => [sample[of]?.mean, sample[of]?.max, sample[of]?.min],
  summary: (samples) => {
    const known = samples.flatMap((sample) => sample[of] ?? [])
    if (known.length === 0) return "nothing known"
    return range(Math.min(...known.map(({ min }) => min)), Math.max(...known.map(({ max }) => max))) + unit
  },
  say: ([mean = null, most, least]) => {
    if (mean === null) return "no answer"
    const isOne = rounded(least ?? mean) === rounded(most ?? mean)
    return `${rounded(mean)}${unit}${isOne ? "" : ` (${range(least ?? mean, most ?? mean)})`}`
  }
})

export const PLAYERS: Measure = { ...spread("players", "Players"), whole: true }

export const ROUND_TRIP = spread("rttMs", "Round trip", " ms")

const percent = (value: number): string => `${value.toFixed(value === 100 || value === 0 ? 0 : 2)} %`

export const AVAILABILITY: Measure = {
  title: "Availability",
  values: ({ answered, asked }) => [asked === 0 ? undefined : (100 * answered) / asked],
  summary: (samples) => {
    const asked = samples.reduce((sum, sample) => sum + sample.asked, 0)
    const answered = samples.reduce((sum, sample) => sum + sample.answered, 0)
    return asked === 0 ? "nothing known" : percent((100 * answered) / asked)
  },
  say: ([value = null]) => (value === null ? "not asked" : `${percent(value)} answered`),
  most: 100,
  axisUnit: " %"
}
