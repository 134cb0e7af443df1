/**
 * The order in which the calls of a client start, and the data that the client stores per server. A few calls start immediately. All
 * other calls wait in a queue.
 */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { type Queued, type Server, Servers } from "../../src/client/servers.ts"
import type { Datagrams } from "../../src/engine/Datagrams.ts"
import { QueueEntry } from "../../src/engine/Dispatcher.ts"
import { Engine, InFlight } from "../../src/engine/Engine.ts"
import { type Exchange, Step } from "../../src/engine/Exchange.ts"
import { SendFailed } from "../../src/engine/QueryError.ts"
import { FIRST_WINDOW, MAX_REMEMBERED_ROUND_TRIPS } from "../../src/Limits.ts"
import { ManualTiming } from "../manualTiming.ts"

/** An exchange that never ends. */
const endless: Exchange<unknown, unknown> = {
  deadline: Number.POSITIVE_INFINITY,
  packet: new Uint8Array(0),
  result: undefined,
  start: () => Step.Wait,
  receive: () => Step.Wait,
  expire: () => Step.Wait,
  fail: () => Step.Done
}

class TestCall extends InFlight implements Queued {
  readonly entry: QueueEntry<Queued> = new QueueEntry<Queued>(this)
  readonly address: string
  readonly family = 4
  readonly onAdmitted: () => void
  readonly onClosed: () => void

  constructor({ key, remote }: Server, onAdmitted: () => void, onClosed = onAdmitted) {
    super(endless, remote.port, key, 1000)
    this.address = remote.address
    this.onAdmitted = onAdmitted
    this.onClosed = onClosed
  }

  onDone(): void {}
}

const setUp = (open: (typeof Datagrams.Service)["open"] = () => Effect.never) => {
  const timing = new ManualTiming()
  const engine = new Engine({ timing })
  const servers = new Servers({ open, engine, timing, fork: Effect.runFork })
  const events: Array<string> = []
  /** Starts a call, and returns a function that ends the call. */
  const enter = (server: string, name = server): (() => void) => {
    const call = new TestCall(
      servers.at({ address: server, port: 1 }, 4),
      () => events.push(name),
      () => events.push(`${name} closed`)
    )
    servers.dispatcher.enter(call)
    return () => servers.dispatcher.leave(call)
  }
  const fill = (count: number) => Array.from({ length: count }, (_, i) => enter(`${i}`))
  return { events, enter, fill, servers, timing }
}

it("a few concurrent calls start immediately, even after many earlier calls", () => {
  const { events, fill, timing } = setUp()
  for (let i = 0; i < 10; i++) for (const leave of fill(FIRST_WINDOW)) leave()
  expect(events).toHaveLength(10 * FIRST_WINDOW)
  expect(timing.timers.size).toBe(0)
})

it("a server gets its next query when its current query has ended", () => {
  const { events, enter } = setUp()
  const first = enter("A", "A1")
  enter("B")
  const second = enter("A", "A2")
  expect(events).toEqual(["A1", "B"])
  first()
  expect(events).toEqual(["A1", "B", "A2"])
  enter("A", "A3")
  second()
  expect(events).toEqual(["A1", "B", "A2", "A3"])
})

it("if the initial window is full, a call waits until a call in flight has ended", () => {
  const { events, enter, fill, timing } = setUp()
  const [first] = fill(FIRST_WINDOW)
  enter("more")
  expect([events.length, timing.timers.size]).toEqual([FIRST_WINDOW, 1])
  first!()
  expect([events.at(-1), timing.timers.size]).toEqual(["more", 0])
})

it("replies enlarge the window, so that waiting calls start", () => {
  const { events, fill, servers, timing } = setUp()
  fill(3 * FIRST_WINDOW)
  for (let i = 0; i < FIRST_WINDOW; i++) servers.onReply(timing.time, false)
  expect(events).toHaveLength(2 * FIRST_WINDOW)
})

it("calls wait if there are too few sockets", async () => {
  const local = { address: "127.0.0.1", port: 1 }
  let left = 4
  const { events, fill, servers, timing } = setUp(() =>
    left-- > 0
      ? Effect.succeed({ local, receiveBufferBytes: 0, sendBufferBytes: 0, send: () => {} })
      : Effect.fail(new SendFailed({ message: "no descriptors", local: true, code: "EMFILE" }))
  )
  const calls = [1, 2, 3, 4, 5].map((port) => {
    const call: Queued = new TestCall(servers.at({ address: "127.0.0.2", port }, 4), () =>
      servers.sockets.acquire(call)
    )
    servers.dispatcher.enter(call)
    return call
  })
  // When no more sockets can be opened, the client sets a timer. This loop waits until the timer is set.
  while (timing.timers.size === 0) await Effect.runPromise(Effect.yieldNow)
  for (const call of calls) {
    servers.sockets.release(call, false)
    servers.dispatcher.leave(call)
  }
  fill(5)
  // The client could open four sockets. When no more sockets can be opened, the client uses only three quarters of these four sockets.
  expect(events).toHaveLength(3)
})

it("a waiting call never starts if it is interrupted", () => {
  const { events, enter } = setUp()
  const first = enter("A", "A1")
  const second = enter("A", "A2")
  enter("A", "A3")
  second()
  first()
  expect(events).toEqual(["A1", "A3"])
})

it("a closed queue rejects waiting and new calls, and leaves no timer", () => {
  const { events, enter, servers, timing } = setUp()
  enter("A", "A1")
  enter("A", "A2")
  Effect.runSync(servers.close)
  enter("B")
  expect(events).toEqual(["A1", "A2 closed", "B closed"])
  expect(timing.timers.size).toBe(0)
  const alone = setUp()
  Effect.runSync(alone.servers.close)
  alone.enter("A")
  expect(alone.events).toEqual(["A closed"])
})

describe("data about a server", () => {
  const of = (servers: Servers, n: number, port = 27_015): Server =>
    servers.at({ address: `10.${n >> 16}.${(n >> 8) & 0xff}.${n & 0xff}`, port }, 4)

  it("is stored by address and port", () => {
    const { servers } = setUp()
    const one = of(servers, 1)
    expect(of(servers, 1)).toBe(one)
    expect(of(servers, 2)).not.toBe(one)
    expect(of(servers, 1, 27_016)).not.toBe(one)
  })

  it("if there are too many servers, the data about the least recently used server is dropped", () => {
    const { servers } = setUp()
    const first = of(servers, 0)
    const second = of(servers, 1)
    for (let n = 2; n < MAX_REMEMBERED_ROUND_TRIPS; n++) of(servers, n)
    // This call makes the first server the most recently used one.
    expect(of(servers, 0)).toBe(first)
    of(servers, MAX_REMEMBERED_ROUND_TRIPS)
    expect(of(servers, 0)).toBe(first)
    expect(of(servers, 1)).not.toBe(second)
  })
})
