import type { ChangeRow } from "@sourcewire/monitor/api"
import { describe, expect, it } from "vitest"
import { listBands, sumShares } from "../../src/server/bands.ts"

const change = (seconds: number, from: string, to: string): ChangeRow => ({
  id: seconds,
  target: 1,
  at: seconds * 1000,
  field: "map",
  from,
  to
})
const SPAN = [100, 200] as const

describe("the map bands of a period", () => {
  it("begin and end at the changes of the map, and cover the whole period", () => {
    const changes = [change(250, "c", "d"), change(160, "b", "c"), change(120, "a", "b"), change(50, "z", "a")]
    expect(listBands(changes, true, SPAN, "d")).toEqual([
      { map: "a", span: [100, 120] },
      { map: "b", span: [120, 160] },
      { map: "c", span: [160, 200] }
    ])
  })

  it("show the current map if there is no change", () => {
    expect(listBands([], true, SPAN, "a")).toEqual([{ map: "a", span: SPAN }])
    expect(listBands([], true, SPAN, undefined)).toEqual([])
  })

  it("show no map for the time before the oldest loaded change if older changes may exist", () => {
    expect(listBands([change(150, "a", "b")], false, SPAN, "b")).toEqual([{ map: "b", span: [150, 200] }])
    expect(listBands([change(50, "a", "b")], false, SPAN, "c")).toEqual([{ map: "b", span: SPAN }])
  })

  it("can be summed with `sumShares`, which returns each map's share of the period", () => {
    const bands = [change(175, "b", "a"), change(150, "a", "b")]
    expect(sumShares(listBands(bands, true, SPAN, "a"))).toEqual([
      ["a", 0.75],
      ["b", 0.25]
    ])
  })
})
