import { expect, it } from "vitest"
import { formatPointed, formatShortDay, formatTick } from "../src/Times.ts"

/** A local time on a fixed day, in seconds since 1970. */
const at = (hours: number, minutes: number, seconds: number): number =>
  new Date(2026, 10, 24, hours, minutes, seconds).getTime() / 1000

it("the labels of an axis are as precise as its steps", () => {
  expect(formatTick(at(14, 3, 20), 10)).toBe("14:03:20")
  expect(formatTick(at(14, 3, 0), 60)).toBe("14:03")
  expect(formatTick(at(0, 0, 0), 10)).toBe(formatShortDay(at(0, 0, 0) * 1000))
  expect(formatTick(at(14, 0, 0), 86_400)).toBe(formatShortDay(at(14, 0, 0) * 1000))
})

it("a point in time has seconds or a day, depending on the steps", () => {
  expect(formatPointed(at(14, 3, 20), 0.5)).toBe("14:03:20")
  expect(formatPointed(at(14, 3, 20), 300)).toBe(`${formatShortDay(at(14, 3, 20) * 1000)}, 14:03`)
})
