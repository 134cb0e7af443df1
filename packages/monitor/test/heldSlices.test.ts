/** Which slices an instance queries while the owner of a slice changes. */
import { describe, expect, it } from "vitest"
import { HeldSlices } from "../src/watch/HeldSlices.ts"

const held = () => {
  const now = { clock: 1000, confirmedAt: 1000, isStoreUnavailable: false }
  const slices = new HeldSlices({
    clock: () => now.clock,
    confirmedAt: () => now.confirmedAt,
    isStoreUnavailable: () => now.isStoreUnavailable
  })
  slices.take(7)
  return { now, slices }
}

describe("slices", () => {
  it("are queried while they are ours", () => {
    const { slices } = held()
    expect([slices.has(7), slices.waitsUntil(7), slices.has(8)]).toEqual([true, undefined, false])
  })

  it("are not queried after their release while others may claim them, and again once no other has", () => {
    const { now, slices } = held()
    slices.leave(7)
    expect(slices.waitsUntil(7)).toBe(3500)
    now.clock = 3600
    expect(slices.waitsUntil(7)).toBe(3850)
    now.confirmedAt = 3550
    expect(slices.waitsUntil(7)).toBeUndefined()
    expect(slices.has(7)).toBe(true)
  })

  it("are queried again after a while if nothing is known, and sooner if the store is unreachable", () => {
    const { now, slices } = held()
    slices.leave(7)
    now.clock = 8500
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.take(7)
    slices.leave(7)
    now.clock += 2500
    expect(slices.waitsUntil(7)).toBeDefined()
    now.isStoreUnavailable = true
    expect(slices.waitsUntil(7)).toBeUndefined()
    now.isStoreUnavailable = false
    expect(slices.waitsUntil(7)).toBeUndefined()
  })

  it.each([
    ["before the store has confirmed anything", undefined, 3750],
    ["if the store confirmed this just before the time to claim them was over", 3499, 3750],
    ["again as soon as the store confirms this after the time to claim them", 3500, undefined]
  ])("that were released are checked %s", (_, confirmedAt, expected) => {
    const slices = new HeldSlices({
      clock: () => clock,
      confirmedAt: () => confirmedAt,
      isStoreUnavailable: () => false
    })
    let clock = 1000
    slices.take(7)
    slices.leave(7)
    clock = 3499
    expect(slices.waitsUntil(7)).toBe(3500)
    clock = 3500
    expect(slices.waitsUntil(7)).toBe(expected)
  })

  it("stay ours for ten minutes if no other instance claims them", () => {
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

  it("are ours again after they are claimed back", () => {
    const { slices } = held()
    slices.leave(7)
    slices.take(7)
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.leave(9)
    expect(slices.has(9)).toBe(false)
  })
})
