import { expect, it } from "vitest"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"

it("percentiles do not include ambiguous round-trip times", () => {
  const progress = new ScanProgress()
  for (let i = 0; i < 4; i++) progress.onReply(undefined, true)
  expect(progress.rttMs(0.5)).toBeUndefined()
  for (const rttMs of [10, 10, 10, 200]) progress.onReply(rttMs, false)
  expect([progress.answered, progress.resent]).toEqual([8, 4])
  expect(progress.rttMs(0.5)).toBeGreaterThanOrEqual(10)
  expect(progress.rttMs(0.75)).toBeLessThan(12)
  expect(progress.rttMs(1)).toBeGreaterThanOrEqual(200)
  expect(progress.rttMs(1)).toBeLessThan(221)
})

it.each([0.01, 0.0101, 0.05, 1, 9.99, 30, 250, 3000, 59_999])(
  "a percentile is never lower than the measured round-trip time, and at most 10 % higher: %d ms",
  (rttMs) => {
    const progress = new ScanProgress()
    progress.onReply(rttMs, false)
    expect(progress.rttMs(1)).toBeGreaterThanOrEqual(rttMs)
    expect(progress.rttMs(1)).toBeLessThanOrEqual(rttMs * 1.1)
  }
)

it("percentiles are limited to a range from 10 µs to a little more than a minute", () => {
  const progress = new ScanProgress()
  for (const rttMs of [0, 0.001, 1e9]) progress.onReply(rttMs, false)
  expect(progress.rttMs(0)).toBe(0.01)
  expect(progress.rttMs(0.5)).toBe(0.01)
  expect(progress.rttMs(1)).toBeGreaterThan(60_000)
  expect(progress.rttMs(1)).toBeLessThan(90_000)
})
