import { describe, expect, it } from "vitest"
import { compareFindings, type CurrentFinding, type Judgement, type StoredFinding } from "../src/store/findings.ts"

const NOW = 1_000_000
const END_AFTER = 60_000

const found = (more: Partial<CurrentFinding> = {}): CurrentFinding => ({
  kind: "redirect",
  strength: "strong",
  observed: "now",
  ...more
})
const stored = (more: Partial<StoredFinding> = {}): StoredFinding => ({
  ...found({ observed: "before" }),
  target: 1,
  from: 5,
  seenAt: NOW - END_AFTER,
  ...more
})
const judge = (findings: ReadonlyArray<CurrentFinding>, kinds = ["redirect", "frozen-play-times"]): Judgement => ({
  target: 1,
  findings,
  kinds: new Set(kinds)
})
const compare = (open: ReadonlyArray<StoredFinding>, ...judgements: ReadonlyArray<Judgement>) => {
  const { changes, rows } = compareFindings(open, judgements, NOW, END_AFTER)
  return { rows, changes: changes.map(({ at, field, from, target, to }) => [target, at - NOW, field, from, to]) }
}

describe("a finding", () => {
  it("begins when it is first found, and is recorded as a change only if it is strong", () => {
    expect(compare([], judge([found()]))).toEqual({
      rows: [{ target: 1, ...found(), from: NOW, seenAt: NOW }],
      changes: [[1, 0, "finding", "", "redirect"]]
    })
    expect(compare([], judge([found({ strength: "medium" })])).changes).toEqual([])
  })

  it("does not begin again if it is found again, and is not recorded as another change", () => {
    expect(compare([stored()], judge([found()]))).toEqual({
      rows: [{ target: 1, ...found(), from: 5, seenAt: NOW }],
      changes: []
    })
  })

  it("is recorded as a change when it becomes strong, and when it is no longer strong", () => {
    const weak = { strength: "weak" } as const
    expect(compare([stored(weak)], judge([found()])).changes).toEqual([[1, 0, "finding", "", "redirect"]])
    expect(compare([stored()], judge([found(weak)])).changes).toEqual([[1, 0, "finding", "redirect", ""]])
  })

  it("ends if it is not found for some time, and its end is the time when it was last found", () => {
    expect(compare([stored()], judge([]))).toEqual({
      rows: [{ ...stored(), to: NOW - END_AFTER }],
      changes: [[1, 0, "finding", "redirect", ""]]
    })
    expect(compare([stored({ seenAt: NOW - END_AFTER + 1 })], judge([]))).toEqual({ rows: [], changes: [] })
    expect(compare([stored({ strength: "weak" })], judge([])).changes).toEqual([])
  })

  it("remains if its kind was not checked", () => {
    expect(compare([stored()], judge([], ["frozen-play-times"]))).toEqual({ rows: [], changes: [] })
  })

  it("remains if its target was not checked", () => {
    expect(compare([stored({ target: 2 })], judge([]))).toEqual({ rows: [], changes: [] })
  })
})

it("several changes of one target have different times", () => {
  const both = judge([found({ kind: "frozen-play-times" })])
  const other = { ...judge([found()]), target: 2 }
  expect(compare([stored()], both, other).changes).toEqual([
    [1, 0, "finding", "", "frozen-play-times"],
    [1, 1, "finding", "redirect", ""],
    [2, 0, "finding", "", "redirect"]
  ])
})
