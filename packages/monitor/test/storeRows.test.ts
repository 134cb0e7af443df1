/** Tests how changes are numbered, and how readable and unreadable rows are decoded. */
import { describe, expect, it } from "vitest"
import { HourSamples, startOfHour } from "../src/history/HourSamples.ts"
import { firstIdAt, LAST_ID, nextId } from "../src/store/changeIds.ts"
import {
  answerColumn,
  decodeChange,
  decodeFinding,
  decodeIncident,
  decodeKnown,
  decodeMute,
  encodeHourRow,
  encodeKnownRow,
  hexBytes,
  rowToHour,
  plainBytes,
  changeToRow,
  findingToRow,
  incidentToRow,
  targetsInFlight
} from "../src/store/rows.ts"
import { UnreadableRows } from "../src/store/UnreadableRows.ts"
import { type Known, unknown } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"

describe("the number of a change", () => {
  it("increases with time, even within one millisecond", () => {
    expect(firstIdAt(5)).toBe(5000)
    expect(nextId(0, 5)).toBe(5000)
    expect(nextId(5000, 5)).toBe(5001)
    expect(nextId(5001, 6)).toBe(6000)
  })

  it("increases by one if the clock is set back or far ahead", () => {
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

  it("is replaced by a substitute value, and increases the number of unreadable rows of its table", () => {
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

  it("is reported with a reason if no unreadable row of the same table was reported before", () => {
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

describe("the row of a target's state", () => {
  const address = "192.0.2.1:27015"
  const hour = new HourSamples(startOfHour(1_795_000_000_000))
  hour.add(hour.hour, { players: 3, bots: 1, rttMs: 20 })
  const known: Known = {
    ...unknown(),
    state: "down",
    stateAt: 50,
    failures: 2,
    failingAt: 50,
    queriedAt: 60,
    last: lastAnswer(40),
    lastError: { _tag: "Timeout", message: "No reply." },
    hour
  }
  const encodeState = (state: Known) => ({ ...encodeKnownRow(7, state, plainBytes), ...answerColumn(state) })

  it("restores the state", () => {
    const unreadable = new UnreadableRows()
    const again = decodeKnown(address, encodeState(known), unreadable)
    expect(again).toEqual({ ...known, last: { ...known.last, rttMs: 12.345 } })
    expect(decodeKnown(address, encodeState(unknown()), unreadable)).toEqual(unknown())
    expect(unreadable.all().size).toBe(0)
    expect(encodeState(known)).toMatchObject({ target: 7, rtt: 12_345, rtt_ambiguous: 0 })
  })

  it("restores an ambiguous round-trip time", () => {
    const ambiguous = { ...known, last: { ...lastAnswer(40), rttAmbiguous: true } }
    expect(decodeKnown(address, encodeState(ambiguous), new UnreadableRows()).last?.rttAmbiguous).toBe(true)
  })

  it("if the store contains no row for a target, the state of the target is unknown", () => {
    expect(decodeKnown(address, { state: null }, new UnreadableRows())).toEqual(unknown())
    expect(decodeKnown(address, {}, new UnreadableRows())).toEqual(unknown())
  })

  it("results in an unknown state, and is counted as unreadable, if this version does not support the stored state", () => {
    const unreadable = new UnreadableRows()
    expect(decodeKnown(address, { ...encodeState(known), state: "asleep" }, unreadable)).toEqual(unknown())
    expect(unreadable.take()).toEqual([{ table: "latest", reason: 'unknown state "asleep"' }])
  })

  it("restores the other columns if some columns are damaged", () => {
    const unreadable = new UnreadableRows()
    const again = decodeKnown(address, { ...encodeState(known), answer: "{", trouble: "{" }, unreadable, "view")
    expect(again).toMatchObject({ state: "down", last: undefined, lastError: undefined, failures: 2 })
    expect([...unreadable.all()]).toEqual([["view", 2]])
  })

  it.each<readonly [what: string, more: object, failingAt: number | undefined]>([
    ["ignores a start of failures before the last reply", { failing_at: 39 }, undefined],
    ["restores a start of failures at the last reply", { failing_at: 40 }, 40],
    ["restores a start of failures at the last query", { failing_at: 60 }, 60],
    ["ignores a start of failures after the last query", { failing_at: 61 }, undefined],
    ["ignores the start of failures if the number of failures is 0", { failures: 0 }, undefined],
    ["results in no start of failures if the column is null", { failing_at: null }, undefined]
  ])("%s", (_, more, failingAt) => {
    expect(decodeKnown(address, { ...encodeState(known), ...more }, new UnreadableRows()).failingAt).toBe(failingAt)
  })
})

describe("rows of other tables", () => {
  it("a change is stored without NUL characters, and is restored", () => {
    const change = { id: 1, target: 2, at: 3, field: "map", from: "a\0b", to: "c\0" } as const
    expect(decodeChange(changeToRow(change))).toEqual({ ...change, from: "ab", to: "c" })
    expect(() => decodeChange({ ...changeToRow(change), was: null })).toThrow("change 1 lacks a text")
  })

  it("an hour is restored with its totals, its time in each state and its buckets", () => {
    const hour = new HourSamples(startOfHour(1_795_000_000_000))
    hour.add(hour.hour, { players: 3, bots: 1, rttMs: 20 })
    hour.addTime("up", hour.hour, hour.hour + 5)
    const again = rowToHour(encodeHourRow(1, hour, plainBytes))
    expect(again).toEqual({ hour: hour.hour, total: hour.total(), time: { up: 5, down: 0, muted: 0 }, fine: hour })
    expect(rowToHour({ ...encodeHourRow(1, hour, plainBytes), fine: null }).fine).toBeUndefined()
    expect(encodeHourRow(1, hour, hexBytes).fine).toMatch(/^\\x[0-9a-f]+$/)
  })

  it("an incident is restored with the optional fields that it has", () => {
    const incident = { target: 1, from: 2, noticedAt: 3, reason: "Timeout", message: "a\0b", isMuted: true }
    const joined = { address: "192.0.2.1:1", group: "eu", watched: 1 }
    const decode = (more: object) =>
      decodeIncident({ ...incidentToRow({ slice: 0, ...incident, ...more } as never), ...joined })
    expect(decode({})).toEqual({ ...incident, message: "ab", address: "192.0.2.1:1", group: "eu", isWatched: true })
    const more = { to: 9, players: 0, map: "de_nuke", locations: [{ location: "berlin", reason: "Timeout" }] }
    expect(decode(more)).toMatchObject(more)
    expect(
      decodeIncident({ ...incidentToRow({ slice: 0, ...incident } as never), ...joined, watched: 0 }).isWatched
    ).toBe(false)
  })

  it("a finding is restored, except if its strength is unknown", () => {
    const finding = { target: 1, kind: "redirect", strength: "weak", observed: "a", from: 2, seenAt: 3 } as const
    expect(decodeFinding(findingToRow(finding))).toEqual(finding)
    expect(decodeFinding(findingToRow({ ...finding, to: 9, observed: "a\0" }))).toEqual({ ...finding, to: 9 })
    expect(() => decodeFinding({ ...findingToRow(finding), strength: "huge" })).toThrow('unknown strength "huge"')
  })

  it("a mute is restored with its end, or without an end", () => {
    const row = { id: 1n, kind: "group", what: "eu", from_at: 5, until_at: null, note: "" }
    expect(decodeMute(row)).toEqual({ id: 1, kind: "group", what: "eu", from: 5, until: undefined, note: "" })
    expect(decodeMute({ ...row, until_at: 9n }).until).toBe(9)
  })

  it("targets in flight are restored if the stored value is a list of whole numbers, and are otherwise unreadable", () => {
    expect(targetsInFlight({ targets: "[1,2]" })).toEqual([1, 2])
    for (const targets of ["{}", '["1"]', "[1.5]", "5"]) {
      expect(() => targetsInFlight({ targets })).toThrow("it is not a list of numbers")
    }
  })
})
