/** How a server was over a day, a week or a month. */
import type { Sample } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { place, setParameters } from "../address.ts"
import { ask, useRepeatedly } from "../ask.ts"
import { Plot } from "./Plot.tsx"
import { seriesOf } from "./series.ts"

const DAY_MS = 86_400_000
const SPANS = { "1": "Day", "7": "Week", "30": "Month" } as const

/** A step takes five minutes, so looking twice a minute misses nothing. */
const LEAST_MS = 30_000

interface Past {
  readonly stepMs: number
  readonly samples: ReadonlyArray<Sample>
}

const around = (of: "players" | "rttMs") => (sample: Sample) => [sample[of]?.mean, sample[of]?.max, sample[of]?.min]

const availability = ({ answered, asked }: Sample): ReadonlyArray<number | undefined> => [
  asked === 0 ? undefined : (100 * answered) / asked
]

const spread = (samples: ReadonlyArray<Sample>, of: "players" | "rttMs", unit: string): string => {
  const known = samples.flatMap((sample) => sample[of] ?? [])
  if (known.length === 0) return "nothing known"
  const least = known.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY)
  const most = known.reduce((most, { max }) => Math.max(most, max), 0)
  const [from, to] = [least, most].map((value) => Number(value.toFixed(1)))
  return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`
}

const share = (samples: ReadonlyArray<Sample>): string => {
  const asked = samples.reduce((sum, sample) => sum + sample.asked, 0)
  const answered = samples.reduce((sum, sample) => sum + sample.answered, 0)
  return asked === 0 ? "nothing known" : `${((100 * answered) / asked).toFixed(answered === asked ? 0 : 2)} %`
}

/** The plots of one server. */
export const History = ({ id }: { readonly id: string }) => {
  const wanted = place.value.parameters.get("days") ?? "1"
  const days = Object.hasOwn(SPANS, wanted) ? wanted : "1"
  const past = useSignal<Past | undefined>(undefined)
  const span = useSignal<readonly [number, number]>([0, 1])
  const trouble = useSignal<string | undefined>(undefined)
  useRepeatedly(
    async (signal) => {
      const to = Date.now()
      const from = to - Number(days) * DAY_MS
      past.value = await ask<Past>(`targets/${id}/samples?from=${from}&to=${to}`, signal)
      span.value = [from / 1000, to / 1000]
    },
    (told) => void (trouble.value = told),
    [days],
    LEAST_MS
  )
  const { samples, stepMs } = past.value ?? { samples: [], stepMs: 1 }
  return (
    <section aria-label="History">
      <div class="spans" role="group" aria-label="Over how long">
        {Object.entries(SPANS).map(([value, title]) => (
          <button
            key={value}
            type="button"
            aria-pressed={days === value}
            onClick={() => setParameters({ days: value === "1" ? "" : value })}
          >
            {title}
          </button>
        ))}
      </div>
      {trouble.value !== undefined && <p class="notice wrong">{trouble.value}</p>}
      {past.value !== undefined && samples.length === 0 && (
        <p class="notice">Nothing was asked in this time yet: the plots fill as turns come.</p>
      )}
      {past.value !== undefined && (
        <div class="plots">
          <Plot
            title="Players"
            summary={spread(samples, "players", "")}
            labels={["mean", "most", "least"]}
            unit=""
            data={seriesOf(samples, stepMs, around("players"))}
            span={span.value}
          />
          <Plot
            title="Round trip"
            summary={spread(samples, "rttMs", " ms")}
            labels={["mean", "longest", "shortest"]}
            unit="ms"
            data={seriesOf(samples, stepMs, around("rttMs"))}
            span={span.value}
          />
          <Plot
            title="Availability"
            summary={share(samples)}
            labels={["answered"]}
            unit="%"
            data={seriesOf(samples, stepMs, availability)}
            span={span.value}
            most={100}
          />
        </div>
      )}
    </section>
  )
}
