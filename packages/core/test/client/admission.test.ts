/** Whose turn it is, in virtual time. */
import { beforeEach, describe, expect, it } from "vitest"
import type { Turn } from "../../src/client/admission.ts"
import { Admission } from "../../src/client/admission.ts"
import { MAX_IN_FLIGHT, MAX_WINDOW } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

let timing: ManualTiming
beforeEach(() => {
  timing = new ManualTiming()
})

/** What a window begins with. */
const FIRST = 16

const setUp = (room: () => number = () => Number.POSITIVE_INFINITY) => {
  const admission = new Admission(timing, room)
  const begun: Array<string> = []
  const enter = (server: number | string, name = String(server)): Turn => {
    const turn: Turn = { server, onTurn: (isOpen) => begun.push(isOpen ? name : `${name} closed`) }
    admission.enter(turn)
    return turn
  }
  return { admission, begun, enter }
}

const many = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))

describe("one server", () => {
  it("is asked one thing at a time, in order, however many wait", () => {
    const { admission, begun, enter } = setUp()
    const turns = many(5000, (i) => enter("A", String(i)))
    expect(begun).toEqual(["0"])
    expect([admission.inFlight, admission.waiting]).toEqual([1, 4999])
    for (const turn of turns) admission.leave(turn)
    expect(begun).toEqual(many(5000, String))
    expect([admission.inFlight, admission.waiting]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("does not hold up others, whatever is wanted of it", () => {
    const { begun, enter } = setUp()
    many(1000, () => enter("A"))
    enter("B")
    expect(begun).toEqual(["A", "B"])
  })

  it("is asked the next by whoever waited longest, behind all other servers that are ready", () => {
    const { admission, begun, enter } = setUp(() => 1)
    const [first] = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
    admission.leave(first)
    expect(begun).toEqual(["A1", "B"])
  })
})

describe("whoever gives up", () => {
  it("leaves from the line of a server", () => {
    const { admission, begun, enter } = setUp()
    const [first, second] = [enter("A", "1"), enter("A", "2"), enter("A", "3")]
    admission.leave(second)
    admission.leave(second)
    admission.leave(first)
    expect(begun).toEqual(["1", "3"])
    expect([admission.inFlight, admission.waiting]).toEqual([1, 0])
  })

  it.each([[[1]], [[5]], [[3]], [[5, 1]], [[2, 3, 4]], [[3, 1, 5, 2, 4]]])(
    "leaves the others in their order, and comes back at the end: %j",
    (leaving) => {
      const { admission, begun, enter } = setUp()
      const turns = many(6, (i) => enter("A", String(i)))
      for (const i of leaving) admission.leave(turns[i]!)
      const again = leaving.map((i) => enter("A", String(i)))
      const staying = turns.filter((_, i) => !leaving.includes(i))
      expect(admission.waiting).toBe(5)
      for (const turn of [...staying, ...again]) admission.leave(turn)
      expect(begun).toEqual([...[0, 1, 2, 3, 4, 5].filter((i) => !leaving.includes(i)), ...leaving].map(String))
      expect([admission.inFlight, admission.waiting]).toEqual([0, 0])
    }
  )

  it("leaves from the line for the window, and the next for that server takes the last place", () => {
    const { admission, begun, enter } = setUp(() => 1)
    const asking = enter("A")
    const [waiting] = [enter("B", "B1"), enter("C"), enter("B", "B2")]
    admission.leave(waiting)
    expect(admission.waiting).toBe(2)
    admission.leave(asking)
    expect(begun).toEqual(["A", "C"])
  })

  it("leaves while it asks, and another begins at once", () => {
    const { admission, begun, enter } = setUp(() => 1)
    const turn = enter("A")
    enter("B")
    expect(timing.timers.size).toBe(1)
    admission.leave(turn)
    expect(begun).toEqual(["A", "B"])
    expect(timing.timers.size).toBe(0)
  })

  it("may never have come", () => {
    const { admission, begun, enter } = setUp()
    admission.leave({ server: "A", onTurn: () => begun.push("never") })
    enter("A")
    expect(begun).toEqual(["A"])
    expect(admission.inFlight).toBe(1)
  })
})

describe("the window", () => {
  it("opens with answers, up to its most, and closes with nobody", () => {
    const { admission, begun, enter } = setUp()
    const turns = many(10_000, (i) => enter(i))
    expect(begun).toHaveLength(FIRST)
    for (const turn of turns.slice(0, 2000)) {
      admission.onAnswer(timing.time, false)
      admission.leave(turn)
    }
    expect(admission.inFlight).toBe(MAX_WINDOW)
    for (const turn of turns.slice(2000)) admission.leave(turn)
    expect(begun).toEqual(many(10_000, String))
    expect([admission.inFlight, admission.waiting]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("is no larger than there are sockets for", () => {
    let room = 5
    const { admission, begun, enter } = setUp(() => room)
    const turns = many(30, (i) => enter(i))
    expect(begun).toHaveLength(5)
    room = 12
    admission.leave(turns[0]!)
    expect(admission.inFlight).toBe(12)
  })

  it("leaves dead servers out, up to a limit of all that is asked", () => {
    const { admission, begun, enter } = setUp()
    many(2 * MAX_IN_FLIGHT, (i) => enter(i))
    timing.advance(999)
    expect(begun).toHaveLength(FIRST)
    timing.advance(101)
    expect(begun).toHaveLength(3 * FIRST)
    timing.advance(60_000)
    expect(admission.inFlight).toBe(MAX_IN_FLIGHT)
  })

  it("does not look at the clock when nobody waits", () => {
    const { enter } = setUp()
    many(FIRST, (i) => enter(i))
    expect(timing.timers.size).toBe(0)
  })
})

it("closed, it turns everybody away who waits or comes, and leaves no timer", () => {
  const { admission, begun, enter } = setUp(() => 2)
  const turns = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
  admission.close()
  expect(timing.timers.size).toBe(0)
  enter("D")
  expect(begun.toSorted()).toEqual(["A1", "A2 closed", "B", "C closed", "D closed"])
  for (const turn of turns) admission.leave(turn)
  expect([admission.inFlight, admission.waiting]).toEqual([0, 0])
  expect(begun).toHaveLength(5)
})
