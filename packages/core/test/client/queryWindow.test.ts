/**
 * The window of a client: the maximum number of servers that the client queries at the same time. Some tests simulate queries
 * through a bottleneck that serves requests in order. No test uses a clock: each test passes the time to the window as a number.
 */
import { describe, expect, it } from "vitest"
import { QueryWindow } from "../../src/client/queryWindow.ts"
import { seededRandom } from "../../src/testing/Testing.ts"

interface SimulatedQuery {
  readonly startedAt: number
  /** Time of the last transmission of the request, in ms. */
  sentAt: number
  tries: number
}

const MAX = 256
/** Delay before a request is retransmitted, in ms. */
const REPEAT_MS = 300

/**
 * Simulates queries for `seconds` through a bottleneck. The bottleneck serves `perSecond` requests per second in order, including
 * retransmissions. Each reply arrives `rttMs` after the bottleneck has served the request.
 */
const simulate = (perSecond: number, rttMs: number, seconds: number, loses: (n: number) => boolean = () => false) => {
  const window = new QueryWindow(MAX)
  const open = new Set<SimulatedQuery>()
  const queue: Array<SimulatedQuery> = []
  const replies: Array<{ readonly at: number; readonly query: SimulatedQuery }> = []
  let [answered, sent, served, serving] = [0, 0, 0, 0]
  const sizes: Array<number> = []
  for (let now = 0; now < 1000 * seconds; now++) {
    for (serving += perSecond / 1000; serving >= 1 && queue.length > 0; serving--) {
      const query = queue.shift()!
      if (!loses(served++)) replies.push({ at: now + rttMs, query })
    }
    serving = Math.min(serving, 1)
    while (replies.length > 0 && replies[0]!.at <= now) {
      const { query } = replies.shift()!
      if (!open.delete(query)) continue
      answered++
      window.onReply(query.startedAt, now, query.tries > 1)
    }
    for (const query of open) {
      if (now - query.sentAt < REPEAT_MS * 1.15 ** (query.tries - 1)) continue
      query.sentAt = now
      query.tries++
      queue.push(query)
      sent++
    }
    while (open.size < Math.floor(window.size)) {
      const query = { startedAt: now, sentAt: now, tries: 1 }
      open.add(query)
      queue.push(query)
      sent++
    }
    sizes.push(window.size)
  }
  const late = sizes.slice(-sizes.length / 2)
  return { answered, sent, window, mean: late.reduce((a, b) => a + b, 0) / late.length }
}

describe("the window of a client", () => {
  it("grows to its maximum if all requests get replies", () => {
    const { answered, mean, sent } = simulate(20_000, 50, 5)
    expect(mean).toBe(MAX)
    expect(answered).toBeGreaterThan(20_000)
    expect(sent - answered).toBeLessThanOrEqual(MAX)
  })

  it.each([100, 200, 500])("shrinks to the capacity of a bottleneck of %i requests per second", (rate) => {
    const { answered, mean, sent } = simulate(rate, 20, 60)
    expect(mean).toBeLessThan(0.3 * rate)
    expect(answered).toBeGreaterThan(0.5 * 60 * rate)
    expect(sent).toBeLessThan(2 * answered)
  })

  it.each([320, 400, 900])("does not shrink if all servers are distant, with a round-trip time of %i ms", (rttMs) => {
    const { mean, window } = simulate(20_000, rttMs, 30)
    expect(mean).toBe(MAX)
    // The servers reply late, so the window must wait longer than the round-trip time before it counts a server as dead.
    expect(window.deadMs).toBeGreaterThan(3 * rttMs)
  })

  it.each([0.2, 0.4])("does not shrink if the packet loss is constant (share of lost requests: %d)", (loss) => {
    const random = seededRandom(1)
    const { mean } = simulate(20_000, 50, 30, () => random() < loss)
    expect(mean).toBeGreaterThan(0.9 * MAX)
  })

  it("shrinks once during congestion, and then grows slowly", () => {
    const window = new QueryWindow(MAX)
    let now = 0
    const answer = (count: number, tookMs: number, wasRepeated: boolean) => {
      for (let i = 0; i < count; i++) window.onReply((now += 10) - tookMs, now, wasRepeated)
    }
    answer(32, 10, false)
    expect(window.size).toBe(16 + 32)
    now += 1000
    answer(32, 400, true)
    expect(window.size).toBe((16 + 64) / 2)
    // These queries started before the window shrank, so their replies do not shrink the window again.
    answer(39, 400, true)
    expect(window.size).toBeCloseTo(41, 0)
    now += 1000
    answer(320, 10, false)
    expect(window.size).toBeGreaterThan(45)
    expect(window.size).toBeLessThan(50)
  })

  it("grows quickly while many servers are dead, but slowly after congestion", () => {
    const window = new QueryWindow(MAX)
    const sizes: Array<number> = []
    for (let now = 0; now <= 5000; now += 100) {
      window.onDead(now)
      if (now % 1000 === 0) sizes.push(window.size)
    }
    expect(sizes).toEqual([32, 64, 128, 256, 256, 256])
    for (let i = 0; i < 32; i++) window.onReply(6000, 6010, false)
    for (let i = 0; i < 32; i++) window.onReply(7000, 7400, true)
    expect(window.size).toBe(128)
    window.onDead(7400)
    expect(window.size).toBe(128 * 1.25)
  })

  it("never shrinks to 0, and never exceeds its maximum", () => {
    const small = new QueryWindow(8)
    const window = new QueryWindow(MAX)
    let now = 0
    for (let i = 0; i < 10_000; i++) {
      now += 100_000
      for (const each of [small, window]) each.onReply(now - 10 * (i + 1), now, true)
      expect(small.size).toBeLessThanOrEqual(8)
      expect(Math.min(small.size, window.size)).toBeGreaterThanOrEqual(4)
    }
    expect(window.size).toBeLessThan(MAX / 4)
  })
})
