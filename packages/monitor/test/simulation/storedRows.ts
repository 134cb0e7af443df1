/** Rows of the database in memory. */
import { HourSamples } from "../../src/history/HourSamples.ts"
import type { rowOfChange, encodeHourRow, rowOfIncident } from "../../src/store/rows.ts"
import type { Batch } from "../../src/store/Store.ts"
import type { Known } from "../../src/watch/Watched.ts"

/** A row of `change`. */
export type ChangeRow = ReturnType<typeof rowOfChange>
/** A row of `incident`. */
export type IncidentRow = ReturnType<typeof rowOfIncident>
/** A row of `sample`. */
export type SampleRow = ReturnType<typeof encodeHourRow>
/** What `latest` has of a target. Answers are never changed once they are there, so they need no copy. */
export type KnownRow = Omit<Known, "hour" | "earlier"> & {
  readonly target: number
  readonly slice: number
  readonly hour: number | undefined
  /** Bytes as characters: a million arrays of a few bytes would take ten times as much. */
  readonly samples: string | undefined
  /** Its answer is the one that is there already. */
  readonly hasAnswer: boolean
}

export const encodeRow = ({
  hasAnswer = false,
  known: { earlier: _earlier, ...known },
  slice,
  target
}: Batch["known"][number]): KnownRow => ({
  ...known,
  target,
  slice,
  hasAnswer,
  hour: known.hour?.hour,
  samples: known.hour && Buffer.from(known.hour.pack()).toString("latin1")
})

export const encodeKnown = ({
  hasAnswer: _hasAnswer,
  hour,
  samples,
  slice: _slice,
  target: _target,
  ...known
}: KnownRow): Known => ({
  ...known,
  earlier: undefined,
  hour: hour === undefined ? undefined : HourSamples.unpack(hour, Buffer.from(samples!, "latin1"))
})
