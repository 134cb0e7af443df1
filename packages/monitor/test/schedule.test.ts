/** Tests the schedule, which determines when each target is queried. */
import { describe, expect, it } from "@effect/vitest"
import { seededRandom } from "@sourcewire/core/testing"
import { nextQueryTime, choosePhase, upcomingQueryTime, catchUpTime } from "../src/schedule/rhythm.ts"
import { makeSchedule } from "../src/schedule/Schedule.ts"
import { type Timed, TimingWheel } from "../src/schedule/TimingWheel.ts"
import { VirtualTime } from "../../../tooling/testing/VirtualTime.ts"

interface Entry extends Timed {
  readonly name: number
}

const entry = (name: number): Entry => ({ name, tick: -1 })

describe("the timing wheel", () => {
  it("returns each entry once, in the first tick after the entry's time", () => {
    const random = seededRandom(5)
    const wheel = new TimingWheel<Entry>(50, 1_000_000)
    const due = new Map<number, number>()
    const taken = new Map<number, number>()
    const entries = Array.from({ length: 500 }, (_, name) => entry(name))
    for (const one of entries) {
      // Some entries are added to the wheel several times, each time with another due time. The last due time is the valid one.
      for (let puts = 0; puts <= Math.floor(random() * 3); puts++) {
        const at = 1_000_000 + random() * 600_000
        due.set(one.name, at)
        wheel.put(one, at)
      }
    }
    for (let now = 1_000_000; now < 1_700_000; now += random() * 400) {
      wheel.advance(now, ({ name }) => {
        expect(taken.has(name)).toBe(false)
        taken.set(name, now)
      })
    }
    expect(taken.size).toBe(500)
    for (const [name, at] of due) {
      expect(taken.get(name)!).toBeGreaterThanOrEqual(at)
      expect(taken.get(name)! - at).toBeLessThan(50 + 400)
    }
    expect(wheel.nextMs()).toBeUndefined()
  })

  it("returns all due entries after a pause that was longer than a revolution of the wheel", () => {
    const wheel = new TimingWheel<Entry>(50, 0)
    const taken: Array<number> = []
    for (const name of [1, 2, 3]) wheel.put(entry(name), name * 1000)
    wheel.advance(10_000_000, ({ name }) => taken.push(name))
    expect(taken.toSorted()).toEqual([1, 2, 3])
  })

  it.each([4094, 4095, 4096, 4097, 4098])(
    "returns every entry once after a pause of %i ticks (the wheel has 4096 slots)",
    (ticks) => {
      // The wheel starts at slot 7, because the ticks must reach the last slot and then continue at slot 0.
      const wheel = new TimingWheel<Entry>(50, 7 * 50)
      wheel.advance(7 * 50, () => expect.unreachable())
      const taken = new Set<number>()
      for (let tick = 0; tick < ticks; tick++) wheel.put(entry(tick), (8 + tick) * 50)
      wheel.advance((7 + ticks) * 50, ({ name }) => {
        expect(taken.has(name)).toBe(false)
        taken.add(name)
      })
      expect(taken.size).toBe(ticks)
      expect(wheel.nextMs()).toBeUndefined()
    }
  )

  it("does not return a removed entry", () => {
    const wheel = new TimingWheel<Entry>(50, 0)
    const gone = entry(1)
    wheel.put(gone, 100)
    gone.tick = -1
    wheel.advance(1000, () => expect.unreachable())
  })
})

describe("the rhythm of a target's checks", () => {
  const addresses = Array.from({ length: 6000 }, (_, i) => `10.0.${i >> 8}.${i & 255}:${27_015 + (i % 7)}`)

  it("depends on the target's address, so that all targets are spread evenly over the interval", () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const address of addresses) tenths[Math.floor(choosePhase(address) * 10)]!++
    for (const tenth of tenths) expect(Math.abs(tenth - 600)).toBeLessThan(120)
  })

  it("any two checks of a target are a whole number of intervals apart", () => {
    const random = seededRandom(2)
    for (const address of addresses.slice(0, 200)) {
      const phase = choosePhase(address)
      const first = nextQueryTime(phase, 15_000, 1_795_000_000_000)
      const later = 1_795_000_000_000 + random() * 1e9
      const turn = nextQueryTime(phase, 15_000, later)
      expect(turn).toBeGreaterThan(later)
      expect(turn - later).toBeLessThanOrEqual(15_000.01)
      expect(Math.abs(Math.round((turn - first) / 15_000) * 15_000 - (turn - first))).toBeLessThan(0.01)
    }
  })

  it("does not change at a restart, and overdue targets are queried soon", () => {
    const now = 1_795_000_000_000
    const turn = nextQueryTime(0.3, 60_000, now)
    expect(upcomingQueryTime(0.3, 60_000, turn - 60_000, now)).toBe(turn)
    expect(upcomingQueryTime(0.3, 60_000, now - 61_000, now)).toBeUndefined()
    expect(upcomingQueryTime(0.3, 60_000, undefined, now)).toBeUndefined()
    // If the clock was set back, the stored time of the last query may be in the future. Then the target is queried soon, too.
    expect(upcomingQueryTime(0.3, 60_000, now + 1e9, now)).toBeUndefined()
    expect(catchUpTime(0.3, 60_000, now, 100_000)).toBe(now + 1500)
    expect(catchUpTime(0.3, 1000, now, 100_000)).toBe(now + 300)
    expect(catchUpTime(0.3, 60_000, now, 100)).toBe(now + 60)
  })
})

describe("the schedule", () => {
  it("returns targets in the order of their times, even if the reader is late", async () => {
    const time = new VirtualTime()
    const schedule = makeSchedule<Entry>(time, time.now)
    const turns = schedule[Symbol.asyncIterator]()
    for (const name of [3, 1, 2]) schedule.put(entry(name), name * 1000)
    time.goTo(1000)
    expect([schedule.waiting(), schedule.lateMs()]).toEqual([1, 0])
    time.goTo(1700)
    expect(schedule.lateMs()).toBe(700)
    expect((await turns.next()).value).toMatchObject({ name: 1 })
    const next = turns.next()
    time.goTo(5000)
    expect((await next).value).toMatchObject({ name: 2 })
    expect((await turns.next()).value).toMatchObject({ name: 3 })
    const last = turns.next()
    schedule.close()
    expect((await last).done).toBe(true)
    expect((await turns.next()).done).toBe(true)
  })

  it("ends when its reader stops reading", async () => {
    const time = new VirtualTime()
    const schedule = makeSchedule<Entry>(time, time.now)
    schedule.put(entry(1), 1000)
    schedule.put(entry(2), 1000)
    time.goTo(2000)
    const turns = schedule[Symbol.asyncIterator]()
    expect((await turns.next()).value).toMatchObject({ name: 1 })
    expect(await turns.return?.()).toEqual({ done: true, value: undefined })
    expect((await turns.next()).done).toBe(true)
  })

  it("skips targets for which `isWanted` returns false, and returns no targets while `isPaused` returns true", async () => {
    const time = new VirtualTime()
    let isHeld = true
    const taken: Array<number> = []
    const schedule = makeSchedule<Entry>(time, time.now, {
      isPaused: () => isHeld,
      isWanted: ({ name }) => name !== 2,
      onTaken: ({ name }) => taken.push(name)
    })
    for (const name of [1, 2, 3]) schedule.put(entry(name), name * 1000)
    const turns = schedule[Symbol.asyncIterator]()
    const first = turns.next()
    time.goTo(5000)
    expect([schedule.waiting(), taken]).toEqual([3, []])
    isHeld = false
    schedule.resume()
    expect((await first).value).toMatchObject({ name: 1 })
    expect((await turns.next()).value).toMatchObject({ name: 3 })
    expect([schedule.waiting(), schedule.lateMs(), taken]).toEqual([0, 0, [1, 3]])
  })

  it("cancels its timer when it is closed, and sets no timer later", () => {
    const time = new VirtualTime()
    const timers = new Set<object>()
    const schedule = makeSchedule<Entry>(
      {
        ...time,
        schedule: (ms, run) => {
          const timer = {}
          timers.add(timer)
          const cancel = time.schedule(ms, () => {
            timers.delete(timer)
            run()
          })
          return () => {
            timers.delete(timer)
            cancel()
          }
        }
      },
      time.now
    )
    schedule.put(entry(1), 1000)
    schedule.put(entry(2), 500)
    expect(timers.size).toBe(1)
    schedule.close()
    expect(timers.size).toBe(0)
    schedule.put(entry(3), 100)
    expect(timers.size).toBe(0)
    time.goTo(5000)
    expect([schedule.waiting(), timers.size]).toEqual([0, 0])
  })

  it("returns a target only once, at the new time, if the target is added again with an earlier time", () => {
    const time = new VirtualTime()
    const schedule = makeSchedule<Entry>(time, time.now)
    const seen = entry(1)
    schedule.put(seen, 1e6)
    schedule.put(seen, 10)
    time.goTo(100)
    expect(schedule.waiting()).toBe(1)
    time.goTo(2e6)
    expect(schedule.waiting()).toBe(1)
  })

  it("returns targets in the order of their times, even if many targets are waiting", async () => {
    const time = new VirtualTime()
    const schedule = makeSchedule<Entry>(time, time.now)
    for (let name = 0; name < 5000; name++) schedule.put(entry(name), name)
    time.goTo(10_000)
    const turns = schedule[Symbol.asyncIterator]()
    // If several targets are due in the same tick, the schedule returns them in the order in which they were added.
    for (let name = 0; name < 5000; name++) expect((await turns.next()).value).toMatchObject({ name })
    expect(schedule.waiting()).toBe(0)
  })
})
