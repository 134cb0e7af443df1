import { describe, expect, it } from "vitest"
import { cellsOf, seriesOf, silences } from "../../src/server/series.ts"

const STEP = 300_000
const at = (step: number): number => step * STEP
const players = (value: number) => ({ players: { min: value, mean: value, max: value } })

describe("samples", () => {
  it("leave a gap where nothing was asked, and where nobody answered", () => {
    const samples = [
      { at: at(0), asked: 2, answered: 2, ...players(5) },
      { at: at(1), asked: 2, answered: 0 },
      { at: at(4), asked: 2, answered: 1, ...players(6) }
    ]
    expect(seriesOf(samples, STEP, (sample) => [sample.players?.mean])).toEqual([
      [0, 300, 600, 1200],
      [5, null, null, 6]
    ])
  })

  it("tell when nobody answered, steps in a row as one time", () => {
    const silent = [1, 2, 5].map((step) => ({ at: at(step), asked: 1, answered: 0 }))
    const partly = { at: at(3), asked: 2, answered: 1 }
    expect(silences([...silent.slice(0, 2), partly, silent[2]!], STEP)).toEqual([
      [300, 900],
      [1500, 1800]
    ])
  })

  it("are added up in cells, the first and the last of which may be begun", () => {
    const samples = [-1, 0, 1, 2, 3].map((step) => ({ at: at(step), asked: 2, answered: step === 2 ? 0 : 2 }))
    const cells = cellsOf(samples, [0, 1200], 2)
    expect(cells.map(({ answered, asked }) => [answered, asked])).toEqual([
      [6, 6],
      [2, 4]
    ])
    expect(cells.map(({ span }) => span)).toEqual([
      [0, 600],
      [600, 1200]
    ])
  })
})
