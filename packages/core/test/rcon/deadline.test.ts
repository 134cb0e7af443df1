import { assert, describe, it } from "@effect/vitest"
import { Deadline } from "../../src/rcon/deadline.ts"
import type { Timing } from "../../src/engine/Timing.ts"

/** A clock that a test advances. Timers run in the order in which they were set. */
const manualClock = () => {
  let time = 0
  let timers: Array<{ at: number; run: () => void }> = []
  const timing: Timing = {
    now: () => time,
    schedule: (delayMs, run) => {
      const timer = { at: time + delayMs, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    }
  }
  const goTo = (to: number) => {
    time = to
    const due = timers.filter(({ at }) => at <= to)
    timers = timers.filter(({ at }) => at > to)
    for (const { run } of due) run()
  }
  return { goTo, timing }
}

describe("Deadline", () => {
  it("calls back once when the deadline has passed", () => {
    const { goTo, timing } = manualClock()
    let calls = 0
    const deadline = new Deadline(timing, () => calls++)
    deadline.set(100)
    goTo(99)
    assert.strictEqual(calls, 0)
    goTo(100)
    goTo(1000)
    assert.strictEqual(calls, 1)
  })

  it("calls back a second time if the same time is set again after the first call", () => {
    const { goTo, timing } = manualClock()
    let calls = 0
    const deadline = new Deadline(timing, () => calls++)
    for (const nth of [1, 2]) {
      deadline.set(100)
      goTo(100)
      assert.strictEqual(calls, nth)
    }
  })

  it("postpones the call if the timer is at least 20 ms late", () => {
    for (const lateMs of [19, 20]) {
      const { goTo, timing } = manualClock()
      let calls = 0
      new Deadline(timing, () => calls++).set(100)
      goTo(100 + lateMs)
      assert.strictEqual(calls, lateMs === 19 ? 1 : 0)
    }
  })

  it("can be moved to a later time, and can be removed by setting an infinite time", () => {
    const { goTo, timing } = manualClock()
    const called: Array<number> = []
    const deadline = new Deadline(timing, () => called.push(timing.now()))
    deadline.set(100)
    deadline.set(200)
    goTo(150)
    goTo(200)
    deadline.set(300)
    deadline.set(Number.POSITIVE_INFINITY)
    goTo(400)
    assert.deepStrictEqual(called, [200])
  })

  it("does not postpone the call if the same time is set again before the call", () => {
    const { goTo, timing } = manualClock()
    let calls = 0
    const deadline = new Deadline(timing, () => calls++)
    for (let now = 0; now < 200; now++) {
      deadline.set(100)
      goTo(now)
      if (calls > 0) break
    }
    assert.strictEqual(timing.now(), 100)
    deadline.set(150)
    goTo(1000)
    deadline.set(150)
    goTo(1002)
    assert.strictEqual(calls, 2)
  })

  it("calls back after the sockets have been read if the timer is late, except if a later time is set before the call", () => {
    for (const isSetAnew of [false, true]) {
      const { goTo, timing } = manualClock()
      const waiting = new Set<() => void>()
      const afterReading = (run: () => void) => {
        waiting.add(run)
        return () => void waiting.delete(run)
      }
      let calls = 0
      const deadline = new Deadline({ ...timing, afterReading }, () => calls++)
      deadline.set(100)
      goTo(250)
      goTo(252)
      assert.strictEqual(calls, 0)
      if (isSetAnew) deadline.set(400)
      // If the same time is set again, the call is not postponed.
      else deadline.set(100)
      for (const run of waiting) run()
      assert.strictEqual(calls, isSetAnew ? 0 : 1)
    }
  })

  it("calls back after 2 more milliseconds if the timer is late and the clock has no `afterReading`", () => {
    const { goTo, timing } = manualClock()
    let calls = 0
    const deadline = new Deadline(timing, () => calls++)
    deadline.set(100)
    goTo(250)
    goTo(251.9)
    assert.strictEqual(calls, 0)
    goTo(252)
    assert.strictEqual(calls, 1)
  })
})

it("a deadline with an infinite time sets no timer", () => {
  const set: Array<number> = []
  const timing: Timing = {
    now: () => 0,
    schedule: (delayMs) => {
      set.push(delayMs)
      return () => {}
    }
  }
  const deadline = new Deadline(timing, () => {})
  deadline.set(Number.POSITIVE_INFINITY)
  deadline.set(5)
  deadline.set(Number.POSITIVE_INFINITY)
  assert.deepStrictEqual(set, [5])
})
