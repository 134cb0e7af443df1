import { describe, expect, it } from "vitest"
import { united } from "../src/Spans.ts"

describe("the function `united`", () => {
  it("joins spans that overlap, touch or contain each other, and returns the joined spans in order", () => {
    const spans = [
      [7, 8],
      [0, 2],
      [2, 3],
      [5, 9]
    ] as const
    expect(united(spans)).toEqual([
      [0, 3],
      [5, 9]
    ])
  })

  it("does not change the given spans", () => {
    const spans = [[1, 4] as const, [0, 2] as const]
    united(spans)
    expect(spans).toEqual([
      [1, 4],
      [0, 2]
    ])
    expect(united([])).toEqual([])
  })
})
