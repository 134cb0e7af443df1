import { expect, it } from "vitest"
import { seededRandom } from "../../src/testing/seededRandom.ts"
import type { Timed } from "../../src/engine/timerHeap.ts"
import { TimerHeap } from "../../src/engine/timerHeap.ts"

const entry = (): Timed => ({ dueAt: 0, heapIndex: -1 })

it("gives the entries in the order of their deadlines, whatever is moved and removed", () => {
  const random = seededRandom(7)
  for (let round = 0; round < 50; round++) {
    const heap = new TimerHeap<Timed>()
    const entries = Array.from({ length: 100 }, entry)
    const left = new Set<Timed>()
    for (let i = 0; i < 500; i++) {
      const one = entries[Math.floor(random() * entries.length)]!
      if (random() < 0.25) {
        heap.remove(one)
        left.delete(one)
      } else {
        heap.schedule(one, Math.floor(random() * 1000))
        left.add(one)
      }
    }
    expect(heap.size).toBe(left.size)
    const expected = [...left].map(({ dueAt }) => dueAt).sort((a, b) => a - b)
    const drained: Array<number> = []
    for (let first = heap.first; first !== undefined; first = heap.first) {
      drained.push(first.dueAt)
      heap.remove(first)
    }
    expect(drained).toEqual(expected)
  }
})
