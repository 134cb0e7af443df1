/** Tests in virtual time: the order in which requests start. */
import { beforeEach, describe, expect, it } from "vitest"
import { OnePerServer } from "../../src/client/onePerServer.ts"
import { QueryWindow } from "../../src/client/queryWindow.ts"
import { type Dispatched, Dispatcher, QueueEntry } from "../../src/engine/Dispatcher.ts"
import { FIRST_WINDOW as FIRST, MAX_IN_FLIGHT, MAX_WINDOW } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

let timing: ManualTiming
beforeEach(() => {
  timing = new ManualTiming()
})

interface TestRequest extends Dispatched<TestRequest> {
  readonly key: number | string
}

const makeRequest = (key: number | string, onAdmitted: () => void, onClosed: () => void): TestRequest => {
  const request: TestRequest = {
    key,
    onAdmitted,
    onClosed,
    get entry() {
      return turn
    }
  }
  const turn = new QueueEntry(request)
  return request
}

/** A dispatcher with the limits of a client. */
const setUp = (room: () => number = () => Number.POSITIVE_INFINITY) => {
  const window = new QueryWindow(MAX_WINDOW)
  const dispatcher = new Dispatcher<TestRequest>({
    groups: new OnePerServer(),
    room: {
      hasRoom: (counted, overdue) => counted < Math.min(room(), window.size) && counted + overdue < MAX_IN_FLIGHT
    },
    overdue: { timing, afterMs: () => window.deadMs, onOverdue: () => window.onDead(timing.now()) }
  })
  const events: Array<string> = []
  const enter = (key: number | string, name = String(key)): TestRequest => {
    const request = makeRequest(
      key,
      () => events.push(name),
      () => events.push(`${name} closed`)
    )
    dispatcher.enter(request)
    return request
  }
  return { dispatcher, events, enter, window }
}

const many = <A>(count: number, make: (i: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, i) => make(i))

describe("one server", () => {
  it("gets one request at a time, in order, even if many requests wait", () => {
    const { dispatcher, events, enter } = setUp()
    const turns = many(5000, (i) => enter("A", String(i)))
    expect(events).toEqual(["0"])
    expect([dispatcher.inFlight, dispatcher.queued]).toEqual([1, 4999])
    for (const turn of turns) dispatcher.leave(turn)
    expect(events).toEqual(many(5000, String))
    expect([dispatcher.inFlight, dispatcher.queued]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("does not delay requests to other servers, even if many requests to this server wait", () => {
    const { events, enter } = setUp()
    many(1000, () => enter("A"))
    enter("B")
    expect(events).toEqual(["A", "B"])
  })

  it("does not get two requests in succession if a request to another server waits", () => {
    const { dispatcher, events, enter } = setUp(() => 1)
    const [first] = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
    dispatcher.leave(first)
    expect(events).toEqual(["A1", "B"])
  })
})

describe("a cancelled request", () => {
  it("leaves the queue of its server", () => {
    const { dispatcher, events, enter } = setUp()
    const [first, second] = [enter("A", "1"), enter("A", "2"), enter("A", "3")]
    dispatcher.leave(second)
    dispatcher.leave(second)
    dispatcher.leave(first)
    expect(events).toEqual(["1", "3"])
    expect([dispatcher.inFlight, dispatcher.queued]).toEqual([1, 0])
  })

  it.each([[[1]], [[5]], [[3]], [[5, 1]], [[2, 3, 4]], [[3, 1, 5, 2, 4]]])(
    "does not change the order of the other requests, and waits at the end of the queue if it is added again (cancelled: %j)",
    (leaving) => {
      const { dispatcher, events, enter } = setUp()
      const turns = many(6, (i) => enter("A", String(i)))
      for (const i of leaving) dispatcher.leave(turns[i]!)
      const again = leaving.map((i) => enter("A", String(i)))
      const staying = turns.filter((_, i) => !leaving.includes(i))
      expect(dispatcher.queued).toBe(5)
      for (const turn of [...staying, ...again]) dispatcher.leave(turn)
      expect(events).toEqual([...[0, 1, 2, 3, 4, 5].filter((i) => !leaving.includes(i)), ...leaving].map(String))
      expect([dispatcher.inFlight, dispatcher.queued]).toEqual([0, 0])
    }
  )

  it("loses its place in the queue, and no other request to the same server gets this place", () => {
    const { dispatcher, events, enter } = setUp(() => 1)
    const inFlight = enter("A")
    const [waiting] = [enter("B", "B1"), enter("C"), enter("B", "B2")]
    dispatcher.leave(waiting)
    expect(dispatcher.queued).toBe(2)
    dispatcher.leave(inFlight)
    expect(events).toEqual(["A", "C"])
  })

  it("lets a waiting request start immediately if the cancelled request was in flight", () => {
    const { dispatcher, events, enter } = setUp(() => 1)
    const turn = enter("A")
    enter("B")
    expect(timing.timers.size).toBe(1)
    dispatcher.leave(turn)
    expect(events).toEqual(["A", "B"])
    expect(timing.timers.size).toBe(0)
  })

  it("the cancellation is ignored if the request never entered the queue", () => {
    const { dispatcher, events, enter } = setUp()
    dispatcher.leave(
      makeRequest(
        "A",
        () => events.push("never"),
        () => events.push("closed")
      )
    )
    enter("A")
    expect(events).toEqual(["A"])
    expect(dispatcher.inFlight).toBe(1)
  })
})

describe("the window", () => {
  it("grows with replies up to its maximum, and all requests start in the order in which they entered the queue", () => {
    const { dispatcher, events, enter, window } = setUp()
    const turns = many(10_000, (i) => enter(i))
    expect(events).toHaveLength(FIRST)
    for (const turn of turns.slice(0, 2000)) {
      window.onReply(timing.time, timing.time, false)
      dispatcher.startAll()
      dispatcher.leave(turn)
    }
    expect(dispatcher.inFlight).toBe(MAX_WINDOW)
    for (const turn of turns.slice(2000)) dispatcher.leave(turn)
    expect(events).toEqual(many(10_000, String))
    expect([dispatcher.inFlight, dispatcher.queued]).toEqual([0, 0])
    expect(timing.timers.size).toBe(0)
  })

  it("limits the requests in flight to the number of available sockets", () => {
    let room = 5
    const { dispatcher, events, enter } = setUp(() => room)
    const turns = many(30, (i) => enter(i))
    expect(events).toHaveLength(5)
    room = 12
    dispatcher.leave(turns[0]!)
    expect(dispatcher.inFlight).toBe(12)
  })

  it("does not include requests to dead servers, but a fixed limit applies to all requests in flight", () => {
    const { dispatcher, events, enter } = setUp()
    many(2 * MAX_IN_FLIGHT, (i) => enter(i))
    timing.advance(999)
    expect(events).toHaveLength(FIRST)
    timing.advance(101)
    expect(events).toHaveLength(3 * FIRST)
    timing.advance(60_000)
    expect(dispatcher.inFlight).toBe(MAX_IN_FLIGHT)
  })

  it("the dispatcher needs no timer if no request waits", () => {
    const { enter } = setUp()
    many(FIRST, (i) => enter(i))
    expect(timing.timers.size).toBe(0)
  })
})

it("a closed dispatcher ends all waiting requests, and leaves no timer", () => {
  const { dispatcher, events, enter } = setUp(() => 2)
  const turns = [enter("A", "A1"), enter("A", "A2"), enter("B"), enter("C")]
  dispatcher.close()
  expect(timing.timers.size).toBe(0)
  expect(events.toSorted()).toEqual(["A1", "A2 closed", "B", "C closed"])
  for (const turn of turns) dispatcher.leave(turn)
  expect([dispatcher.inFlight, dispatcher.queued]).toEqual([0, 0])
  expect(events).toHaveLength(4)
})
