/**
 * Packs the totals of a bucket into few bytes. Four of the numbers are 0 in most buckets. Each of these four numbers has a flag of one bit,
 * and is stored only if it is not 0. Small numbers need fewer bytes than large numbers. Therefore the difference between the maximum and
 * the minimum is stored instead of the maximum. For the same reason, `sum - minimum * n` is stored instead of the sum of `n` player counts
 * or `n` round-trip times. Each byte contains 7 bits of a number.
 *
 * @module
 */

/** Creates totals to which no check has been added. */
export const nothing = () => ({
  asked: 0,
  answered: 0,
  playersMin: 0,
  playersMax: 0,
  playersSum: 0,
  botsSum: 0,
  rttCount: 0,
  rttMin: 0,
  rttMax: 0,
  rttSum: 0
})

/** The totals of all checks in a bucket or an hour. Round-trip times are in µs. */
export type Totals = ReturnType<typeof nothing>

export const FIELDS = Object.keys(nothing()) as ReadonlyArray<keyof Totals>

/**
 * The flags of the numbers that are stored only if they are not 0. These numbers are the checks without a reply, the bots, the replies with
 * an ambiguous RTT, and the spread of the player count (maximum minus minimum). A flag is set if its number is stored.
 */
const [MISSED, BOTS, UNTIMED, SPREAD] = [1, 2, 4, 8]
const FLAGS = 16

/** A buffer, and the number of bytes that have been written to the buffer. */
export interface Packing {
  readonly bytes: Uint8Array
  length: number
}

/** Maximum size of a packed bucket, in bytes: ten numbers of up to 63 bits, with 7 bits per byte. */
export const MOST_PACKED = 90

/** Appends the totals of a bucket to `packing`. A bucket without checks needs a single byte, which is 0. */
export const packBucket = (totals: Totals | undefined, packing: Packing): void => {
  if (totals === undefined) {
    packing.bytes[packing.length++] = 0
    return
  }
  const { answered, asked, botsSum, playersMax, playersMin, playersSum, rttCount, rttMax, rttMin, rttSum } = totals
  const missed = asked - answered
  const untimed = answered - rttCount
  const spread = playersMax - playersMin
  putNumber(
    packing,
    asked * FLAGS +
      (missed > 0 ? MISSED : 0) +
      (botsSum > 0 ? BOTS : 0) +
      (untimed > 0 ? UNTIMED : 0) +
      (spread > 0 ? SPREAD : 0)
  )
  if (missed > 0) putNumber(packing, missed)
  if (answered === 0) return
  putNumber(packing, playersMin)
  if (spread > 0) {
    putNumber(packing, spread)
    putNumber(packing, playersSum - playersMin * answered)
  }
  if (botsSum > 0) putNumber(packing, botsSum)
  if (untimed > 0) putNumber(packing, untimed)
  if (rttCount === 0) return
  putNumber(packing, rttMin)
  if (rttCount === 1) return
  putNumber(packing, rttMax - rttMin)
  putNumber(packing, rttSum - rttMin * rttCount)
}

/**
 * Reads the totals of a bucket that {@link packBucket} has appended. Each call of `next` returns the next packed number. If the bucket has
 * no checks, the result is `undefined`.
 */
export const unpackBucket = (next: () => number): Totals | undefined => {
  const head = next()
  const asked = Math.floor(head / FLAGS)
  if (asked === 0) return undefined
  const numberIf = (flag: number): number => ((head & flag) === 0 ? 0 : next())
  const answered = Math.max(0, asked - numberIf(MISSED))
  if (answered === 0) return { ...nothing(), asked }
  const playersMin = next()
  const spread = numberIf(SPREAD)
  const playersSum = playersMin * answered + numberIf(SPREAD)
  const botsSum = numberIf(BOTS)
  const rttCount = Math.max(0, answered - numberIf(UNTIMED))
  const rttMin = rttCount === 0 ? 0 : next()
  const rttMax = rttMin + (rttCount > 1 ? next() : 0)
  const rttSum = rttMin * rttCount + (rttCount > 1 ? next() : 0)
  return {
    asked,
    answered,
    playersMin,
    playersMax: playersMin + spread,
    playersSum,
    botsSum,
    rttCount,
    rttMin,
    rttMax,
    rttSum
  }
}

/** Appends a number of up to 63 bits, with 7 bits per byte. */
export const putNumber = (packing: Packing, value: number): void => {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) packing.bytes[packing.length++] = (rest % 128) | 128
  packing.bytes[packing.length++] = rest
}

/** Creates a function that reads the numbers in `bytes`: each call returns one number, or 0 after the last number. */
export const numberReader = (bytes: Uint8Array): (() => number) => {
  let from = 0
  return () => {
    let value = 0
    for (let unit = 1; from < bytes.length; unit *= 128) {
      const byte = bytes[from++]!
      value += (byte & 127) * unit
      if (byte < 128) break
    }
    return value
  }
}
