/** The order in which requests start, in virtual time. */
import { beforeEach, describe, expect, it } from "vitest"
import { OnePerServer } from "../../src/client/onePerServer.ts"
import { QueryWindow } from "../../src/client/queryWindow.ts"
import { type Dispatched, Dispatcher, Turn } from "../../src/engine/Dispatcher.ts"
import { FIRST_WINDOW as FIRST, MAX_IN_FLIGHT, MAX_WINDOW } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

let timing: ManualTiming
beforeEach(() => {
  timing = new ManualTiming()
})

interface TestRequest extends Dispatched<TestRequest> {
  readonly key: number | string
}

const makeRequest = (key: number | string, onTurn: () => void, onClosed: () => void): TestRequest => {
  const request: TestRequest = {
    key,
    onTurn,
    onClosed,
    get turn() {
      return turn
    }
  }
  const turn = new Turn(request)
  return request
}

/** A dispatcher with the limits of a client. */
const setUp = (room: () => number = () => Number.POSITIVE_INFINITY) => {
  const window = new QueryWindow(MAX_WINDOW)
  const line = new Dispatcher<TestRequest>({
    groups: new OnePerServer(),
    room: {
      hasRoom: (counted, overdue) => counted < Math.min(room(), window.size) && counted + overdue < MAX_IN_FLIGHT
    },
    overdue: { timing, afterMs: () => window.deadMs, onOverdue: () => window.onDead(timing.now()) }
  })
  const begun: Array<string> = []
  const enter = (key: number | string, name = String(key)): TestRequest => {
    const request = makeRequest(
      key,
      () => begun.push(name),
      () => begun.push(`${name} closed`)
    )
    line.enter(request)
    return request
  }
  return { line, begun, enter, window }
}

const many = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))

describe("one server", () => {
  it("gets one request at a time, in order, even if many wait", () => {
    const { line, begun, enter } = setUp()
    const turns = many(5000, (i) => enter("A", String(i)))
    expect(begun).toEqual(["0"])
    expect([line.inFlight, line.queued]).toEqual([1, 4999])
    for (const turn of turns) line.leave(turn)
    expect(begun).toEqual(many(5000, String))
    expect([line.inFlight, line.queued]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("does not hold up others, whatever is wanted of it", () => {
    const { begun, enter } = setUp()
    many(1000, () => enter("A"))
    enter("B")
    expect(begun).toEqual(["A", "B"])
  })

  it("gets its next request after those of all other servers that are ready, oldest first", () => {
    const { line, begun, enter } = setUp(() => 1)
    const [first] = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
    line.leave(first)
    expect(begun).toEqual(["A1", "B"])
  })
})

describe("a canceled request", () => {
  it("leaves the line of a server", () => {
    const { line, begun, enter } = setUp()
    const [first, second] = [enter("A", "1"), enter("A", "2"), enter("A", "3")]
    line.leave(second)
    line.leave(second)
    line.leave(first)
    expect(begun).toEqual(["1", "3"])
    expect([line.inFlight, line.queued]).toEqual([1, 0])
  })

  it.each([[[1]], [[5]], [[3]], [[5, 1]], [[2, 3, 4]], [[3, 1, 5, 2, 4]]])(
    "leaves the others in their order, and comes back at the end: %j",
    (leaving) => {
      const { line, begun, enter } = setUp()
      const turns = many(6, (i) => enter("A", String(i)))
      for (const i of leaving) line.leave(turns[i]!)
      const again = leaving.map((i) => enter("A", String(i)))
      const staying = turns.filter((_, i) => !leaving.includes(i))
      expect(line.queued).toBe(5)
      for (const turn of [...staying, ...again]) line.leave(turn)
      expect(begun).toEqual([...[0, 1, 2, 3, 4, 5].filter((i) => !leaving.includes(i)), ...leaving].map(String))
      expect([line.inFlight, line.queued]).toEqual([0, 0])
    }
  )

  it("leaves the line for the window, and the next one for that server takes the last place", () => {
    const { line, begun, enter } = setUp(() => 1)
    const inFlight = enter("A")
    const [waiting] = [enter("B", "B1"), enter("C"), enter("B", "B2")]
    line.leave(waiting)
    expect(line.queued).toBe(2)
    line.leave(inFlight)
    expect(begun).toEqual(["A", "C"])
  })

  it("leaves while it is in flight, and another one begins at once", () => {
    const { line, begun, enter } = setUp(() => 1)
    const turn = enter("A")
    enter("B")
    expect(timing.timers.size).toBe(1)
    line.leave(turn)
    expect(begun).toEqual(["A", "B"])
    expect(timing.timers.size).toBe(0)
  })

  it("may not have entered", () => {
    const { line, begun, enter } = setUp()
    line.leave(
      makeRequest(
        "A",
        () => begun.push("never"),
        () => begun.push("closed")
      )
    )
    enter("A")
    expect(begun).toEqual(["A"])
    expect(line.inFlight).toBe(1)
  })
})

describe("the window", () => {
  it("opens with answers, up to its most, and closes with nobody", () => {
    const { line, begun, enter, window } = setUp()
    const turns = many(10_000, (i) => enter(i))
    expect(begun).toHaveLength(FIRST)
    for (const turn of turns.slice(0, 2000)) {
      window.onReply(timing.time, timing.time, false)
      line.startAll()
      line.leave(turn)
    }
    expect(line.inFlight).toBe(MAX_WINDOW)
    for (const turn of turns.slice(2000)) line.leave(turn)
    expect(begun).toEqual(many(10_000, String))
    expect([line.inFlight, line.queued]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("is no larger than there are sockets for", () => {
    let room = 5
    const { line, begun, enter } = setUp(() => room)
    const turns = many(30, (i) => enter(i))
    expect(begun).toHaveLength(5)
    room = 12
    line.leave(turns[0]!)
    expect(line.inFlight).toBe(12)
  })

  it("does not count dead servers, up to a limit for all requests in flight", () => {
    const { line, begun, enter } = setUp()
    many(2 * MAX_IN_FLIGHT, (i) => enter(i))
    timing.advance(999)
    expect(begun).toHaveLength(FIRST)
    timing.advance(101)
    expect(begun).toHaveLength(3 * FIRST)
    timing.advance(60_000)
    expect(line.inFlight).toBe(MAX_IN_FLIGHT)
  })

  it("sets no timer if no request waits", () => {
    const { enter } = setUp()
    many(FIRST, (i) => enter(i))
    expect(timing.timers.size).toBe(0)
  })
})

it("a closed dispatcher ends all waiting requests, and leaves no timer", () => {
  const { line, begun, enter } = setUp(() => 2)
  const turns = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
  line.close()
  expect(timing.timers.size).toBe(0)
  expect(begun.toSorted()).toEqual(["A1", "A2 closed", "B", "C closed"])
  for (const turn of turns) line.leave(turn)
  expect([line.inFlight, line.queued]).toEqual([0, 0])
  expect(begun).toHaveLength(4)
})
