import { describe, expect, it } from "vitest"
import type { Waiting } from "../../src/client/line.ts"
import { Line } from "../../src/client/line.ts"

class One implements Waiting<One> {
  line: Line<One> | undefined = undefined
  ahead: One | undefined = undefined
  behind: One | undefined = undefined
}

const all = (line: Line<One>): ReadonlyArray<One> => {
  const found: Array<One> = []
  for (let one = line.shift(); one !== undefined; one = line.shift()) found.push(one)
  return found
}

describe("a line", () => {
  it.each([
    ["nobody", []],
    ["the first", [0]],
    ["the last", [4]],
    ["one in the middle", [2]],
    ["both ends", [4, 0]],
    ["neighbours", [1, 2, 3]],
    ["everybody", [2, 0, 4, 1, 3]]
  ])("keeps its order when %s leaves", (_, leaving) => {
    const line = new Line<One>()
    const ones = Array.from({ length: 5 }, () => new One())
    for (const one of ones) line.push(one)
    for (const i of leaving) {
      line.remove(ones[i]!)
      expect(ones[i]).toEqual(new One())
    }
    const left = ones.filter((_, i) => !leaving.includes(i))
    expect(line.length).toBe(left.length)
    expect(line.first).toBe(left[0])
    // Whoever has left may join again, at the end.
    const again = leaving.map((i) => ones[i]!)
    for (const one of again) line.push(one)
    expect(all(line)).toEqual([...left, ...again])
    expect([line.length, line.first]).toEqual([0, undefined])
  })
})
