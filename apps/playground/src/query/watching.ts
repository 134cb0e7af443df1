/** Looks at one server again and again. Keeps the last hour and no more, however long the page stays open. */
import type { Sample } from "../../bridge/Api.ts"
import { signal } from "@preact/signals"
import { address } from "./exchange.ts"
import { Live } from "./live.ts"

export interface Look {
  /** Seconds since the watch began. */
  readonly at: number
  /** Absent where it is but a guess. */
  readonly rttMs?: number
  readonly players?: number
}

/** Looks that are kept: an hour, one each second. */
export const MAX_LOOKS = 3600

export const looks = signal<ReadonlyArray<Look>>([])

export const latest = signal<Sample | undefined>(undefined)

/** How many looks there were in all, and how many of them without an answer. */
export const counts = signal({ all: 0, lost: 0 })

/** The watch under way, or the last one. */
export const live = new Live()

export const withLook = (kept: ReadonlyArray<Look>, look: Look): ReadonlyArray<Look> => [
  ...kept.slice(1 - MAX_LOOKS),
  look
]

export const watch = async (intervalMs: number): Promise<void> => {
  looks.value = []
  latest.value = undefined
  counts.value = { all: 0, lost: 0 }
  await live.follow<Sample>("/watch", { address: address.value.trim(), intervalMs }, (sample) => {
    latest.value = sample
    const { all, lost } = counts.value
    counts.value = { all: all + 1, lost: lost + (sample.error === undefined ? 0 : 1) }
    looks.value = withLook(looks.value, {
      at: sample.timeMs / 1000,
      ...(sample.rttMs === undefined || sample.rttAmbiguous === true ? {} : { rttMs: sample.rttMs }),
      ...(sample.summary === undefined ? {} : { players: sample.summary.players })
    })
  })
}
