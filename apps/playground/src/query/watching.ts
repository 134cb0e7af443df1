/**
 * Queries one server at an interval. Only the last `MAX_SAMPLES` results are stored, so that a page that stays open does not need more and
 * more memory.
 */
import type { Sample } from "../../bridge/Api.ts"
import { signal } from "@preact/signals"
import { type Span, united } from "@sourcewire/ui/spans"
import { address } from "./exchange.ts"
import { Live } from "./live.ts"

export interface WatchSample {
  /** When the query ended, as Unix time in seconds. */
  readonly at: number
  /** The round-trip time. Absent if the time is ambiguous or if there was no reply. */
  readonly rttMs?: number
  readonly players?: number
  /** Number of retransmitted requests. Absent if nothing was retransmitted. */
  readonly retransmissions?: number
  /** Whether there was no reply. */
  readonly isLost?: true
}

/** Maximum number of stored results: one result per second for an hour. */
export const MAX_SAMPLES = 3600

export const samples = signal<ReadonlyArray<WatchSample>>([])

export const latest = signal<Sample | undefined>(undefined)

/** Numbers since the start of the watch: queries (`all`), queries without a reply (`lost`), and retransmissions (`again`). */
export const counts = signal({ all: 0, lost: 0, again: 0 })

/** The current watch. If no watch runs, the most recent watch. */
export const live = new Live()

export const withSample = (kept: ReadonlyArray<WatchSample>, look: WatchSample): ReadonlyArray<WatchSample> => [
  ...kept.slice(1 - MAX_SAMPLES),
  look
]

/**
 * The periods in which the server did not reply. If a query has no reply, its period begins when the previous query ended, and ends when
 * this query ended. The periods of consecutive queries without a reply are joined.
 */
export const outages = (looks: ReadonlyArray<WatchSample>): ReadonlyArray<Span> =>
  united(looks.flatMap(({ at, isLost }, i) => (isLost === true ? [[looks[i - 1]?.at ?? at, at] as const] : [])))

export const watch = async (intervalMs: number): Promise<void> => {
  samples.value = []
  latest.value = undefined
  counts.value = { all: 0, lost: 0, again: 0 }
  const startMs = Date.now()
  await live.follow<Sample>("/watch", { address: address.value.trim(), intervalMs }, (sample) => {
    latest.value = sample
    const { again, all, lost } = counts.value
    const { retransmissions = 0 } = sample
    counts.value = {
      all: all + 1,
      lost: lost + (sample.error === undefined ? 0 : 1),
      again: again + retransmissions
    }
    samples.value = withSample(samples.value, {
      at: (startMs + sample.timeMs) / 1000,
      ...(sample.rttMs === undefined || sample.rttAmbiguous === true ? {} : { rttMs: sample.rttMs }),
      ...(sample.summary === undefined ? {} : { players: sample.summary.players }),
      ...(retransmissions === 0 ? {} : { retransmissions }),
      ...(sample.error === undefined ? {} : { isLost: true as const })
    })
  })
}
