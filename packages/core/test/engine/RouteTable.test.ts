import { describe, expect, it } from "vitest"
import { RouteTable } from "../../src/engine/RouteTable.ts"
import { seededRandom } from "../../src/testing/Testing.ts"

describe("RouteTable", () => {
  it("has the same contents as a Map to which the same changes were made", () => {
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
        expect(table.get(key)).toBeDefined()
        table.delete(key)
        map.delete(key)
      } else {
        expect(table.get(key)).toBeUndefined()
        table.add(key, step)
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

  const filled = (count: number) => {
    const table = new RouteTable<{ readonly nth: number }>()
    for (let nth = 1; nth <= count; nth++) table.add(nth * 65_536, { nth })
    return table
  }

  it("contains all entries after it has grown", () => {
    const table = filled(1000)
    expect(table.size).toBe(1000)
    expect(Array.from({ length: 1000 }, (_, i) => table.get((i + 1) * 65_536)?.nth)).toEqual(
      Array.from({ length: 1000 }, (_, i) => i + 1)
    )
  })

  it("stores one entry for each key", () => {
    const table = filled(1)
    expect([table.add(65_536, { nth: 2 }), table.add("::1 1", { nth: 3 }), table.add("::1 1", { nth: 4 })]).toEqual([
      false,
      true,
      false
    ])
    expect([table.get(65_536)?.nth, table.get("::1 1")?.nth, table.size]).toEqual([1, 3, 2])
  })

  it("ignores the deletion of unknown keys, and can be filled with the same keys after `clear`", () => {
    const table = filled(3)
    table.add("::1 27015", { nth: 4 })
    for (const key of [1, "::2 27015"]) table.delete(key)
    expect(table.size).toBe(4)
    table.clear()
    table.add(65_536, { nth: 5 })
    table.add("::1 27015", { nth: 6 })
    expect([table.get(65_536)?.nth, table.get("::1 27015")?.nth, table.size]).toEqual([5, 6, 2])
  })
})
