import { describe, expect, it } from "vitest"
import { hashText } from "../src/hash.ts"
import { Occurrences } from "../src/Occurrences.ts"

describe("the occurrences of a hash", () => {
  it("are counted exactly, even if there are many entries of other hashes", () => {
    const occurrences = new Occurrences(20_000)
    for (let i = 0; i < 20_000; i++) occurrences.add(hashText(`key ${i % 7000}`), i)
    const counts = [0, 5999, 6000, 6999, 7000].map((i) => occurrences.count(hashText(`key ${i}`)))
    expect(counts).toEqual([3, 3, 2, 2, 0])
  })

  it("include the entries at both ends of the given range", () => {
    const occurrences = new Occurrences(8)
    for (const number of [10, 20, 20.9, 30]) occurrences.add(-1, number)
    for (const number of [-5, 2 ** 40]) occurrences.add(7, number)
    expect(occurrences.count(-1, 10, 20)).toBe(3)
    expect(occurrences.count(-1, 21, 29)).toBe(0)
    expect(occurrences.count(-1, 20.5, 30)).toBe(3)
    expect([occurrences.count(7, 0, 0), occurrences.count(7), occurrences.count(6)]).toEqual([1, 2, 0])
  })

  it("are 0 if no entry was added", () => {
    expect(new Occurrences(0).count(5)).toBe(0)
  })
})
