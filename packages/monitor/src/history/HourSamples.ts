/**
 * What a target's answers of one hour come to: twelve buckets of five minutes, whose sums make up the hour. Sums are whole numbers, so
 * that what is added up in steps is what would have been added up at once.
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

/** Length of a bucket. */
export const BUCKET_MS = 300_000
/** What one row of the store covers. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const BUCKETS = HOUR_MS / BUCKET_MS

/** Bytes that the time of a bucket takes at most: its kind and three numbers below 2³⁵. */
const MOST_TIME = 16

/** Buckets are packed one after the other into the same bytes. */
const packing: Packing = { bytes: new Uint8Array(BUCKETS * (MOST_PACKED + MOST_TIME)), length: 0 }

/** More players than this are counted as so many: a server may claim any number, and the store's columns have an end. */
export const MOST_PLAYERS = 32_767

/** One answer. */
export interface Counted {
  readonly players: number
  readonly bots: number
  /** Absent where it is a guess. */
  readonly rttMs: number | undefined
}

/** The least of two, one of which may have counted nothing. */
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

/** What one turn comes to. */
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

/** An hour of one target. */
export class HourSamples {
  /** When the hour began, in ms. */
  readonly hour: number
  private readonly buckets: Array<Totals | undefined>
  /** By bucket; a bucket without monitored time has none. */
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

  /** Adds a turn; no answer where there was none. A turn that comes before the hour, by a clock that was set back, is in its first bucket. */
  add(atMs: number, counted: Counted | undefined): void {
    const index = Math.max(0, Math.floor((atMs - this.hour) / BUCKET_MS))
    addTo((this.buckets[index] ??= nothing()), makeTotals(counted))
  }

  /** Counts the part of a period that lies in this hour. A clock that was set back makes no bucket longer than it is. */
  addTime(state: TimedState, fromMs: number, toMs: number): void {
    const [from, to] = [Math.max(0, fromMs - this.hour), Math.min(HOUR_MS, toMs - this.hour)]
    for (let index = Math.floor(from / BUCKET_MS); index * BUCKET_MS < to; index++) {
      const start = index * BUCKET_MS
      const time = (this.times[index] ??= noTime())
      const room = BUCKET_MS - time.up - time.down - time.muted
      time[state] += Math.min(room, Math.min(to, start + BUCKET_MS) - Math.max(from, start))
    }
  }

  /** What a bucket comes to; `undefined` where nothing was asked. */
  bucket(index: number): Totals | undefined {
    return this.buckets[index]
  }

  /** The time in each state of a bucket; `undefined` if none of it was monitored. */
  timeOf(index: number): Readonly<StateTime> | undefined {
    return this.times[index]
  }

  /** What the hour comes to. */
  total(): Totals {
    const sums = nothing()
    for (const bucket of this.buckets) if (bucket !== undefined) addTo(sums, bucket)
    return sums
  }

  /** The time in each state of the hour. */
  totalTime(): StateTime {
    const sums = noTime()
    for (const time of this.times) if (time !== undefined) addTime(sums, time)
    return sums
  }

  /** The twelve buckets as bytes, and behind them their times, which programs of earlier releases don't read. */
  pack(): Uint8Array {
    packing.length = 0
    for (const bucket of this.buckets) packBucket(bucket, packing)
    for (const time of this.times) packTime(time, BUCKET_MS, packing)
    // Zeroes at the end are what a reader finds behind the end, too.
    while (packing.length > 0 && packing.bytes[packing.length - 1] === 0) packing.length--
    return packing.bytes.slice(0, packing.length)
  }

  /** Reads back what {@link pack} gave. */
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

/** When the hour of a time began. */
export const startOfHour = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS
