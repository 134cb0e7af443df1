import type { ChangeRow } from "@sourcewire/monitor/api"
import { describe, expect, it } from "vitest"
import { NO_CHANGES, PAGE, withNewest, withOlder } from "../../src/events/changes.ts"

/** Creates the changes with the ids from `newest` down to `oldest`. */
const from = (newest: number, oldest: number): ReadonlyArray<ChangeRow> =>
  Array.from({ length: newest - oldest + 1 }, (_, i) => {
    const id = newest - i
    return { id, target: 1, at: id, field: "map", from: "a", to: "b" }
  })
const numbers = ({ known }: { readonly known: ReadonlyArray<ChangeRow> }) => known.map(({ id }) => id)

describe("the list of changes", () => {
  it("shows new changes at the top, and pages of older changes at the bottom", () => {
    const first = withNewest(NO_CHANGES, from(100, 81), 20)
    const next = withNewest(withOlder(first, from(80, 80 - PAGE + 1)), from(102, 83), 20)
    expect(numbers(next)).toEqual(numbers({ known: from(102, 80 - PAGE + 1) }))
    expect(next.isAll).toBe(false)
    expect(withOlder(next, from(30, 1)).isAll).toBe(true)
  })

  it("is complete if fewer changes arrive than were requested", () => {
    expect(withNewest(NO_CHANGES, from(3, 1), 20).isAll).toBe(true)
    expect(withNewest(withNewest(NO_CHANGES, [], 20), from(1, 1), 20)).toEqual({ known: from(1, 1), isAll: true })
    expect(withNewest(withNewest(NO_CHANGES, from(3, 1), 20), from(4, 1), 20).isAll).toBe(true)
  })

  it("is replaced by the received changes if the list contains none of the received changes", () => {
    // The changes between the newest change in the list and the oldest received change may be missing.
    const before = withNewest(NO_CHANGES, from(3, 1), 20)
    const after = withNewest(before, from(60, 41), 20)
    expect(numbers(after)).toEqual(numbers({ known: from(60, 41) }))
    expect(after.isAll).toBe(false)
  })
})
