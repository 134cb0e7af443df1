/** How a server was over a day, a week or a month. */
import type { Sample } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/playground/widgets"
import { place, setParameters } from "../address.ts"
import { ask, useRepeatedly } from "../ask.ts"
import { ZONE } from "../words.ts"
import { AVAILABILITY, PLAYERS, ROUND_TRIP } from "./measures.ts"
import { Plot } from "./Plot.tsx"
import { cellsOf, type Span } from "./series.ts"
import { Strip } from "./Strip.tsx"

const DAY_MS = 86_400_000
/** By days: the title, and the cells of the strip, of half an hour, two hours or half a day. */
const SPANS = { "1": ["Day", 48], "7": ["Week", 84], "30": ["Month", 60] } as const

/** A step takes five minutes, so looking twice a minute misses nothing. */
const LEAST_MS = 30_000

interface Past {
  readonly stepMs: number
  readonly samples: ReadonlyArray<Sample>
  readonly span: Span
  /** As its locations had it, where there are several. */
  readonly apart: ReadonlyArray<{ readonly location: string; readonly samples: ReadonlyArray<Sample> }>
}

type Told = Pick<Past, "stepMs" | "samples">

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
        {Object.entries(SPANS).map(([value, [title]]) => (
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
      {past.value !== undefined && <Plots {...past.value} cells={SPANS[days][1]} />}
    </section>
  )
}

const Plots = ({ apart, cells, samples, span, stepMs }: Past & { readonly cells: number }) => {
  if (samples.length === 0)
    return <p class="notice">Nothing was asked in this time yet: the plots fill as turns come.</p>
  const common = { samples, span, stepMs }
  return (
    <>
      <Strip cells={cellsOf(samples, span, cells)} summary={`Answered: ${AVAILABILITY.summary(samples)}`} />
      <div class="plots">
        <Plot {...common} {...PLAYERS} />
        {apart.length === 0 && <Plot {...common} {...ROUND_TRIP} />}
        <Plot {...common} {...AVAILABILITY} />
        {apart.map(({ location, samples }) => (
          <Plot key={location} {...common} {...ROUND_TRIP} samples={samples} title={`Round trip from ${location}`} />
        ))}
      </div>
    </>
  )
}
