/**
 * What a target's answers of one hour come to: twelve buckets of five minutes, whose sums make up the hour. Sums are whole numbers, so
 * that what is added up in steps is what would have been added up at once.
 *
 * @module
 */

/** Length of a bucket. */
export const BUCKET_MS = 300_000
/** What one row of the store covers. */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const BUCKETS = HOUR_MS / BUCKET_MS

/** The numbers of a bucket, and of an hour, in the order in which they are packed. Round trips are in µs. */
export const FIELDS = [
  "asked",
  "answered",
  "playersMin",
  "playersMax",
  "playersSum",
  "botsSum",
  "rttCount",
  "rttMin",
  "rttMax",
  "rttSum"
] as const

/** What a bucket or an hour comes to. */
export type Totals = Record<(typeof FIELDS)[number], number>

const WIDTH = FIELDS.length
const [ASKED, ANSWERED, PLAYERS_MIN, PLAYERS_MAX, PLAYERS_SUM, BOTS_SUM, RTT_COUNT, RTT_MIN, RTT_MAX, RTT_SUM] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9
]

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

/** An hour of one target. */
export class HourSamples {
  /** When the hour began, in ms. */
  readonly hour: number
  private readonly values: Float64Array

  constructor(hour: number, values = new Float64Array(BUCKETS * WIDTH)) {
    this.hour = hour
    this.values = values
  }

  /** Adds a turn; no answer where there was none. */
  add(atMs: number, counted: Counted | undefined): void {
    const { values } = this
    const at = Math.floor((atMs - this.hour) / BUCKET_MS) * WIDTH
    values[at + ASKED]!++
    if (counted === undefined) return
    const { bots, players, rttMs } = counted
    const isFirst = values[at + ANSWERED]!++ === 0
    values[at + PLAYERS_MIN] = isFirst ? players : Math.min(values[at + PLAYERS_MIN]!, players)
    values[at + PLAYERS_MAX] = Math.max(values[at + PLAYERS_MAX]!, players)
    values[at + PLAYERS_SUM]! += players
    values[at + BOTS_SUM]! += bots
    if (rttMs === undefined) return
    const rtt = Math.round(rttMs * 1000)
    values[at + RTT_MIN] = values[at + RTT_COUNT]!++ === 0 ? rtt : Math.min(values[at + RTT_MIN]!, rtt)
    values[at + RTT_MAX] = Math.max(values[at + RTT_MAX]!, rtt)
    values[at + RTT_SUM]! += rtt
  }

  /** What a bucket comes to; `undefined` where nothing was asked. */
  bucket(index: number): Totals | undefined {
    const at = index * WIDTH
    return this.values[at + ASKED] === 0
      ? undefined
      : (Object.fromEntries(FIELDS.map((field, i) => [field, this.values[at + i]!])) as Totals)
  }

  /** What the hour comes to. */
  total(): Totals {
    const sums = Object.fromEntries(FIELDS.map((field) => [field, 0])) as Totals
    for (let index = 0; index < BUCKETS; index++) {
      const bucket = this.bucket(index)
      if (bucket !== undefined) addTo(sums, bucket)
    }
    return sums
  }

  /** The twelve buckets as bytes: per bucket its numbers, 7 bits a byte, and one zero for a bucket in which nothing was asked. */
  pack(): Uint8Array {
    const bytes: Array<number> = []
    for (let at = 0; at < this.values.length; at += WIDTH) {
      const width = this.values[at + ASKED] === 0 ? 1 : WIDTH
      for (let field = 0; field < width; field++) putNumber(bytes, this.values[at + field]!)
    }
    return Uint8Array.from(bytes)
  }

  /** Reads back what {@link pack} gave. */
  static unpack(hour: number, bytes: Uint8Array): HourSamples {
    const samples = new HourSamples(hour)
    let from = 0
    const next = (): number => {
      let value = 0
      for (let unit = 1; from < bytes.length; unit *= 128) {
        const byte = bytes[from++]!
        value += (byte & 127) * unit
        if (byte < 128) break
      }
      return value
    }
    for (let at = 0; at < samples.values.length; at += WIDTH) {
      const asked = next()
      if (asked === 0) continue
      samples.values[at] = asked
      for (let field = 1; field < WIDTH; field++) samples.values[at + field] = next()
    }
    return samples
  }
}

const putNumber = (bytes: Array<number>, value: number): void => {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
}

/** When the hour of a time began. */
export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS
