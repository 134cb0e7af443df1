/** How a server was over a day, a week or a month. */
import type { Sample } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/playground/widgets"
import { place, setParameters } from "../address.ts"
import { ask, useRepeatedly } from "../ask.ts"
import { ZONE } from "../words.ts"
import { Plot } from "./Plot.tsx"
import { cellsOf, seriesOf, silences, type Span } from "./series.ts"
import { Strip } from "./Strip.tsx"

const DAY_MS = 86_400_000
const SPANS = { "1": "Day", "7": "Week", "30": "Month" } as const

/** A step takes five minutes, so looking twice a minute misses nothing. */
const LEAST_MS = 30_000

/** Cells of the strip: half an hour of a day, two hours of a week, half a day of a month. */
const CELLS = { "1": 48, "7": 84, "30": 60 } as const

interface Past {
  readonly stepMs: number
  readonly samples: ReadonlyArray<Sample>
  readonly span: Span
  /** As its locations had it, where there are several. */
  readonly apart: ReadonlyArray<{ readonly location: string; readonly samples: ReadonlyArray<Sample> }>
}

type Told = Pick<Past, "stepMs" | "samples">

const around = (of: "players" | "rttMs") => (sample: Sample) => [sample[of]?.mean, sample[of]?.max, sample[of]?.min]

const availability = ({ answered, asked }: Sample): ReadonlyArray<number | undefined> => [
  asked === 0 ? undefined : (100 * answered) / asked
]

const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 1 : 0))

/** `22` or `20 to 24`. */
const range = (from: number, to: number): string =>
  rounded(from) === rounded(to) ? String(rounded(to)) : `${rounded(from)} to ${rounded(to)}`

const spread = (samples: ReadonlyArray<Sample>, of: "players" | "rttMs", unit: string): string => {
  const known = samples.flatMap((sample) => sample[of] ?? [])
  if (known.length === 0) return "nothing known"
  const least = known.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY)
  const most = known.reduce((most, { max }) => Math.max(most, max), 0)
  return range(least, most) + unit
}

const percent = (value: number): string => `${value.toFixed(value === 100 || value === 0 ? 0 : 2)} %`

const share = (samples: ReadonlyArray<Sample>): string => {
  const asked = samples.reduce((sum, sample) => sum + sample.asked, 0)
  const answered = samples.reduce((sum, sample) => sum + sample.answered, 0)
  return asked === 0 ? "nothing known" : percent((100 * answered) / asked)
}

/** What is said of a moment: mean, and least to most where they differ. */
const saying =
  (unit: string) =>
  ([mean, most, least]: ReadonlyArray<number | null>): string => {
    if (mean === null || mean === undefined) return "no answer"
    const between = rounded(least ?? mean) === rounded(most ?? mean) ? "" : ` (${range(least ?? mean, most ?? mean)})`
    return `${rounded(mean)}${unit}${between}`
  }

const sayShare = ([value]: ReadonlyArray<number | null>): string =>
  value === null || value === undefined ? "not asked" : `${percent(value)} answered`

interface HistoryProps {
  readonly id: string
  /** Those that ask it, where they are several. */
  readonly locations: ReadonlyArray<string>
}

export const History = ({ id, locations }: HistoryProps) => {
  const wanted = place.value.parameters.get("days") ?? "1"
  const days = Object.hasOwn(SPANS, wanted) ? (wanted as keyof typeof SPANS) : "1"
  const past = useSignal<Past | undefined>(undefined)
  const trouble = useRepeatedly(
    async (signal) => {
      const to = Date.now()
      const from = to - Number(days) * DAY_MS
      const samplesOf = (more = "") => ask<Told>(`targets/${id}/samples?from=${from}&to=${to}${more}`, signal)
      const told = await samplesOf()
      const apart = locations.map(async (location) => {
        const { samples } = await samplesOf(`&location=${encodeURIComponent(location)}`)
        return { location, samples }
      })
      past.value = { ...told, span: [from / 1000, to / 1000], apart: await Promise.all(apart) }
    },
    [days, locations.join()],
    { leastMs: LEAST_MS }
  )
  return (
    <section aria-label="History">
      <div class="spans" role="group" aria-label="Over how long">
        {Object.entries(SPANS).map(([value, title]) => (
          <Button
            key={value}
            aria-pressed={days === value}
            onClick={() => setParameters({ days: value === "1" ? "" : value })}
          >
            {title}
          </Button>
        ))}
        <span class="quiet">Times in {ZONE}</span>
      </div>
      <Alert text={trouble} />
      {past.value !== undefined && <Plots {...past.value} cells={CELLS[days]} />}
    </section>
  )
}

const Plots = ({ apart, cells, samples, span, stepMs }: Past & { readonly cells: number }) => {
  if (samples.length === 0)
    return <p class="notice">Nothing was asked in this time yet: the plots fill as turns come.</p>
  const common = { span, silences: silences(samples, stepMs) }
  const measured = (of: "players" | "rttMs", unit: string, some = samples) => ({
    summary: spread(some, of, unit),
    say: saying(unit),
    unit: unit.trim(),
    data: seriesOf(some, stepMs, around(of))
  })
  return (
    <>
      <Strip cells={cellsOf(samples, span, cells)} summary={`Answered: ${share(samples)}`} />
      <div class="plots">
        <Plot {...common} {...measured("players", "")} title="Players" whole />
        {apart.length === 0 && <Plot {...common} {...measured("rttMs", " ms")} title="Round trip" />}
        <Plot
          {...common}
          title="Availability"
          summary={share(samples)}
          say={sayShare}
          unit="%"
          data={seriesOf(samples, stepMs, availability)}
          most={100}
        />
        {apart.map(({ location, samples }) => (
          <Plot
            {...measured("rttMs", " ms", samples)}
            key={location}
            span={span}
            silences={silences(samples, stepMs)}
            title={`Round trip from ${location}`}
          />
        ))}
      </div>
    </>
  )
}
