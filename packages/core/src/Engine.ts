/**
 * Drives exchanges over sockets: routes datagrams to the query that waits for them, keeps all deadlines behind one timer, counts
 * what belongs to nobody. A plain class without an Effect inside, since it runs once per datagram; it decodes nothing.
 *
 * One query is in flight per address on a socket, further ones wait their turn: replies carry no number by which two could be told
 * apart. Everything here runs on one event loop and nothing suspends, so there are no locks.
 *
 * @example
 * import { Datagrams, Engine, EngineSocket, Query, QueryExchange, RoundTrip, Timing, TokenBucket } from "@sourcewire/core"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * import * as Effect from "effect/Effect"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const ask = Effect.gen(function* () {
 *   const { open } = yield* Datagrams
 *   const engine = new Engine({ timing: yield* Timing.timing, pacer: new TokenBucket(500) })
 *   const socket: EngineSocket = engine.socket()
 *   socket.attach(yield* open({ family: 4 }, socket))
 *   const exchange = new QueryExchange(Query.info, settings, new RoundTrip())
 *   yield* Effect.callback<void>((resume) => {
 *     engine.submit(socket, "127.0.0.1", 27015, exchange, () => resume(Effect.void))
 *   })
 *   return exchange.result
 * })
 * console.log(await Effect.runPromise(Effect.scoped(ask).pipe(Effect.provide(NodeDatagrams.layer))))
 *
 * @module
 */
import type { DatagramHandle, DatagramHandler, SocketFault } from "./Datagrams.ts"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import * as failures from "./internal/failures.ts"
import { routeKey } from "./internal/ip.ts"
import { Journey } from "./internal/journey.ts"
import { TimerHeap } from "./internal/timerHeap.ts"
import { MAX_QUEUED_PER_REMOTE, MAX_REMEMBERED_REMOTES } from "./Limits.ts"
import type { Pacer } from "./Pacer.ts"
import type { QueryError } from "./QueryError.ts"
import { ConnectionClosed, SendFailed } from "./QueryError.ts"
import type { Timing } from "./Timing.ts"

/** Sees every datagram of an engine. `timeMs` is the engine's clock. The bytes are not to be kept. */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** What went through an engine since its beginning. */
export interface EngineCounters {
  sent: number
  received: number
  /** From addresses whose queries have ended: late, or repeated by the network. Dropped. */
  late: number
  /** From addresses that were not asked, or so long ago that nobody remembers. Dropped. */
  unsolicited: number
  /** Reported by sockets. */
  faults: number
}

/** How to build an engine. */
export interface EngineOptions {
  readonly timing: Timing
  /** Holds up first transmissions and repetitions; without one nothing waits. */
  readonly pacer?: Pacer
  readonly onDatagram?: OnDatagram
}

/** An exchange that was handed to an engine, to cancel it by. */
export interface Flight {
  /** It has ended or was cancelled. */
  readonly done: boolean
}

/** What the engine keeps of an exchange. */
type Entry = Journey<EngineSocket>

/** A socket as the engine sees it: a `DatagramHandler` to open it with, then `attach` the handle. */
export class EngineSocket implements DatagramHandler {
  /** @internal */
  readonly engine: Engine
  /** @internal */
  readonly routes = new Map<number | string, Entry>()
  /** @internal */
  handle: DatagramHandle | undefined = undefined
  /** Whose queries have ended, with the exchange where late replies teach it something; the earliest are forgotten. */
  private readonly ended = new Map<number | string, Entry["exchange"] | undefined>()

  /** @internal */
  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Queries under way or waiting. */
  get busy(): boolean {
    return this.routes.size > 0
  }

  readonly onDatagram = (bytes: Uint8Array, address: string, port: number): void => {
    this.engine.receive(this, bytes, address, port)
  }

  readonly onFault = (fault: SocketFault): void => {
    this.engine.fault(this, fault)
  }

  /** @internal */
  remember(key: number | string, { exchange }: Entry): void {
    if (this.ended.size >= MAX_REMEMBERED_REMOTES && !this.ended.has(key))
      this.ended.delete(this.ended.keys().next().value!)
    this.ended.set(key, (exchange.outstanding ?? 0) > 0 ? exchange : undefined)
  }

  /** @internal */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    this.ended.get(key)?.receive(bytes, now)
    return this.ended.has(key)
  }

  /** The socket is open. */
  attach(handle: DatagramHandle): void {
    this.handle = handle
  }

  /** The socket is about to be closed: all its queries end with `error`. */
  detach(error: QueryError): void {
    this.handle = undefined
    for (const journey of this.routes.values()) this.engine.failLine(journey, error)
  }
}

/** See the module. */
export class Engine {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, faults: 0 }
  private readonly timing: Timing
  private readonly pacer: Pacer | undefined
  private readonly onDatagram: OnDatagram | undefined
  private readonly timers = new TimerHeap<Entry>()
  private cancelTimer: (() => void) | undefined = undefined
  private timerDueAt = Number.POSITIVE_INFINITY

  constructor(options: EngineOptions) {
    this.timing = options.timing
    this.pacer = options.pacer
    this.onDatagram = options.onDatagram
  }

  /** Exchanges that have begun or wait for a token. */
  get inFlight(): number {
    return this.timers.size
  }

  /** A socket to be opened by the caller. */
  socket(): EngineSocket {
    return new EngineSocket(this)
  }

  /**
   * Runs an exchange with one address; `onDone` is called once, when `exchange.result` is there. Address in canonical form, as the
   * resolver gives it: it is compared with what the socket reports.
   */
  submit<A, E>(
    socket: EngineSocket,
    address: string,
    port: number,
    exchange: Exchange<A, E>,
    onDone: () => void
  ): Flight {
    const journey = new Journey(socket, exchange, address, port, onDone)
    const key = routeKey(address, port)
    const ahead = socket.routes.get(key)
    if (ahead === undefined) {
      socket.routes.set(key, journey)
      this.begin(journey, this.timing.now())
    } else this.enqueue(ahead, journey)
    return journey
  }

  /** Stops an exchange: nothing is sent, received or reported for it any more. Nothing happens when it is done. */
  cancel(flight: Flight): void {
    if (flight instanceof Journey) this.end(flight, false)
  }

  /** @internal */
  receive(socket: EngineSocket, bytes: Uint8Array, address: string, port: number): void {
    this.counters.received++
    const now = this.timing.now()
    this.onDatagram?.("received", bytes, { address, port }, now)
    const key = routeKey(address, port)
    const journey = socket.routes.get(key)
    if (journey === undefined || !journey.started) {
      if (socket.receiveLate(key, bytes, now)) this.counters.late++
      else this.counters.unsolicited++
      return
    }
    const step = journey.exchange.receive(bytes, now)
    if (step === Step.Send) this.pacer?.debit(now)
    this.apply(journey, step, now)
  }

  /** @internal */
  fault(socket: EngineSocket, fault: SocketFault): void {
    this.counters.faults++
    const journey =
      fault.peer === undefined
        ? // Without a peer only a socket with a single address can tell whom it is about.
          socket.routes.size === 1
          ? socket.routes.values().next().value
          : undefined
        : socket.routes.get(routeKey(fault.peer.address, fault.peer.port))
    if (journey !== undefined) this.failOne(journey, failures.ofSocket(fault))
  }

  /** @internal */
  failLine(journey: Entry, error: QueryError): void {
    for (let waiting: Entry | undefined = journey; waiting !== undefined;) {
      const { next }: Entry = waiting
      // Detached first, so that its end does not begin the next.
      waiting.next = undefined
      this.failOne(waiting, error)
      waiting = next
    }
  }

  /** @internal */
  end(journey: Entry, report: boolean): void {
    if (journey.done) return
    journey.done = true
    this.timers.remove(journey)
    const key = routeKey(journey.address, journey.port)
    const head = journey.socket.routes.get(key)
    if (journey.started) journey.socket.remember(key, journey)
    if (head === journey) {
      const { next } = journey
      if (next === undefined) journey.socket.routes.delete(key)
      else {
        journey.socket.routes.set(key, next)
        const { outstanding = 0 } = journey.exchange
        if (journey.started && outstanding > 0) next.exchange.comeAfter?.(outstanding)
        this.begin(next, this.timing.now())
      }
    } else {
      for (let ahead = head; ahead !== undefined; ahead = ahead.next) {
        if (ahead.next === journey) ahead.next = journey.next
      }
    }
    if (this.timers.size === 0) this.stopTimer()
    if (report) journey.onDone()
  }

  private enqueue(head: Entry, journey: Entry): void {
    let length = 1
    let last = head
    for (; last.next !== undefined; last = last.next) length++
    if (length < MAX_QUEUED_PER_REMOTE) last.next = journey
    else this.failOne(journey, new SendFailed({ message: `${length} queries already wait for that address.` }))
  }

  private begin(journey: Entry, now: number): void {
    if (journey.socket.handle === undefined) {
      this.failOne(journey, new ConnectionClosed({ message: "The client was closed before the query began." }))
      return
    }
    const waitMs = this.pacer?.take(now) ?? 0
    if (waitMs > 0) {
      this.schedule(journey, now + waitMs)
      return
    }
    journey.started = true
    this.apply(journey, journey.exchange.start(now), now)
  }

  private apply(journey: Entry, step: Step, now: number): void {
    if (step === Step.Done) {
      this.end(journey, true)
      return
    }
    this.schedule(journey, journey.exchange.deadline)
    if (step === Step.Send) this.send(journey, now)
  }

  private send(journey: Entry, now: number): void {
    const { address, port } = journey
    const { packet } = journey.exchange
    this.counters.sent++
    this.onDatagram?.("sent", packet, { address, port }, now)
    journey.socket.handle?.send(packet, address, port)
  }

  private failOne(journey: Entry, error: QueryError): void {
    if (journey.done) return
    journey.exchange.fail(error)
    this.end(journey, true)
  }

  private schedule(journey: Entry, dueAt: number): void {
    if (journey.done) return
    this.timers.schedule(journey, dueAt)
    // A timer that comes too early only looks and is set anew: cheaper than setting one per datagram.
    if (dueAt < this.timerDueAt) this.setTimer(dueAt)
  }

  private setTimer(dueAt: number): void {
    this.cancelTimer?.()
    this.timerDueAt = dueAt
    this.cancelTimer = this.timing.schedule(Math.max(0, dueAt - this.timing.now()), this.onTimer)
  }

  private stopTimer(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
    this.timerDueAt = Number.POSITIVE_INFINITY
  }

  private readonly onTimer = (): void => {
    this.cancelTimer = undefined
    this.timerDueAt = Number.POSITIVE_INFINITY
    const now = this.timing.now()
    for (let due = this.timers.first; due !== undefined && due.dueAt <= now; due = this.timers.first) {
      this.expire(due, now)
    }
    const next = this.timers.first
    if (next !== undefined && next.dueAt < this.timerDueAt) this.setTimer(next.dueAt)
  }

  private expire(journey: Entry, now: number): void {
    if (!journey.started) {
      this.begin(journey, now)
      return
    }
    const waitMs = this.pacer?.take(now) ?? 0
    if (waitMs > 0) this.schedule(journey, now + waitMs)
    else this.apply(journey, journey.exchange.expire(now), now)
  }
}
