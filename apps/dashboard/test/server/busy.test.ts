import { describe, expect, it } from "vitest"
import { busyHours } from "../../src/server/busy.ts"

/** The start of a Monday, in the time zone of the test process. */
const MONDAY = new Date(2026, 10, 2).getTime()
const sampleAt = (day: number, hour: number, mean?: number) => ({
  at: MONDAY + (24 * day + hour) * 3_600_000,
  asked: 1,
  answered: 1,
  upMs: 1,
  downMs: 0,
  mutedMs: 0,
  ...(mean === undefined ? {} : { players: { min: mean, mean, max: mean } })
})

describe("busyHours", () => {
  it("returns the mean number of players over all weeks, for each weekday and hour", () => {
    const { busiest, hours, isEnough } = busyHours([
      ...Array.from({ length: 24 }, (_, hour) => sampleAt(0, hour, 1)),
      sampleAt(5, 20, 10),
      sampleAt(12, 20, 20),
      sampleAt(6, 3)
    ])
    expect(isEnough).toBe(true)
    expect(busiest).toEqual({ weekday: 5, hour: 20, mean: 15, share: 1 })
    expect(hours[0]![7]).toMatchObject({ weekday: 0, hour: 7, mean: 1 })
    expect(hours[6]![3]).toMatchObject({ mean: undefined, share: 0 })
  })

  it("returns `isEnough: false` if there is less than a day of data", () => {
    expect(busyHours([sampleAt(0, 1, 3)]).isEnough).toBe(false)
  })

  it("returns no busiest hour if there were no players", () => {
    expect(busyHours([sampleAt(0, 1, 0)]).busiest).toBeUndefined()
  })
})
