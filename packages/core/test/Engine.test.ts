import * as Result from "effect/Result"
import { beforeEach, describe, expect, it } from "vitest"
import type { DatagramHandle, Endpoint } from "../src/Datagrams.ts"
import { Engine } from "../src/Engine.ts"
import type { EngineOptions } from "../src/Engine.ts"
import { MAX_REMEMBERED_REMOTES } from "../src/Limits.ts"
import { TokenBucket } from "../src/Pacer.ts"
import * as Query from "../src/Query.ts"
import { QueryExchange } from "../src/QueryExchange.ts"
import { ConnectionClosed } from "../src/QueryError.ts"
import { RoundTrip } from "../src/RoundTrip.ts"
import type { Timing } from "../src/Timing.ts"
import { bytesOf } from "./drive.ts"
import * as messages from "./messages.ts"

/** Time that stands still until told to go on. */
class ManualTiming implements Timing {
  time = 0
  readonly timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  readonly now = () => this.time
  readonly schedule = (delayMs: number, run: () => void) => {
    const key = {}
    this.timers.set(key, { at: this.time + delayMs, run })
    return () => void this.timers.delete(key)
  }

  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const next = [...this.timers].sort(([, a], [, b]) => a.at - b.at)[0]
      if (next === undefined || next[1].at > end) break
      this.timers.delete(next[0])
      this.time = Math.max(this.time, next[1].at)
      next[1].run()
    }
    this.time = end
  }
}

const A: Endpoint = { address: "127.0.0.1", port: 27015 }
const B: Endpoint = { address: "127.0.0.1", port: 27016 }

let timing: ManualTiming
beforeEach(() => {
  timing = new ManualTiming()
})

const setUp = (options?: Omit<EngineOptions, "timing">) => {
  const engine = new Engine({ timing, ...options })
  const socket = engine.socket()
  const sent: Array<{ readonly at: number; readonly port: number }> = []
  const handle: DatagramHandle = {
    local: { address: "127.0.0.1", port: 50_000 },
    send: (_bytes, _address, port) => void sent.push({ at: timing.time, port })
  }
  socket.attach(handle)
  const ask = (remote: Endpoint, onDone: () => void = () => undefined, roundTrip?: RoundTrip) => {
    const settings = { timeoutMs: 3000, retries: 8, encoding: "auto", random: () => 0.5 } as const
    const exchange = new QueryExchange(Query.info, settings, roundTrip)
    let ended = 0
    const flight = engine.submit(socket, remote.address, remote.port, exchange, () => {
      ended++
      onDone()
    })
    return {
      exchange,
      flight,
      get ended() {
        return ended
      }
    }
  }
  const answer = (from: Endpoint) => socket.onDatagram(bytesOf(messages.INFO), from.address, from.port)
  return { engine, socket, sent, ask, answer }
}

describe("routing", () => {
  it("gives each address its own answer, whatever the order", () => {
    const { answer, ask, engine } = setUp()
    const [toA, toB] = [ask(A), ask(B)]
    answer(B)
    expect([toA.ended, toB.ended]).toEqual([0, 1])
    answer(A)
    expect([toA.ended, toB.ended]).toEqual([1, 1])
    expect(engine.inFlight).toBe(0)
  })

  it("drops and counts what nobody waits for", () => {
    const { answer, ask, engine } = setUp()
    const asked = ask(A)
    answer(B)
    answer({ address: "127.0.0.2", port: A.port })
    expect(asked.ended).toBe(0)
    answer(A)
    answer(A)
    expect(engine.counters).toEqual({ sent: 1, received: 4, late: 1, unsolicited: 2, faults: 0 })
    expect(asked.ended).toBe(1)
  })

  it("remembers so many addresses that were asked, and no more", () => {
    const { answer, ask, engine } = setUp()
    const remotes = Array.from({ length: MAX_REMEMBERED_REMOTES + 1 }, (_, i) => ({ ...A, port: 1 + i }))
    for (const remote of remotes) {
      ask(remote)
      answer(remote)
    }
    for (const remote of remotes) answer(remote)
    expect(engine.counters).toMatchObject({ late: MAX_REMEMBERED_REMOTES, unsolicited: 1 })
  })

  it("has one query per address in flight, the others wait in order", () => {
    const { answer, ask, sent } = setUp()
    const order: Array<number> = []
    for (const n of [1, 2, 3]) ask(A, () => order.push(n))
    expect(sent).toHaveLength(1)
    answer(A)
    answer(A)
    answer(A)
    expect(order).toEqual([1, 2, 3])
    expect(sent).toHaveLength(3)
  })

  it("does not take the second answer to a query for that to the next in line", () => {
    const { answer, ask } = setUp()
    const roundTrip = new RoundTrip()
    roundTrip.sample(100)
    const first = ask(A, undefined, roundTrip)
    timing.advance(roundTrip.rtoMs)
    const next = ask(A, undefined, roundTrip)
    answer(A)
    timing.advance(1)
    answer(A)
    expect([first.ended, next.ended]).toEqual([1, 0])
    timing.advance(99)
    answer(A)
    expect(next.exchange.rtt?.rttMs).toBe(100)
    expect([roundTrip.minMs, roundTrip.smoothedMs]).toEqual([100, 100])
  })
})

describe("time", () => {
  it("stands behind one timer, which is gone when nothing is in flight", () => {
    const { answer, ask, engine } = setUp()
    const flights = Array.from({ length: 100 }, (_, i) => ask({ address: "127.0.0.1", port: 1000 + i }))
    expect(timing.timers.size).toBe(1)
    answer({ address: "127.0.0.1", port: 1000 })
    timing.advance(10_000)
    expect(timing.timers.size).toBe(0)
    expect(engine.inFlight).toBe(0)
    expect(flights.every(({ ended }) => ended === 1)).toBe(true)
    expect(flights.filter(({ exchange }) => Result.isSuccess(exchange.result!))).toHaveLength(1)
  })
})

describe("cancelling", () => {
  it("frees the timer and the route at once, reports nothing, and lets the next begin", () => {
    const { answer, ask, engine, sent, socket } = setUp()
    const first = ask(A)
    const second = ask(A)
    const third = ask(A)
    engine.cancel(second.flight)
    engine.cancel(first.flight)
    expect(sent).toHaveLength(2)
    answer(A)
    expect([first.ended, second.ended, third.ended]).toEqual([0, 0, 1])
    engine.cancel(third.flight)
    expect(engine.inFlight).toBe(0)
    expect(timing.timers.size).toBe(0)
    expect(socket.busy).toBe(false)
  })
})

describe("faults", () => {
  it("end the query of the peer concerned", () => {
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

  it("that name nobody end nothing where several are asked", () => {
    const { ask, socket } = setUp()
    const asked = [ask(A), ask(B)]
    socket.onFault({ kind: "refused", message: "" })
    expect(asked.map(({ ended }) => ended)).toEqual([0, 0])
  })

  it("a closed socket ends all its queries, those in line too", () => {
    const { ask, socket } = setUp()
    const asked = [ask(A), ask(A), ask(B)]
    socket.detach(new ConnectionClosed({ message: "closed" }))
    asked.push(ask(A))
    expect(asked.map(({ ended }) => ended)).toEqual([1, 1, 1, 1])
    expect(timing.timers.size).toBe(0)
  })
})

describe("pacing", () => {
  it("holds up first transmissions without counting the wait as round trip", () => {
    const { answer, ask, sent } = setUp({ pacer: new TokenBucket(100, 1) })
    const asked = [1, 2, 3].map((port) => ask({ address: "127.0.0.1", port }))
    expect(sent).toHaveLength(1)
    timing.advance(25)
    expect(sent.map(({ at }) => Math.round(at))).toEqual([0, 10, 20])
    answer({ address: "127.0.0.1", port: 3 })
    expect(asked[2]!.exchange.rtt?.rttMs).toBeCloseTo(5)
  })
})

it("shows every datagram to who wants to see them", () => {
  const seen: Array<string> = []
  const { answer, ask } = setUp({
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
