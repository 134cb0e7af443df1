import { expect, it } from "vitest"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"

it("gives the shares of the round trips that are known, whatever else was answered", () => {
  const progress = new ScanProgress()
  progress.answered = 8
  expect(progress.rttMs(0.5)).toBeUndefined()
  for (const rttMs of [10, 10, 10, 200]) progress.onRoundTrip(rttMs)
  expect(progress.rttMs(0.5)).toBeGreaterThanOrEqual(10)
  expect(progress.rttMs(0.75)).toBeLessThan(12)
  expect(progress.rttMs(1)).toBeGreaterThanOrEqual(200)
  expect(progress.rttMs(1)).toBeLessThan(221)
})
