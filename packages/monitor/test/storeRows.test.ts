/** Numbers of changes, and rows that cannot be read. */
import { describe, expect, it } from "vitest"
import { firstIdAt, LAST_ID, nextId } from "../src/store/changeIds.ts"
import { UnreadableRows } from "../src/store/UnreadableRows.ts"

describe("the number of a change", () => {
  it("is in order of time, also among changes of one millisecond", () => {
    expect(firstIdAt(5)).toBe(5000)
    expect(nextId(0, 5)).toBe(5000)
    expect(nextId(5000, 5)).toBe(5001)
    expect(nextId(5001, 6)).toBe(6000)
  })

  it("only counts on if the clock is set back, or far ahead", () => {
    expect(nextId(9000, 5)).toBe(9001)
    const year2200 = Date.UTC(2200, 0, 1)
    expect(firstIdAt(year2200)).toBe(year2200 * 1000)
    expect(firstIdAt(year2200 + 1)).toBe(year2200 * 1000)
    expect(nextId(year2200 * 1000, year2200 * 2)).toBe(year2200 * 1000 + 1)
    expect(Number.isSafeInteger(nextId(year2200 * 1000, year2200 * 2))).toBe(true)
    expect(LAST_ID).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe("an unreadable row", () => {
  const fail = (message: string) => (): never => {
    throw new Error(message)
  }

  it("has a substitute, and is counted by table", () => {
    const rows = new UnreadableRows()
    expect(rows.guard("change", () => 1, 0)).toBe(1)
    expect(rows.guard("change", fail("odd"), 0)).toBe(0)
    rows.guard("change", fail("odder"), 0)
    rows.guard("hour", fail("short"), 0)
    expect([...rows.all()]).toEqual([
      ["change", 2],
      ["hour", 1]
    ])
  })

  it("is reported with its reason if it is the first of its table, once", () => {
    const rows = new UnreadableRows()
    rows.guard("change", fail("odd"), 0)
    rows.guard("change", fail("odder"), 0)
    rows.note("hour", "a text")
    expect(rows.take()).toEqual([
      { table: "change", reason: "odd" },
      { table: "hour", reason: "a text" }
    ])
    rows.guard("change", fail("again"), 0)
    expect(rows.take()).toEqual([])
  })
})
