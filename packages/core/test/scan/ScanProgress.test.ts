import { expect, it } from "vitest"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"

it("percentiles include exact round-trip times only", () => {
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
