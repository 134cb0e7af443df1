/** Rows of the database in memory. */
import { HourSamples } from "../../src/history/HourSamples.ts"
import type { changeToRow, encodeHourRow, incidentToRow } from "../../src/store/rows.ts"
import type { Batch } from "../../src/store/Store.ts"
import type { Known } from "../../src/watch/Watched.ts"

/** A row of `change`. */
export type ChangeRow = ReturnType<typeof changeToRow>
/** A row of `incident`. */
export type IncidentRow = ReturnType<typeof incidentToRow>
/** A row of `sample`. */
export type SampleRow = ReturnType<typeof encodeHourRow>
/** A row of `latest`. The row refers to the reply object of the monitor, because replies are immutable and need no copy. */
export type KnownRow = Omit<Known, "hour" | "earlier"> & {
  readonly target: number
  readonly slice: number
  readonly hour: number | undefined
  /** The bytes are stored as characters, because a million small arrays would need ten times as much memory. */
  readonly samples: string | undefined
  /** Whether the reply is already stored. If so, the row does not contain the reply. */
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
