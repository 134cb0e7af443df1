/**
 * The samples of one target in one hour: twelve buckets of five minutes, and their sums for the hour. All sums are integers. Therefore the
 * sums do not depend on the order in which samples are added.
 */
import { addTime, noTime, packTime, type StateTime, type TimedState, unpackTime } from "./StateTime.ts"
import {
  MOST_PACKED,
  nothing,
  numberReader,
  packBucket,
  type Packing,
  type Totals,
  unpackBucket
} from "./packedBucket.ts"

export const BUCKET_MS = 300_000
/** The period that one row of the history covers in the store. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const BUCKETS = HOUR_MS / BUCKET_MS

/**
 * Maximum size of the packed times of a bucket, in bytes: one byte for the code (see {@link packTime}), and at most five bytes for each of
 * the three times, which are below 2³⁵.
 */
const MOST_TIME = 16

/** The buffer into which an hour is packed. All calls of `pack` can use this buffer, because each call returns a copy of its result. */
const packing: Packing = { bytes: new Uint8Array(BUCKETS * (MOST_PACKED + MOST_TIME)), length: 0 }

/**
 * Maximum player count in the store. If a server reports a larger count, the monitor stores this maximum instead, because the store's
 * columns have a limited range.
 */
export const MOST_PLAYERS = 32_767

/** The player counts and the RTT of one reply. */
export interface Counted {
  readonly players: number
  readonly bots: number
  /** `undefined` if the RTT is ambiguous. */
  readonly rttMs: number | undefined
}

/**
 * Returns the smaller of the minima `a` and `b`. `a` is the minimum of `countedA` values, and `b` is the minimum of `countedB` values. If
 * `countedA` or `countedB` is 0, the result is the other minimum.
 */
const least = (a: number, countedA: number, b: number, countedB: number): number =>
  countedA === 0 ? b : countedB === 0 ? a : Math.min(a, b)

const addTo = (sums: Totals, more: Totals): void => {
  sums.playersMin = least(sums.playersMin, sums.answered, more.playersMin, more.answered)
  sums.rttMin = least(sums.rttMin, sums.rttCount, more.rttMin, more.rttCount)
  sums.playersMax = Math.max(sums.playersMax, more.playersMax)
  sums.rttMax = Math.max(sums.rttMax, more.rttMax)
  for (const field of ["asked", "answered", "playersSum", "botsSum", "rttCount", "rttSum"] as const) {
    sums[field] += more[field]
  }
}

/** Creates the totals of a single check. `counted` is `undefined` if the server did not reply. */
const makeTotals = (counted: Counted | undefined): Totals => {
  if (counted === undefined) return { ...nothing(), asked: 1 }
  const players = Math.min(counted.players, MOST_PLAYERS)
  const rtt = Math.round((counted.rttMs ?? 0) * 1000)
  return {
    asked: 1,
    answered: 1,
    playersMin: players,
    playersMax: players,
    playersSum: players,
    botsSum: Math.min(counted.bots, players),
    rttCount: counted.rttMs === undefined ? 0 : 1,
    rttMin: rtt,
    rttMax: rtt,
    rttSum: rtt
  }
}

/** The samples of one target in one hour. */
export class HourSamples {
  /** When the hour began, in ms. */
  readonly hour: number
  private readonly buckets: Array<Totals | undefined>
  /** The time in each state, by bucket. `undefined` means that the target was not monitored during the bucket. */
  private readonly times: Array<StateTime | undefined>

  constructor(
    hour: number,
    buckets = Array.from({ length: BUCKETS }, (): Totals | undefined => undefined),
    times = Array.from({ length: BUCKETS }, (): StateTime | undefined => undefined)
  ) {
    this.hour = hour
    this.buckets = buckets
    this.times = times
  }

  /**
   * Adds a check. `counted` is `undefined` if the server did not reply. If the clock was set back, `atMs` may be before the start of this
   * hour. Then the check is added to the first bucket.
   */
  add(atMs: number, counted: Counted | undefined): void {
    const index = Math.max(0, Math.floor((atMs - this.hour) / BUCKET_MS))
    addTo((this.buckets[index] ??= nothing()), makeTotals(counted))
  }

  /**
   * Adds the time from `fromMs` to `toMs` to the time in `state`. Time outside this hour is ignored. If the clock was set back, callers may
   * add the same time twice. Therefore the total time in a bucket is limited to the length of the bucket.
   */
  addTime(state: TimedState, fromMs: number, toMs: number): void {
    const [from, to] = [Math.max(0, fromMs - this.hour), Math.min(HOUR_MS, toMs - this.hour)]
    for (let index = Math.floor(from / BUCKET_MS); index * BUCKET_MS < to; index++) {
      const start = index * BUCKET_MS
      const time = (this.times[index] ??= noTime())
      const room = BUCKET_MS - time.up - time.down - time.muted
      time[state] += Math.min(room, Math.min(to, start + BUCKET_MS) - Math.max(from, start))
    }
  }

  /** Returns the totals of a bucket; `undefined` if no check happened in the bucket. */
  bucket(index: number): Totals | undefined {
    return this.buckets[index]
  }

  /**
   * Returns the time that the target spent in each state during a bucket. If the target was not monitored during the bucket, the result is
   * `undefined`.
   */
  timeOf(index: number): Readonly<StateTime> | undefined {
    return this.times[index]
  }

  total(): Totals {
    const sums = nothing()
    for (const bucket of this.buckets) if (bucket !== undefined) addTo(sums, bucket)
    return sums
  }

  /** Returns the time that the target spent in each state during the hour. */
  totalTime(): StateTime {
    const sums = noTime()
    for (const time of this.times) if (time !== undefined) addTime(sums, time)
    return sums
  }

  /**
   * Packs the totals of the twelve buckets, followed by the times in each state of the twelve buckets. The times are after the totals,
   * because earlier releases read only the totals.
   */
  pack(): Uint8Array {
    packing.length = 0
    for (const bucket of this.buckets) packBucket(bucket, packing)
    for (const time of this.times) packTime(time, BUCKET_MS, packing)
    // Zeros at the end are not stored, because `numberReader` returns zeros after the last byte.
    while (packing.length > 0 && packing.bytes[packing.length - 1] === 0) packing.length--
    return packing.bytes.slice(0, packing.length)
  }

  /** Creates the samples of an hour from the bytes that {@link pack} returned. */
  static unpack(hour: number, bytes: Uint8Array): HourSamples {
    const next = numberReader(bytes)
    const buckets = Array.from({ length: BUCKETS }, () => unpackBucket(next))
    return new HourSamples(
      hour,
      buckets,
      Array.from({ length: BUCKETS }, () => unpackTime(BUCKET_MS, next))
    )
  }
}

/** Returns the start of the hour that contains `atMs`. */
export const startOfHour = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS
