/**
 * Tests the clock of a scan. If many servers that were up before do not reply, the scan assumes an outage. During an outage, this clock
 * runs slower than real time, so that the targets in flight do not time out because of the outage.
 */
import { describe, expect, it } from "vitest"
import { OutageClock } from "../../src/scan/outageClock.ts"
import type { Target } from "../../src/scan/target.ts"
import { ManualTiming } from "../manualTiming.ts"

/**
 * The state of the targets in flight. `knownToLive` is the number of targets whose servers have already sent a reply or a challenge. If
 * `held` is set, the last datagrams to the targets could not be sent, and `held` contains the state of the targets' sockets.
 */
interface Given {
  readonly knownToLive?: number
  readonly held?: { readonly socketHasReceived: boolean }
}

const setUp = ({ held, knownToLive = 0 }: Given = {}) => {
  const timing = new ManualTiming()
  const clock = new OutageClock(timing, { rtoMs: 100 })
  const lost = held === undefined ? {} : { lost: { isHeld: true }, socket: { hasReceived: held.socketHasReceived } }
  const targets = Array.from(
    { length: 20 },
    (_, i) => ({ exchange: { hasReplied: i < knownToLive }, ...lost }) as Target
  )
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
  /**
   * Advances the time by `ms`, with a check every 10 ms. Before each check, the scan tries to send `sent` datagrams, and `refused` of these
   * attempts fail. Returns the time by which the clock of the scan advanced.
   */
  const run = (ms: number, { refused = 0, sent = 0 } = {}): number => {
    const startedAt = clock.now()
    for (let passed = 0; passed < ms; passed += 10) {
      for (let i = 0; i < sent; i++) clock.onLeft()
      for (let i = 0; i < refused; i++) clock.onRefused()
      clock.scheduleCheck(clock.now() + 10, clock.now())
      timing.advance(10)
      stoodStillMs += clock.check(counters, requests)
    }
    return clock.now() - startedAt
  }
  return { counters, run, visited: () => visited, stoodStillMs: () => stoodStillMs }
}

it("if only a few servers that were up do not reply, the clock checks all targets once, and checks them again only after the next reply", () => {
  const { counters, run, visited } = setUp({ knownToLive: 7 })
  expect(run(2000)).toBeCloseTo(2000)
  expect(visited()).toBe(20)
  counters.received++
  expect(run(2000)).toBeCloseTo(2000)
  expect(visited()).toBe(40)
})

it("the clock runs at a tenth of its normal speed while many servers that were up do not reply", () => {
  const { run, stoodStillMs } = setUp({ knownToLive: 8 })
  // The outage starts after the first 100 ms without replies.
  expect(run(2110)).toBeCloseTo(100 + 201)
  expect(stoodStillMs()).toBeCloseTo(2110 - (100 + 201))
})

describe("during send errors", () => {
  const ALL_REFUSED = { sent: 2, refused: 2 }

  it("the clock stops after 100 ms; 500 ms after the last send error, it continues at a tenth of its normal speed until the next reply", () => {
    const { counters, run } = setUp()
    expect(run(1000, ALL_REFUSED)).toBeCloseTo(100)
    // The last send error was at 990 ms. The clock stays stopped until 1490 ms, 500 ms after the last send error.
    expect(run(2500)).toBeCloseTo((3500 - 1490) / 10)
    counters.received++
    expect(run(1000)).toBeCloseTo(1000)
  })

  it("the clock does not stop if this host can still send some datagrams", () => {
    const { run } = setUp()
    expect(run(2000, { sent: 2, refused: 1 })).toBeCloseTo(2000)
  })

  // A check runs every 10 ms, and only a check notices that a datagram was sent. The last check before the next datagram finds that the
  // previous datagram was sent `intervalMs - 10` ms ago. If this time exceeds 50 ms, the clock stops.
  it.each([
    [60, false],
    [70, true]
  ])("if this host sends one datagram every %i ms, and no other datagram, the clock stops: %s", (intervalMs, stops) => {
    const { run, stoodStillMs } = setUp()
    for (let passed = 0; passed < 1200; passed += intervalMs) {
      run(10, { sent: 2, refused: 1 })
      run(intervalMs - 10, ALL_REFUSED)
    }
    expect(stoodStillMs() > 0).toBe(stops)
  })

  it.each([
    ["for 5 seconds if this host has never received a datagram", 0, undefined, 5000],
    ["for 15 seconds if this host has received a datagram before", 1, undefined, 15_000],
    [
      "for 5 seconds if the sockets of the targets have never received a datagram, even if other sockets have received a datagram",
      1,
      { socketHasReceived: false },
      5000
    ],
    ["for 15 seconds if the sockets of the targets have received a datagram", 1, { socketHasReceived: true }, 15_000]
  ])("the clock stops %s", (_, received, held, stoppedMs) => {
    const { counters, run, stoodStillMs } = setUp(held === undefined ? {} : { held })
    counters.received = received
    expect(run(20_000, ALL_REFUSED)).toBeCloseTo(20_000 - stoppedMs)
    expect(stoodStillMs()).toBeCloseTo(stoppedMs)
  })

  it("late and unsolicited datagrams do not count as replies", () => {
    const { counters, run } = setUp()
    run(1000, ALL_REFUSED)
    counters.received += 2
    counters.late++
    counters.unsolicited++
    expect(run(100, ALL_REFUSED)).toBeCloseTo(0)
  })
})
