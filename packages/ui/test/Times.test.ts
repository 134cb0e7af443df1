import { expect, it } from "vitest"
import { formatPointed, formatShortDay, formatTick } from "../src/Times.ts"

/** A local time on a fixed day, as Unix time in seconds. */
const at = (hours: number, minutes: number, seconds: number): number =>
  new Date(2026, 10, 24, hours, minutes, seconds).getTime() / 1000

it("the label of a tick shows seconds, minutes or only the day, depending on the distance between ticks", () => {
  expect(formatTick(at(14, 3, 20), 10)).toBe("14:03:20")
  expect(formatTick(at(14, 3, 0), 60)).toBe("14:03")
  expect(formatTick(at(0, 0, 0), 10)).toBe(formatShortDay(at(0, 0, 0) * 1000))
  expect(formatTick(at(14, 0, 0), 86_400)).toBe(formatShortDay(at(14, 0, 0) * 1000))
})

it("the time of a plotted value contains seconds if the values are close together", () => {
  expect(formatPointed(at(14, 3, 20), 0.5)).toBe("14:03:20")
})

it("the time of a plotted value contains the day, hours and minutes if the values are far apart", () => {
  expect(formatPointed(at(14, 3, 20), 300)).toBe(`${formatShortDay(at(14, 3, 20) * 1000)}, 14:03`)
})
