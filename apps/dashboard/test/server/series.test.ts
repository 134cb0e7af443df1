import { describe, expect, it } from "vitest"
import { united } from "@sourcewire/ui/spans"
import { listCells, listLines, shownSpan, listOutages, listTimes } from "../../src/server/series.ts"

const STEP = 300_000
const at = (step: number): number => step * STEP
const time = (upMs: number, downMs: number, mutedMs = 0) => ({ upMs, downMs, mutedMs })
const players = (value: number) => ({ players: { min: value, mean: value, max: value } })

describe("the plot", () => {
  it("has a gap if samples or replies are missing, and extends the last sample to the end of the period", () => {
    const samples = [
      { at: at(0), asked: 2, answered: 2, ...time(STEP, 0), ...players(5) },
      { at: at(1), asked: 2, answered: 0, ...time(0, STEP) },
      { at: at(4), asked: 2, answered: 1, ...time(STEP, 0), ...players(6) }
    ]
    const times = listTimes([10, 1400], STEP)
    expect(times).toEqual([0, 300, 600, 900, 1200, 1400])
    expect(listLines(samples, times, STEP, (sample) => [sample.players?.mean, sample.upMs])).toEqual([
      [5, null, null, null, 6, 6],
      [STEP, 0, null, null, STEP, STEP]
    ])
    expect(listLines([], times, STEP, (sample) => [sample.players?.mean])).toEqual([times.map(() => null)])
  })

  it("marks the periods in which the server was down, and merges adjacent periods", () => {
    const down = [1, 2, 5].map((step) => ({ at: at(step), asked: 1, answered: 0, ...time(0, STEP - 1) }))
    const partly = { at: at(3), asked: 2, answered: 1, ...time(1, STEP - 1) }
    const lost = { at: at(6), asked: 1, answered: 0, ...time(STEP, 0) }
    const spans = listOutages([...down.slice(0, 2), partly, down[2]!, lost], STEP)
    expect(united([...spans, [100, 350], [1700, 1750]])).toEqual([
      [100, 900],
      [1500, 1800]
    ])
  })

  it("begins at the oldest sample if the period starts earlier, but shows at least an hour", () => {
    const sampleAt = (seconds: number) => ({ at: seconds * 1000, asked: 1, answered: 1, ...time(1, 0) })
    const day = [0, 86_400] as const
    expect(shownSpan([], day)).toEqual(day)
    expect(shownSpan([sampleAt(3000)], day)).toEqual(day)
    expect(shownSpan([sampleAt(50_000)], day)).toEqual([50_000, 86_400])
    expect(shownSpan([sampleAt(86_000)], day)).toEqual([82_800, 86_400])
  })

  it("has a strip of cells: each cell sums the samples of several time steps, and the first and the last cell may be shorter", () => {
    const samples = [0, 1, 2, 3, 4].map((step) => ({
      at: at(step),
      asked: 2,
      answered: 2,
      ...(step === 2 ? time(0, 7, 1) : time(2, 0))
    }))
    const cells = listCells(samples, [100, 1300], STEP, 3)
    expect(cells.map(({ downMs, mutedMs, upMs }) => [upMs, downMs, mutedMs])).toEqual([
      [4, 0, 0],
      [2, 7, 1],
      [2, 0, 0]
    ])
    expect(cells.map(({ span }) => span)).toEqual([
      [100, 600],
      [600, 1200],
      [1200, 1300]
    ])
  })
})
