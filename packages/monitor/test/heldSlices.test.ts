/** Tests which slices an instance queries while the owner of a slice changes. */
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

describe("the slices of an instance", () => {
  it("are queried while the instance holds their lock", () => {
    const { slices } = held()
    expect([slices.has(7), slices.waitsUntil(7), slices.has(8)]).toEqual([true, undefined, false])
  })

  it("are queried again some time after their release if the store confirms that no other instance has claimed them", () => {
    const { now, slices } = held()
    slices.release(7)
    expect(slices.waitsUntil(7)).toBe(3500)
    now.clock = 3600
    expect(slices.waitsUntil(7)).toBe(3850)
    now.confirmedAt = 3550
    expect(slices.waitsUntil(7)).toBeUndefined()
    expect(slices.has(7)).toBe(true)
  })

  it("are queried again 7.5 s after their release if the store has not confirmed their owner, or after 2.5 s if the store is unavailable", () => {
    const { now, slices } = held()
    slices.release(7)
    now.clock = 8500
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.take(7)
    slices.release(7)
    now.clock += 2500
    expect(slices.waitsUntil(7)).toBeDefined()
    now.isStoreUnavailable = true
    expect(slices.waitsUntil(7)).toBeUndefined()
    now.isStoreUnavailable = false
    expect(slices.waitsUntil(7)).toBeUndefined()
  })

  it.each([
    ["are not queried 2.5 s after their release if the store has never confirmed their owner", undefined, 3750],
    [
      "are not queried 2.5 s after their release if the store last confirmed their owner before the end of the 2.5 s",
      3499,
      3750
    ],
    [
      "are queried 2.5 s after their release if the store confirmed their owner at the end of the 2.5 s",
      3500,
      undefined
    ]
  ])("%s", (_, confirmedAt, expected) => {
    const slices = new HeldSlices({
      clock: () => clock,
      confirmedAt: () => confirmedAt,
      isStoreUnavailable: () => false
    })
    let clock = 1000
    slices.take(7)
    slices.release(7)
    clock = 3499
    expect(slices.waitsUntil(7)).toBe(3500)
    clock = 3500
    expect(slices.waitsUntil(7)).toBe(expected)
  })

  it("are abandoned if they were released more than ten minutes ago", () => {
    const { now, slices } = held()
    slices.take(8)
    slices.release(7)
    now.clock += 600_000
    expect(slices.abandoned()).toEqual(new Set())
    now.clock++
    expect(slices.abandoned()).toEqual(new Set([7]))
    slices.drop([7])
    expect([slices.all(), slices.size()]).toEqual([[8], 1])
  })

  it("are queried immediately after the instance claims them again", () => {
    const { slices } = held()
    slices.release(7)
    slices.take(7)
    expect(slices.waitsUntil(7)).toBeUndefined()
    slices.release(9)
    expect(slices.has(9)).toBe(false)
  })
})
