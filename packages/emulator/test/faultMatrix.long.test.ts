/**
 * Runs the fault matrix. The tests combine every rate of packet loss with every kind of fault, and combine several faults.
 * `faultMatrix.test.ts` runs a small part of the matrix.
 */
import { describe, expect, it } from "vitest"
import { type Faults, simulate, Tally } from "./faultMatrix/simulate.ts"

const LOSSES = [0, 0.05, 0.1, 0.2, 0.3]

const OTHERS: Readonly<Record<string, Faults>> = {
  "no other fault": { delayMs: 25, jitterMs: 10 },
  "30 % duplicates": { delayMs: 25, jitterMs: 10, duplicate: 0.3 },
  "30 % of the datagrams reordered by up to 100 ms": { delayMs: 25, jitterMs: 10, reorder: 0.3, reorderMs: 100 },
  "delays of 50 to 90 ms in each direction": { delayMs: 50, jitterMs: 40 },
  "delays of 150 to 250 ms in each direction": { delayMs: 150, jitterMs: 100 },
  "delays of 450 ms in each direction": { delayMs: 450 },
  "5 % of the datagrams corrupted": { delayMs: 25, jitterMs: 10, corrupt: 0.05 },
  "forged datagrams for 50 % of the replies": { delayMs: 25, jitterMs: 10, forgery: 0.5, spoof: 0.5 },
  "1 of 5 datagrams not sent because of a local error": { delayMs: 25, jitterMs: 10, refuse: 0.2 },
  "timers up to 300 ms late": { delayMs: 25, jitterMs: 10, lateTimersMs: 300 },
  "process stopped for 400 ms of every second": { delayMs: 25, jitterMs: 10, stoppedMs: 400 },
  "all of these faults": {
    delayMs: 50,
    jitterMs: 40,
    duplicate: 0.3,
    reorder: 0.3,
    corrupt: 0.05,
    forgery: 0.5,
    spoof: 0.5,
    refuse: 0.2,
    lateTimersMs: 300,
    stoppedMs: 400
  }
}

const QUERIES = 300

describe("no result is wrong, and every inexact RTT is marked as ambiguous", () => {
  it.each(LOSSES.flatMap((loss) => Object.keys(OTHERS).map((name) => [loss * 100, name] as const)))(
    "with %d % loss in each direction: %s",
    (percent, name) => {
      const { falseRtts, wrong } = simulate({ ...OTHERS[name], loss: percent / 100 }, QUERIES, percent + 1)
      expect({ falseRtts, wrong }).toEqual({ falseRtts: 0, wrong: 0 })
    }
  )

  it("with all combinations of loss, duplicates, reordering, delays, corruption and forged replies", () => {
    const alternatives: ReadonlyArray<ReadonlyArray<Faults>> = [
      LOSSES.map((loss) => ({ loss })),
      [{}, { duplicate: 0.3 }],
      [{}, { reorder: 0.3 }],
      [
        { delayMs: 5, jitterMs: 1 },
        { delayMs: 50, jitterMs: 40 },
        { delayMs: 150, jitterMs: 100 }
      ],
      [{}, { corrupt: 0.05 }],
      [{}, { forgery: 0.5, spoof: 0.5 }]
    ]
    const combinations = alternatives.reduce((made, faults) =>
      made.flatMap((one) => faults.map((other) => ({ ...one, ...other })))
    )
    const tally = new Tally()
    for (const [seed, faults] of combinations.entries()) simulate(faults, 40, seed, tally)
    expect({ falseRtts: tally.falseRtts, wrong: tally.wrong }).toEqual({ falseRtts: 0, wrong: 0 })
  })
})

it("with 10 % loss in each direction, at least 999 of 1,000 queries succeed", () => {
  const { failed, queries } = simulate({ delayMs: 25, jitterMs: 10, loss: 0.1 }, 20_000, 99)
  expect(failed / queries).toBeLessThanOrEqual(0.001)
})
