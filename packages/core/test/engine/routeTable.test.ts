import { describe, expect, it } from "vitest"
import { RouteTable } from "../../src/engine/routeTable.ts"
import { seededRandom } from "../../src/testing/seededRandom.ts"

describe("RouteTable", () => {
  it("does as a Map does, over many changes", () => {
    const random = seededRandom(9)
    const table = new RouteTable<number>()
    const map = new Map<number | string, number>()
    const keys = Array.from({ length: 400 }, (_, i) =>
      i % 20 === 0 ? `::${i} 27015` : 1 + Math.floor(random() * 2 ** (i % 2 === 0 ? 48 : 9))
    )
    for (let step = 0; step < 20_000; step++) {
      const key = keys[Math.floor(random() * keys.length)]!
      expect(table.get(key)).toBe(map.get(key))
      if (map.has(key)) {
        expect(table.add(key, -1)).toBe(false)
        expect(table.get(key)).toBe(map.get(key))
        table.delete(key)
        map.delete(key)
      } else {
        expect(table.add(key, step)).toBe(true)
        map.set(key, step)
      }
      expect(table.size).toBe(map.size)
    }
    const values: Array<number> = []
    table.forEach((value) => values.push(value))
    expect(values.toSorted()).toEqual([...map.values()].toSorted())
    table.delete(-1)
    table.clear()
    expect([table.size, table.get(keys[1]!)]).toEqual([0, undefined])
  })
})
