/** The fault matrix in small; `faultMatrix.long.test.ts` runs all of it. */
import { describe, expect, it } from "vitest"
import type { DiskFaults } from "../faultMatrix/BadDisk.ts"
import { simulateCheckpoints } from "../faultMatrix/checkpoint.ts"
import { simulateDescriptors } from "../faultMatrix/descriptors.ts"
import { simulateRcon } from "../faultMatrix/rcon.ts"
import { type Faults, simulate } from "../faultMatrix/simulate.ts"

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
  it("all succeed over a network without faults, with as few datagrams as there can be", () => {
    const { best, guessed, queries, right, sent, untrue } = simulate({}, 400, 1)
    expect({ right, sent, guessed, untrue }).toEqual({ right: queries, sent: best, guessed: 0, untrue: 0 })
  })

  it("succeed in 999 of 1000 cases with 10 % loss each way", () => {
    const { queries, right, wrong } = simulate({ loss: 0.1, delayMs: 25, jitterMs: 10 }, 6000, 2)
    expect(wrong).toBe(0)
    expect(right / queries).toBeGreaterThanOrEqual(0.999)
  })

  it.each(Object.keys(EVERYTHING).map((fault) => [fault, { ...EVERYTHING, [fault]: 0 }] as readonly [string, Faults]))(
    "never have a wrong result under all faults but %s",
    (_, faults) => {
      const { altered, queries, right, untrue, wrong } = simulate(faults, 240, 3)
      expect({ wrong, altered, untrue }).toEqual({ wrong: 0, altered: 0, untrue: 0 })
      expect(right / queries).toBeGreaterThan(0.95)
    }
  )

  it.each<readonly [string, Faults]>([
    ["refuses to send half of all datagrams", { refuse: 0.5 }],
    ["wakes timers up to a second late", { lateTimersMs: 1000 }],
    ["stops the process for nine tenths of the time", { stoppedMs: 900 }]
  ])("all succeed on a machine that %s, with true round-trip times", (_, faults) => {
    const { queries, right, untrue } = simulate({ ...faults, delayMs: 25, jitterMs: 10 }, 400, 6)
    expect({ right, untrue }).toEqual({ right: queries, untrue: 0 })
  })

  it.each([
    ["slower than the first repetition", { delayMs: 450, duplicate: 0.3, loss: 0.3 }],
    ["that loses a third", { delayMs: 25, jitterMs: 10, loss: 0.3 }]
  ] as const)("mark every inexact round-trip time as ambiguous, over a network %s", (_, faults) => {
    const { failed, guessed, queries, untrue } = simulate(faults, 800, 6)
    expect(untrue).toBe(0)
    expect(guessed).toBeGreaterThan(0)
    expect(guessed).toBeLessThanOrEqual(queries - failed)
  })

  it("accept changed bytes only if no checksum can detect the change", () => {
    const { altered, wrong } = simulate({ corrupt: 0.2, withoutChecksum: true }, 800, 4)
    expect(wrong).toBe(0)
    expect(altered).toBeGreaterThan(0)
  })

  it("end the same way for the same seed", () => {
    expect(simulate(EVERYTHING, 100, 5)).toEqual(simulate(EVERYTHING, 100, 5))
  })
})

describe("calls at once, on a machine with few descriptors, are all answered", () => {
  it.each([{ descriptors: 1 }, { descriptors: 64 }, { descriptors: 1, noneForMs: 2000 }])("%j", async (scarcity) => {
    expect(await simulateDescriptors(scarcity, 300)).toBe(300)
  })
})

describe("scans with a checkpoint", () => {
  it.each<readonly [string, DiskFaults]>([
    ["that is full now and then", { full: 0.3 }],
    ["that is read-only now and then", { readOnly: 0.3 }],
    ["whose flushes fail", { failing: 0.3 }],
    ["that loses its power", { powerless: 0.02 }],
    ["with all that", { full: 0.1, readOnly: 0.1, failing: 0.1, powerless: 0.02 }]
  ])("on a disk %s skip no target, and report the targets that they query again", async (_, faults) => {
    const { again, broken, skipped, unsaid } = await simulateCheckpoints(faults, 20, 8)
    expect({ broken, skipped, unsaid }).toEqual({ broken: 0, skipped: 0, unsaid: 0 })
    expect(again).toBeGreaterThan(0)
  })

  it("query no target twice on a good disk, however often they are interrupted", async () => {
    expect(await simulateCheckpoints({}, 20, 8)).toMatchObject({ again: 0, broken: 0, skipped: 0 })
  })
})

describe("RCON through a proxy", () => {
  it("that cuts every segment to pieces returns complete replies", async () => {
    expect(await simulateRcon({ name: "cuts", segmentBytes: 5 }, 10, 6)).toMatchObject({ right: 10, wrong: 0 })
  })

  it("that resets connections returns complete replies or errors", async () => {
    const { failed, resets, right, wrong } = await simulateRcon(
      { name: "resets", segmentBytes: 500, reset: 0.05 },
      30,
      7
    )
    expect(wrong).toBe(0)
    expect(right + failed).toBe(30)
    expect(resets).toBeGreaterThan(0)
  })
})
