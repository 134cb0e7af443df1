/**
 * What a target's answers of one hour come to: twelve buckets of five minutes, whose sums make up the hour. Sums are whole numbers, so
 * that what is added up in steps is what would have been added up at once.
 */
import { MOST_PACKED, nothing, numbersOf, packBucket, type Packing, type Totals, unpackBucket } from "./packedBucket.ts"

/** Length of a bucket. */
export const BUCKET_MS = 300_000
/** What one row of the store covers. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const BUCKETS = HOUR_MS / BUCKET_MS

/** What is packed one after the other, without an array for each. */
const packing: Packing = { bytes: new Uint8Array(BUCKETS * MOST_PACKED), length: 0 }

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
const totalsOf = (counted: Counted | undefined): Totals => {
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

  constructor(hour: number, buckets = Array.from({ length: BUCKETS }, (): Totals | undefined => undefined)) {
    this.hour = hour
    this.buckets = buckets
  }

  /** Adds a turn; no answer where there was none. */
  add(atMs: number, counted: Counted | undefined): void {
    addTo((this.buckets[Math.floor((atMs - this.hour) / BUCKET_MS)] ??= nothing()), totalsOf(counted))
  }

  /** What a bucket comes to; `undefined` where nothing was asked. */
  bucket(index: number): Totals | undefined {
    return this.buckets[index]
  }

  /** What the hour comes to. */
  total(): Totals {
    const sums = nothing()
    for (const bucket of this.buckets) if (bucket !== undefined) addTo(sums, bucket)
    return sums
  }

  /** The twelve buckets as bytes. */
  pack(): Uint8Array {
    packing.length = 0
    for (const bucket of this.buckets) packBucket(bucket, packing)
    return packing.bytes.slice(0, packing.length)
  }

  /** Reads back what {@link pack} gave. */
  static unpack(hour: number, bytes: Uint8Array): HourSamples {
    const next = numbersOf(bytes)
    return new HourSamples(
      hour,
      Array.from({ length: BUCKETS }, () => unpackBucket(next))
    )
  }
}

/** When the hour of a time began. */
export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS
