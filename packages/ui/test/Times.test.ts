import { expect, it } from "vitest"
import { formatPointed, formatShortDay, formatTick } from "../src/Times.ts"

/** Local time, as the page shows it. */
const at = (hours: number, minutes: number, seconds: number): number =>
  new Date(2026, 10, 24, hours, minutes, seconds).getTime() / 1000

it("labels an axis as exactly as its steps are", () => {
  expect(formatTick(at(14, 3, 20), 10)).toBe("14:03:20")
  expect(formatTick(at(14, 3, 0), 60)).toBe("14:03")
  expect(formatTick(at(0, 0, 0), 10)).toBe(formatShortDay(at(0, 0, 0) * 1000))
  expect(formatTick(at(14, 0, 0), 86_400)).toBe(formatShortDay(at(14, 0, 0) * 1000))
})

it("names a moment with its seconds or with its day", () => {
  expect(formatPointed(at(14, 3, 20), 0.5)).toBe("14:03:20")
  expect(formatPointed(at(14, 3, 20), 300)).toBe(`${formatShortDay(at(14, 3, 20) * 1000)}, 14:03`)
})
