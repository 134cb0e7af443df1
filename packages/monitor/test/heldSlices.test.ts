/** Which slices are asked while they change hands. */
import { describe, expect, it } from "vitest"
import { HeldSlices } from "../src/watch/HeldSlices.ts"

const held = () => {
  const now = { clock: 1000, confirmedAt: 1000, isAway: false }
  const slices = new HeldSlices({
    clock: () => now.clock,
    confirmedAt: () => now.confirmedAt,
    isAway: () => now.isAway
  })
  slices.take(7)
  return { now, slices }
}

describe("slices", () => {
  it("that are ours are asked", () => {
    const { slices } = held()
    expect([slices.has(7), slices.waitsUntil(7), slices.has(8)]).toEqual([true, undefined, false])
  })

  it("that were let go of are asked by nobody while others may take them, and then on if it is known that nobody has", () => {
    const { now, slices } = held()
    slices.leave(7)
    expect(slices.waitsUntil(7)).toBe(3500)
    now.clock = 3600
    expect(slices.waitsUntil(7)).toBe(3850)
    now.confirmedAt = 3550
    expect(slices.waitsUntil(7)).toBeUndefined()
    expect(slices.has(7)).toBe(true)
  })

  it("are asked on after a while where nothing is known, and sooner where the store is away", () => {
    const { now, slices } = held()
    slices.leave(7)
    now.clock = 8500
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.take(7)
    slices.leave(7)
    now.clock += 2500
    expect(slices.waitsUntil(7)).toBeDefined()
    now.isAway = true
    expect(slices.waitsUntil(7)).toBeUndefined()
  })

  it("that nobody takes are ours for ten minutes", () => {
    const { now, slices } = held()
    slices.take(8)
    slices.leave(7)
    now.clock += 600_000
    expect(slices.abandoned()).toEqual(new Set())
    now.clock++
    expect(slices.abandoned()).toEqual(new Set([7]))
    slices.drop([7])
    expect([slices.all(), slices.size()]).toEqual([[8], 1])
  })

  it("are ours again when we take them back", () => {
    const { slices } = held()
    slices.leave(7)
    slices.take(7)
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.leave(9)
    expect(slices.has(9)).toBe(false)
  })
})
