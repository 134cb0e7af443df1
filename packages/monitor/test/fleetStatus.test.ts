/** Tests the status of a fleet, which is computed from the reports of the fleet's runners. */
import { describe, expect, it } from "vitest"
import { makeFleetStatus, decodeRunner } from "../src/fleet/FleetStatus.ts"

const reported = { upMs: 5000, targets: 10, perSecond: 2, waiting: 0, lagMs: 0, lost: 0 }
const runner = (name: string, silentMs: number | null, report?: object) =>
  decodeRunner(name, 100, silentMs, report === undefined ? null : JSON.stringify(report))

describe("the status of a fleet", () => {
  it("shows live runners, dead runners, and the number of slices without an owner", () => {
    const self = { name: "b:1", alive: true, self: true, silentMs: 0, slices: 100, report: reported }
    const others = [
      runner("c:1", 7000, reported),
      runner("b:1", 900, reported),
      runner("a:1", 1500, { ...reported, version: "1" })
    ]
    const { orphaned, runners, shared } = makeFleetStatus(true, others, self)
    expect(runners.map(({ alive, name, self }) => [name, alive, self])).toEqual([
      ["a:1", true, false],
      ["b:1", true, true],
      ["c:1", false, false]
    ])
    expect([shared, orphaned, runners[0]!.report?.version]).toEqual([true, 100, "1"])
  })

  it("accepts additional fields in reports of other releases, and omits invalid reports", () => {
    const { runners } = makeFleetStatus(true, [
      runner("newer", 0, { ...reported, novelty: [1] }),
      runner("odd", 0, { targets: "many" }),
      runner("older", null)
    ])
    expect(runners.map(({ alive, name, report }) => [name, alive, report])).toEqual([
      ["newer", true, reported],
      ["odd", true, undefined],
      ["older", false, undefined]
    ])
  })
})
