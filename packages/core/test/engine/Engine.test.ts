import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Endpoint } from "../../src/engine/Datagrams.ts"
import { ConnectionClosed } from "../../src/engine/QueryError.ts"
import { RoundTrip } from "../../src/engine/Retry.ts"
import { MAX_OVERDUE_DATAGRAMS, MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../../src/Limits.ts"
import { A, B, setUp } from "../memoryEngine.ts"
import * as messages from "../messages.ts"

describe("the engine", () => {
  it("delivers each reply to its query, even if the replies arrive in the reverse order of the queries", () => {
    const { answer, ask, engine } = setUp()
    const [toA, toB] = [ask(A), ask(B)]
    answer(B)
    expect([toA.ended, toB.ended]).toEqual([0, 1])
    answer(A)
    expect([toA.ended, toB.ended]).toEqual([1, 1])
    expect(engine.inFlight).toBe(0)
  })

  it("drops and counts unexpected datagrams", () => {
    const { answer, ask, engine } = setUp()
    const query = ask(A)
    answer(B)
    answer({ address: "127.0.0.2", port: A.port })
    expect(query.ended).toBe(0)
    answer(A)
    answer(A)
    expect(engine.counters).toEqual({ sent: 1, received: 4, late: 1, unsolicited: 2, refused: 0, faults: 0 })
    expect(query.ended).toBe(1)
  })

  it("stores a limited number of queried addresses, to distinguish late replies from unsolicited datagrams", () => {
    const { answer, ask, engine } = setUp()
    const remotes = Array.from({ length: MAX_REMEMBERED_REMOTES + 1 }, (_, i) => ({ ...A, port: 1 + i }))
    for (const remote of remotes) {
      ask(remote)
      answer(remote)
    }
    for (const remote of remotes) answer(remote)
    expect(engine.counters).toMatchObject({ late: MAX_REMEMBERED_REMOTES, unsolicited: 1 })
  })

  it("allows one query in flight per address and socket: a second query to the address fails immediately", () => {
    const { answer, ask, sent } = setUp()
    const first = ask(A)
    const second = ask(A)
    expect([first.ended, second.ended]).toEqual([0, 1])
    expect(Result.isFailure(second.exchange.result!) && second.exchange.result.failure).toMatchObject({
      _tag: "SendFailed",
      message: "A query to this address is in flight already."
    })
    answer(A)
    expect([first.ended, second.ended]).toEqual([1, 1])
    expect(Result.isSuccess(first.exchange.result!)).toBe(true)
    expect(sent).toHaveLength(1)
  })

  it("ends a query on a closed socket immediately, and the error states that the query did not begin", () => {
    const { ask, sent, socket } = setUp()
    socket.detach(() => new ConnectionClosed({ message: "closed" }))
    const { ended, exchange } = ask(A)
    expect(ended).toBe(1)
    expect(Result.isFailure(exchange.result!) && exchange.result.failure).toMatchObject({
      _tag: "ConnectionClosed",
      message: "The client was closed before the query began."
    })
    expect(sent).toEqual([])
  })

  it.each([0, 10 * SOCKET_IDLE_MS])(
    "if a query was retransmitted, its second reply does not end the next query to the same server (first query sent at %i ms)",
    (startedAt) => {
      const { answer, ask, timing } = setUp()
      timing.advance(startedAt)
      const roundTrip = new RoundTrip()
      roundTrip.sample(100)
      ask(A, undefined, roundTrip)
      timing.advance(roundTrip.rtoMs)
      answer(A)
      const next = ask(A, undefined, roundTrip)
      timing.advance(1)
      answer(A)
      expect(next.ended).toBe(0)
      timing.advance(99)
      answer(A)
      expect(next.ended).toBe(1)
      expect(next.exchange.rtt?.rttMs).toBe(100)
      expect([roundTrip.minMs, roundTrip.smoothedMs]).toEqual([100, 100])
    }
  )

  it("assigns the next reply to the current query if a reply to an earlier query is long overdue", () => {
    const { answer, ask, timing } = setUp()
    const roundTrip = new RoundTrip()
    roundTrip.sample(100)
    ask(A, undefined, roundTrip)
    timing.advance(roundTrip.rtoMs)
    answer(A)
    timing.advance(SOCKET_IDLE_MS + 1)
    const next = ask(A, undefined, roundTrip)
    timing.advance(10)
    answer(A)
    expect(next.ended).toBe(1)
  })
})

describe("the timer of the engine", () => {
  it("serves all queries, and is cleared when no query is in flight", () => {
    const { answer, ask, engine, timing } = setUp()
    const requests = Array.from({ length: 100 }, (_, i) => ask({ address: "127.0.0.1", port: 1000 + i }))
    expect(timing.timers.size).toBe(1)
    answer({ address: "127.0.0.1", port: 1000 })
    timing.advance(10_000)
    expect(timing.timers.size).toBe(0)
    expect(engine.inFlight).toBe(0)
    expect(requests.every(({ ended }) => ended === 1)).toBe(true)
    expect(requests.filter(({ exchange }) => Result.isSuccess(exchange.result!))).toHaveLength(1)
  })
})

describe("if many queries are in flight", () => {
  it("deadlines are checked periodically, so that no query times out early or much too late", () => {
    const { ask, timing } = setUp()
    const late: Array<number> = []
    for (let i = 0; i < 2000; i++) {
      timing.advance(0.1)
      const startedAt = timing.time
      ask({ address: "127.0.0.1", port: 1000 + i }, () => late.push(timing.time - startedAt - 3000))
    }
    const before = timing.runs
    timing.advance(1000)
    expect(timing.runs - before).toBeLessThanOrEqual(100)
    timing.advance(3000)
    expect(late).toHaveLength(2000)
    expect(Math.min(...late)).toBeGreaterThan(-1e-6)
    expect(Math.max(...late)).toBeLessThanOrEqual(10.1)
    expect(timing.timers.size).toBe(0)
  })
})

describe("a flood of datagrams", () => {
  /** Delivers `count` datagrams. No timer runs between the datagrams. */
  const flood = (answer: (from: Endpoint) => void, from: Endpoint, count: number): void => {
    for (let i = 0; i < count; i++) answer(from)
  }

  it("delays a timeout for at most a fixed number of datagrams, even if the queried server sends the flood", () => {
    for (const from of [A, B, { ...A, port: 9 }]) {
      const { answer, ask, answerWith, timing } = setUp()
      const query = ask(A)
      if (from === B) ask(B)
      timing.time += 3000
      flood(from === A ? (remote) => answerWith(remote, messages.PLAYERS) : answer, from, MAX_OVERDUE_DATAGRAMS - 1)
      expect(query.ended).toBe(0)
      flood(from === A ? (remote) => answerWith(remote, messages.PLAYERS) : answer, from, 1)
      expect(query.ended).toBe(1)
    }
  })

  it("after each run of the timer, the engine counts the datagrams of the flood from 0 again", () => {
    const { answer, ask, timing } = setUp()
    const query = ask(A)
    flood(answer, B, 10 * MAX_OVERDUE_DATAGRAMS)
    timing.time += 300
    flood(answer, B, MAX_OVERDUE_DATAGRAMS - 1)
    timing.advance(0)
    timing.time += 2700
    flood(answer, B, MAX_OVERDUE_DATAGRAMS - 1)
    expect(query.ended).toBe(0)
    answer(A)
    expect(Result.isSuccess(query.exchange.result!)).toBe(true)
  })
})

describe("the cancellation of a query", () => {
  it("immediately clears the timer and the route, reports no result, and allows another query to the same address", () => {
    const { answer, ask, engine, sent, socket, timing } = setUp()
    const first = ask(A)
    engine.cancel(first.request)
    engine.cancel(first.request)
    expect(timing.timers.size).toBe(0)
    const second = ask(A)
    engine.cancel(first.request)
    expect(sent).toHaveLength(2)
    answer(A)
    expect([first.ended, second.ended]).toEqual([0, 1])
    const third = ask(A)
    engine.cancel(third.request)
    expect(third.request.isDone).toBe(true)
    expect(engine.inFlight).toBe(0)
    expect(timing.timers.size).toBe(0)
    expect(socket.inFlight).toBe(0)
  })
})

describe("socket errors", () => {
  it("an error with an address ends the query to this address, and an error without an address ends the only query of a socket", () => {
    const { ask, engine, socket } = setUp()
    const [toA, toB] = [ask(A), ask(B)]
    socket.onFault({ kind: "refused", message: "", peer: A })
    expect(Result.isFailure(toA.exchange.result!) && toA.exchange.result.failure._tag).toBe("PortClosed")
    expect(toB.ended).toBe(0)
    socket.onFault({ kind: "unreachable", message: "no route", code: "EHOSTUNREACH" })
    expect(Result.isFailure(toB.exchange.result!) && toB.exchange.result.failure).toMatchObject({
      _tag: "SendFailed",
      code: "EHOSTUNREACH"
    })
    expect(engine.counters.faults).toBe(2)
  })

  it("an error without an address ends no query if several queries use the socket", () => {
    const { ask, socket } = setUp()
    const queries = [ask(A), ask(B)]
    socket.onFault({ kind: "refused", message: "" })
    expect(queries.map(({ ended }) => ended)).toEqual([0, 0])
  })

  it("when a socket is closed, its queries in flight end, and later queries on this socket end immediately", () => {
    const { ask, socket, timing } = setUp()
    const queries = [ask(A), ask(B), ask({ ...A, port: 1 })]
    socket.detach(() => new ConnectionClosed({ message: "closed" }))
    queries.push(ask(A))
    expect(queries.map(({ ended }) => ended)).toEqual([1, 1, 1, 1])
    expect(timing.timers.size).toBe(0)
  })
})

it("the engine passes every datagram to `onDatagram`", () => {
  const seen: Array<string> = []
  const { answer, ask, timing } = setUp({
    onDatagram: (direction, bytes, { address, port }, timeMs) =>
      seen.push(`${timeMs} ${direction} ${bytes.length} ${address}:${port}`)
  })
  ask(A)
  timing.advance(5)
  answer(A)
  answer(B)
  const size = messages.INFO.length / 2
  expect(seen).toEqual([
    "0 sent 25 127.0.0.1:27015",
    `5 received ${size} 127.0.0.1:27015`,
    `5 received ${size} 127.0.0.1:27016`
  ])
})

describe("if `onDatagram` throws", () => {
  const error = new Error("no")
  const throwOn = (which: "sent" | "received") => {
    let calls = 0
    const all = setUp({
      onDatagram: (direction) => {
        calls++
        if (direction === which) throw error
      }
    })
    return { ...all, calls: () => calls }
  }

  it.each(["sent", "received"] as const)(
    "for a %s datagram, the datagram's query ends with the error, and `onDatagram` is not called again",
    (which) => {
      const { answer, ask, calls, engine, timing } = throwOn(which)
      const query = ask(A)
      if (which === "received") answer(A)
      expect([query.ended, query.request.defect]).toEqual([1, { error }])
      const other = ask(B)
      answer(B)
      expect(Result.isSuccess(other.exchange.result!)).toBe(true)
      expect(calls()).toBe(which === "sent" ? 1 : 2)
      expect([engine.inFlight, timing.timers.size]).toEqual([0, 0])
    }
  )

  it("the queries in flight continue if the datagram belongs to none of them", () => {
    const { answer, ask } = throwOn("received")
    const query = ask(A)
    answer(B)
    answer(A)
    expect(Result.isSuccess(query.exchange.result!)).toBe(true)
  })
})
