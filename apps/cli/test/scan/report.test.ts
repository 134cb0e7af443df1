import { ScanProgress } from "@sourcewire/core"
import { expect, it } from "vitest"
import { makeReport } from "../../src/scan/report.ts"

/**
 * Returns the report of a scan with 50,000 completed targets. `total` is the number of all targets, or `undefined` if this number is
 * unknown.
 */
const halfDone = (total: number | undefined) => {
  const progress = new ScanProgress()
  const report = makeReport(progress, total, 0)
  report.line(0, 80)
  Object.assign(progress, { failed: 4000, duplicates: 1000, inFlight: 1000 })
  for (let i = 0; i < 45_000; i++) progress.onReply(i < 40_000 ? 20 : 120, false)
  return report
}

it("the progress fits into one line, and is shorter on a narrow terminal", () => {
  expect(halfDone(100_000).line(1000, 200)).toMatch(
    /^█{8}░{8} 50,000 of 100,000 · 45,000 responded · 50,000\/s · 1,000 in flight · RTT .* ms · ETA 0:01$/
  )
  const narrow = halfDone(100_000).line(1000, 80)
  expect(narrow).toMatch(/^50,000\/100,000 · 45,000 ok · 50,000\/s · .* ms · ETA 0:01$/)
  expect(narrow.length).toBeLessThan(80)
})

it("the progress shows no total and no remaining time if the number of targets is unknown", () => {
  expect(halfDone(undefined).line(1000, 200)).toMatch(/^50,000 done · .* ms$/)
})
