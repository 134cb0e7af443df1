/** The unconnected sockets that the requests of a scan share. The clock is manual, and sockets open immediately. */
import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { CallbackRequest } from "../../src/engine/CallbackRequest.ts"
import { Engine } from "../../src/engine/Engine.ts"
import { SendFailed } from "../../src/engine/QueryError.ts"
import { Sockets, type SocketUser } from "../../src/engine/Sockets.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { ManualTiming } from "../manualTiming.ts"

/** Maximum time that a request waits for a socket, in ms. */
const PATIENCE_MS = 1000
const BURST_BYTES = 1000
/** Only 70 % of a receive queue is usable, here 3500 bytes. The replies to three requests fit into this part. */
const QUEUE_BYTES = 5000
const ROOM = 3

const NO_DESCRIPTORS = new SendFailed({ message: "This host has no free descriptor.", code: "EMFILE", local: true })
const NO_IPV6 = new SendFailed({ message: "This host has no IPv6.", code: "EAFNOSUPPORT" })

/** A request with a timeout that is longer than these tests. If the request fails, `code` is the code of its error. */
class Request extends CallbackRequest implements SocketUser {
  readonly family: 4 | 6

  constructor(address: string) {
    const settings = { timeoutMs: 60_000, retries: 0, encoding: "auto", random: () => 0.5 } as const
    super(new QueryExchange(Query.info, settings), address, 27_015, () => undefined)
    this.family = address.includes(":") ? 6 : 4
  }

  get code(): string | undefined {
    const result = this.exchange.result
    return result !== undefined && Result.isFailure(result) ? (result.failure as SendFailed).code : undefined
  }
}

const setUp = (options: { readonly count?: number } = {}) => {
  const timing = new ManualTiming()
  const engine = new Engine({ timing })
  /** The addresses to which each socket has sent a datagram. The sockets are in the order in which they were opened. */
  const users: Array<Array<string>> = []
  const attempts: Array<{ readonly at: number; readonly family: 4 | 6 }> = []
  const system: { refusal: SendFailed | undefined } = { refusal: undefined }
  const sockets = new Sockets({
    open: ({ family }) =>
      Effect.suspend(() => {
        attempts.push({ at: timing.time, family })
        if (system.refusal !== undefined) return Effect.fail(system.refusal)
        const sent: Array<string> = []
        users.push(sent)
        return Effect.succeed({
          local: { address: "0.0.0.0", port: 50_000 + users.length },
          send: (_bytes: Uint8Array, address: string) => void sent.push(address),
          receiveBufferBytes: QUEUE_BYTES
        })
      }),
    engine,
    timing,
    fork: Effect.runFork,
    shared: { count: options.count, burstBytes: BURST_BYTES, batching: false, patienceMs: PATIENCE_MS }
  })
  let started = 0
  /** Starts `count` requests to different addresses. */
  const start = (count: number, prefix = "192.0.2."): ReadonlyArray<Request> =>
    Array.from({ length: count }, () => {
      const request = new Request(`${prefix}${++started}`)
      sockets.acquire(request)
      return request
    })
  const load = () => users.map((sent) => sent.length)
  return { attempts, engine, load, sockets, start, system, timing, users }
}

describe("the sockets of a scan", () => {
  it("are opened one at a time, when the receive queues of the open sockets are full", () => {
    const { load, start } = setUp()
    start(ROOM)
    expect(load()).toEqual([3])
    start(1)
    expect(load()).toEqual([3, 1])
    start(ROOM)
    expect(load()).toEqual([3, 3, 1])
  })

  it("are limited to 16 per IP version, and further requests are distributed evenly among them", () => {
    const { load, start } = setUp()
    start(16 * ROOM)
    expect(load()).toEqual(Array.from({ length: 16 }, () => 3))
    start(17)
    expect(load()).toEqual([5, ...Array.from({ length: 15 }, () => 4)])
    start(1, "2001:db8::")
    expect(load()).toHaveLength(17)
  })

  it("do not exceed the configured number, and each request uses the socket with the fewest requests in flight", () => {
    const { engine, load, start } = setUp({ count: 3 })
    const requests = start(6)
    expect(load()).toEqual([2, 2, 2])
    engine.cancel(requests[1]!)
    start(2)
    expect(load()).toEqual([3, 3, 2])
  })
})

describe("if the system refuses the first socket of a scan", () => {
  it("requests wait, and are sent through the first socket that the system opens", () => {
    const { attempts, load, start, system, timing } = setUp({ count: 1 })
    system.refusal = NO_DESCRIPTORS
    const requests = start(2)
    timing.advance(PATIENCE_MS - 1)
    expect(requests.map(({ isDone }) => isDone)).toEqual([false, false])
    // The scan tries to open a socket every 100 ms.
    expect(attempts[0]!.at).toBe(0)
    expect(attempts.at(-1)!.at).toBe(900)
    system.refusal = undefined
    timing.advance(1)
    expect(load()).toEqual([2])
    expect(requests.map(({ isDone }) => isDone)).toEqual([false, false])
  })

  it("waiting requests fail after the maximum wait, and then new requests fail immediately for as long as the maximum wait", () => {
    const { load, start, system, timing } = setUp({ count: 1 })
    system.refusal = NO_DESCRIPTORS
    const [first] = start(1)
    timing.advance(PATIENCE_MS - 1)
    expect(first!.code).toBeUndefined()
    timing.advance(1)
    expect(first!.code).toBe("EMFILE")
    const [second] = start(1)
    expect(second!.code).toBe("EMFILE")
    timing.advance(PATIENCE_MS - 1)
    const [third] = start(1)
    expect(third!.code).toBe("EMFILE")
    // When the period of immediate failures is over, requests can open sockets again.
    timing.advance(1)
    system.refusal = undefined
    const [fourth] = start(1)
    expect(fourth!.isDone).toBe(false)
    expect(load()).toEqual([1])
    start(1)
    expect(load()).toEqual([2])
  })

  it("if a waiting request gets a socket, new requests no longer fail immediately", () => {
    const { load, start, system, timing } = setUp({ count: 1 })
    system.refusal = NO_DESCRIPTORS
    start(1)
    timing.advance(PATIENCE_MS - 100)
    start(1)
    timing.advance(150)
    expect(start(1)[0]!.code).toBe("EMFILE")
    system.refusal = undefined
    timing.advance(100)
    expect(load()).toEqual([1])
    expect(start(1)[0]!.isDone).toBe(false)
    expect(load()).toEqual([2])
  })

  it("when the period of immediate failures is over, a new request waits, and fails after the maximum wait", () => {
    const { start, system, timing } = setUp({ count: 1 })
    system.refusal = NO_DESCRIPTORS
    start(1)
    timing.advance(2 * PATIENCE_MS)
    const [later] = start(1)
    timing.advance(PATIENCE_MS - 1)
    expect(later!.code).toBeUndefined()
    timing.advance(1)
    expect(later!.code).toBe("EMFILE")
    expect(start(1)[0]!.code).toBe("EMFILE")
  })

  it("requests of the other IP version are not affected", () => {
    const { load, start, system } = setUp({ count: 1 })
    system.refusal = NO_IPV6
    const [ipv6] = start(1, "2001:db8::")
    expect(ipv6!.code).toBe("EAFNOSUPPORT")
    system.refusal = undefined
    const [ipv4] = start(1)
    expect(ipv4!.isDone).toBe(false)
    expect(load()).toEqual([1])
  })

  it("requests fail immediately if the reason is permanent, and the scan does not try to open a socket again", () => {
    const { attempts, start, system, timing } = setUp({ count: 1 })
    system.refusal = NO_IPV6
    expect(start(1, "2001:db8::")[0]!.code).toBe("EAFNOSUPPORT")
    timing.advance(100 * PATIENCE_MS)
    expect(start(1, "2001:db8::")[0]!.code).toBe("EAFNOSUPPORT")
    expect(attempts).toHaveLength(1)
  })
})

describe("if the system refuses a further socket of a scan", () => {
  it("requests use the open sockets, and the scan opens no further socket for a few seconds", () => {
    const { attempts, load, start, system, timing } = setUp()
    start(ROOM)
    system.refusal = NO_DESCRIPTORS
    const [fourth] = start(1)
    expect(attempts).toHaveLength(2)
    timing.advance(100)
    expect(load()).toEqual([4])
    expect(fourth!.isDone).toBe(false)
    system.refusal = undefined
    timing.advance(4899)
    start(1)
    expect(load()).toEqual([5])
    timing.advance(1)
    start(1)
    expect(load()).toEqual([5, 1])
  })

  it("requests do not fail, even if the reason is permanent", () => {
    const { load, start, system, timing } = setUp()
    start(ROOM)
    system.refusal = NO_IPV6
    const requests = start(3)
    timing.advance(2 * PATIENCE_MS)
    expect(requests.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
    expect(load()).toEqual([6])
  })
})

it("when the sockets of a scan are closed, all requests end with ConnectionClosed, and no more datagrams are sent", () => {
  const { load, sockets, start, system, timing } = setUp({ count: 1 })
  const [sent] = start(1)
  system.refusal = NO_DESCRIPTORS
  const [waiting] = start(1, "2001:db8::")
  Effect.runSync(sockets.close)
  timing.advance(PATIENCE_MS)
  expect([sent!, waiting!].map(({ exchange }) => exchange.result)).toMatchObject([
    { _tag: "Failure", failure: { _tag: "ConnectionClosed" } },
    { _tag: "Failure", failure: { _tag: "ConnectionClosed" } }
  ])
  expect(load()).toEqual([1])
})
