import { describe, expect, it } from "vitest"
import { Deadlines, Due } from "../../src/engine/Deadlines.ts"

class Request extends Due {
  /** Number of times that `dueAt` was read. */
  reads = 0
  private at: number

  constructor(at: number) {
    super()
    this.at = at
  }

  get dueAt(): number {
    this.reads++
    return this.at
  }

  set dueAt(at: number) {
    this.at = at
  }
}

const takeDue = (deadlines: Deadlines<Request>, now: number): ReadonlyArray<Request> => {
  const all: Array<Request> = []
  deadlines.take(now, (request) => {
    all.push(request)
    request.dueAt = Number.POSITIVE_INFINITY
  })
  return all
}

describe("deadlines", () => {
  it("`dueAt` of a waiting request is not read until the request is due", () => {
    const deadlines = new Deadlines<Request>()
    const waiting = Array.from({ length: 1000 }, () => new Request(10_000))
    for (const request of waiting) deadlines.put(request)
    const reads = waiting.map((request) => request.reads)
    for (let now = 0; now < 10_000; now += 10) expect(takeDue(deadlines, now)).toEqual([])
    expect(waiting.map((request) => request.reads)).toEqual(reads)
    expect(takeDue(deadlines, 10_000)).toHaveLength(1000)
  })

  it("`take` passes exactly the due requests to the callback, even if requests are added, moved and removed between two calls of `take`", () => {
    // A linear congruential generator, so that each run uses the same numbers.
    let seed = 1
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const deadlines = new Deadlines<Request>()
    const expected = new Map<Request, number>()
    const put = (request: Request, at: number) => {
      request.dueAt = at
      deadlines.put(request)
      expected.set(request, at)
    }
    for (let now = 0; now < 2000; now++) {
      put(new Request(0), now + 1 + random(500))
      const [moved, removed] = [...expected.keys()]
      if (moved !== undefined && random(2) === 0) put(moved, now + 1 + random(500))
      if (removed !== undefined && random(3) === 0) {
        deadlines.remove(removed)
        expected.delete(removed)
      }
      const due = [...expected].filter(([, at]) => at <= now).map(([request]) => request)
      expect(new Set(takeDue(deadlines, now))).toEqual(new Set(due))
      for (const request of due) expected.delete(request)
      expect(deadlines.next).toBeLessThanOrEqual(Math.min(...expected.values()))
    }
  })

  it("`take` passes each due request to the callback once, even if the callback puts the request back with the same due time", () => {
    const deadlines = new Deadlines<Request>()
    const request = new Request(0)
    deadlines.put(request)
    let calls = 0
    deadlines.take(0, () => {
      calls++
      deadlines.put(request)
    })
    expect([calls, deadlines.next]).toEqual([1, 0])
  })

  it("`take` does not pass a request to the callback if an earlier call of the callback has postponed the request", () => {
    const deadlines = new Deadlines<Request>()
    const [first, second] = [new Request(0), new Request(1)]
    deadlines.put(first)
    deadlines.put(second)
    const calls: Array<Request> = []
    deadlines.take(1, (request) => {
      calls.push(request)
      second.dueAt = 5
      deadlines.put(second)
    })
    expect(calls).toEqual([first])
    expect(deadlines.next).toBe(5)
  })
})
