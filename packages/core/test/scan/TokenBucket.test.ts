import { expect, it } from "vitest"
import { TokenBucket } from "../../src/scan/TokenBucket.ts"

it("a token bucket allows a burst at the start, and afterwards the configured rate", () => {
  const bucket = new TokenBucket(1000, 5)
  expect([1, 2, 3, 4, 5].map(() => bucket.take(0))).toEqual([0, 0, 0, 0, 0])
  expect(bucket.take(0)).toBeCloseTo(1)
  expect(bucket.take(0.5)).toBeCloseTo(0.5)
  expect(bucket.take(1)).toBe(0)
  let taken = 0
  for (let now = 1; now <= 1001; now += 0.25) if (bucket.take(now) === 0) taken++
  expect(taken).toBeGreaterThanOrEqual(999)
  expect(taken).toBeLessThanOrEqual(1001)
})

it("a token bucket never contains more tokens than its burst", () => {
  const bucket = new TokenBucket(10, 2)
  expect([0, 0, 0].map(() => bucket.take(1_000_000))).toEqual([0, 0, 100])
})

it("a token bucket reports a longer wait for the next token if datagrams were sent without a token", () => {
  const bucket = new TokenBucket(10, 1)
  bucket.debit(0)
  bucket.debit(0)
  expect(bucket.take(0)).toBeCloseTo(200)
})

it("a token bucket never adds tokens twice for the same period, even if the clock goes back", () => {
  const bucket = new TokenBucket(1000, 1)
  let taken = 0
  for (let now = 1; now <= 101; now += 0.25) {
    if (bucket.take(now) === 0) taken++
    bucket.waitMs(now - 50)
  }
  expect(taken).toBeLessThanOrEqual(101)
})

it("the default burst of a token bucket is the number of tokens for a hundredth of a second, but at least one token", () => {
  const burst = (perSecond: number): number => {
    const bucket = new TokenBucket(perSecond)
    let taken = 0
    while (bucket.take(0) === 0) taken++
    return taken
  }
  expect([10, 100, 500, 5000].map(burst)).toEqual([1, 1, 5, 50])
})

it("unused tokens can be returned to a token bucket, up to its burst", () => {
  const bucket = new TokenBucket(10, 2)
  bucket.take(0)
  bucket.credit()
  bucket.credit()
  expect([0, 0, 0].map((now) => bucket.take(now))).toEqual([0, 0, 100])
  bucket.credit()
  expect(bucket.take(0)).toBe(0)
})

it("a token bucket reports the time until the next token without removing a token", () => {
  const bucket = new TokenBucket(10, 1)
  expect([bucket.waitMs(0), bucket.waitMs(0)]).toEqual([0, 0])
  bucket.take(0)
  expect(bucket.waitMs(0)).toBe(100)
  expect(bucket.waitMs(40)).toBeCloseTo(60)
  expect(bucket.waitMs(100)).toBe(0)
  expect(bucket.take(100)).toBe(0)
})

it("the number of tokens in a token bucket does not change if the clock goes back", () => {
  const bucket = new TokenBucket(10, 5)
  expect([bucket.waitMs(0), bucket.take(1000), bucket.waitMs(500), bucket.waitMs(0)]).toEqual([0, 0, 0, 0])
  for (let i = 0; i < 4; i++) bucket.take(1000)
  expect([bucket.waitMs(1000), bucket.waitMs(0)]).toEqual([100, 100])
})

it.each([0, -1, Number.NaN, "5", undefined, null])("a token bucket rejects an invalid rate or burst: %j", (value) => {
  const must = /must be a number above 0/
  expect(() => new TokenBucket(value as number)).toThrow(
    expect.objectContaining({ option: "perSecond", message: expect.stringMatching(must) })
  )
  if (value === undefined) return
  expect(() => new TokenBucket(1, value as number)).toThrow(
    expect.objectContaining({ option: "burst", message: expect.stringMatching(must) })
  )
})
