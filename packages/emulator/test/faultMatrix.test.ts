/** A small part of the fault matrix. `faultMatrix.long.test.ts` runs the whole matrix. */
import { describe, expect, it } from "vitest"
import { type Faults, simulate } from "./faultMatrix/simulate.ts"

const EVERYTHING: Faults = {
  loss: 0.1,
  duplicate: 0.3,
  reorder: 0.3,
  delayMs: 50,
  jitterMs: 40,
  corrupt: 0.05,
  spoof: 0.5,
  forgery: 0.5,
  refuse: 0.1,
  lateTimersMs: 100,
  stoppedMs: 100
}

describe("queries", () => {
  it("all succeed over a network without faults, with the minimum number of datagrams", () => {
    const { best, ambiguousRtts, queries, right, sent, falseRtts } = simulate({}, 400, 1)
    expect({ right, sent, ambiguousRtts, falseRtts }).toEqual({
      right: queries,
      sent: best,
      ambiguousRtts: 0,
      falseRtts: 0
    })
  })

  it.each(Object.keys(EVERYTHING).map((fault) => [fault, { ...EVERYTHING, [fault]: 0 }] as readonly [string, Faults]))(
    "return no wrong result if all faults except %s occur",
    (_, faults) => {
      const { altered, queries, right, falseRtts, wrong } = simulate(faults, 240, 3)
      expect({ wrong, altered, falseRtts }).toEqual({ wrong: 0, altered: 0, falseRtts: 0 })
      expect(right / queries).toBeGreaterThan(0.95)
    }
  )

  it.each<readonly [string, Faults]>([
    ["fails to send half of all datagrams", { refuse: 0.5 }],
    ["runs timers up to a second late", { lateTimersMs: 1000 }],
    ["stops the process for nine tenths of the time", { stoppedMs: 900 }]
  ])("all succeed with correct round-trip times on a machine that %s", (_, faults) => {
    const { queries, right, falseRtts } = simulate({ ...faults, delayMs: 25, jitterMs: 10 }, 400, 6)
    expect({ right, falseRtts }).toEqual({ right: queries, falseRtts: 0 })
  })

  it.each([
    ["with delays longer than the first retransmission delay", { delayMs: 450, duplicate: 0.3, loss: 0.3 }],
    ["with 30 % loss", { delayMs: 25, jitterMs: 10, loss: 0.3 }]
  ] as const)("over a network %s, every inexact round-trip time is marked as ambiguous", (_, faults) => {
    const { failed, ambiguousRtts, queries, falseRtts } = simulate(faults, 800, 6)
    expect(falseRtts).toBe(0)
    expect(ambiguousRtts).toBeGreaterThan(0)
    expect(ambiguousRtts).toBeLessThanOrEqual(queries - failed)
  })

  it("return changed bytes only if no checksum can detect the change", () => {
    const { altered, wrong } = simulate({ corrupt: 0.2, withoutChecksum: true }, 800, 4)
    expect(wrong).toBe(0)
    expect(altered).toBeGreaterThan(0)
  })

  it("return the same results for the same seed", () => {
    expect(simulate(EVERYTHING, 100, 5)).toEqual(simulate(EVERYTHING, 100, 5))
  })
})
