/**
 * The clock of a scan, which is slower during an outage: while many servers that are known to be up do not reply. Therefore the targets in
 * flight do not time out because of the outage.
 */
import { expect, it } from "vitest"
import { OutageClock } from "../../src/scan/outageClock.ts"
import type { Target } from "../../src/scan/target.ts"
import { ManualTiming } from "../manualTiming.ts"

const setUp = (knownToLive: number) => {
  const timing = new ManualTiming()
  const clock = new OutageClock(timing, { rtoMs: 100 })
  const targets = Array.from({ length: 20 }, (_, i) => ({ exchange: { hasReplied: i < knownToLive } }) as Target)
  let visited = 0
  const requests = {
    forEach: (use: (target: Target) => void) => {
      for (const target of targets) {
        visited++
        use(target)
      }
    }
  }
  const counters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  let stoodStillMs = 0
  /** Advances the time by `ms`, with a check every 10 ms. Returns by how much the clock of the scan advanced. */
  const run = (ms: number): number => {
    const startedAt = clock.now()
    for (let passed = 0; passed < ms; passed += 10) {
      clock.scheduleCheck(clock.now() + 10, clock.now())
      timing.advance(10)
      stoodStillMs += clock.check(counters, requests)
    }
    return clock.now() - startedAt
  }
  return { counters, run, visited: () => visited, stoodStillMs: () => stoodStillMs }
}

it("the clock looks at each target once in a period without replies that is not an outage", () => {
  const { counters, run, visited } = setUp(7)
  expect(run(2000)).toBeCloseTo(2000)
  expect(visited()).toBe(20)
  counters.received++
  expect(run(2000)).toBeCloseTo(2000)
  expect(visited()).toBe(40)
})

it("the clock has a tenth of its speed while many servers that are known to be up do not reply", () => {
  const { run, stoodStillMs } = setUp(8)
  // The outage starts after the first 100 ms without replies.
  expect(run(2110)).toBeCloseTo(100 + 201)
  expect(stoodStillMs()).toBeCloseTo(2110 - (100 + 201))
})
