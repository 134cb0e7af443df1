/**
 * Drives exchanges over sockets: routes datagrams to the query that waits for them, keeps all deadlines behind one timer, counts
 * what belongs to nobody. A plain class without an Effect inside, since it runs once per datagram; it decodes nothing.
 *
 * One query is in flight per address on a socket: replies carry no number by which two could be told apart. Everything here runs on
 * one event loop and nothing suspends, so there are no locks.
 *
 * A fault of this machine (no route, interface down, no buffers) is no answer and no silence of the server: the exchange's clock stands
 * still while its datagram is sent again and again, until it leaves or the time for that is up.
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
import * as failures from "../query/failures.ts"
import { routeKey } from "../address/ip.ts"
import { Journey } from "./journey.ts"
import { TimerHeap } from "./timerHeap.ts"
import {
  DEFAULT_TIMEOUT_MS,
  LOCAL_RETRY_MS,
  MAX_OVERDUE_DATAGRAMS,
  MAX_REMEMBERED_REMOTES,
  SOCKET_IDLE_MS
} from "../Limits.ts"
import type { Pacer } from "./Pacer.ts"
import type { QueryError } from "../query/QueryError.ts"
import { ConnectionClosed, SendFailed } from "../query/QueryError.ts"
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
  /** When its first datagram went out, on the engine's clock. */
  readonly startedAt: number | undefined
}

/** What the engine keeps of an exchange. */
type Entry = Journey<EngineSocket>

/** An exchange that has ended `at` some time, and how far its clock is behind. */
interface Ended {
  readonly exchange: Entry["exchange"]
  readonly lostMs: number
  readonly at: number
}

/** A socket as the engine sees it: a `DatagramHandler` to open it with, then `attach` the handle. */
export class EngineSocket implements DatagramHandler {
  /** @internal */
  readonly engine: Engine
  /** @internal */
  readonly routes = new Map<number | string, Entry>()
  /** @internal */
  handle: DatagramHandle | undefined = undefined
  /** Whose queries have ended, with those that replies may still come for; the earliest are forgotten. */
  private readonly ended = new Map<number | string, Ended | undefined>()

  /** @internal */
  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Queries under way. */
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
  remember(key: number | string, { exchange, lostMs }: Entry, at: number): void {
    if (this.ended.size >= MAX_REMEMBERED_REMOTES && !this.ended.has(key))
      this.ended.delete(this.ended.keys().next().value!)
    this.ended.set(key, (exchange.outstanding ?? 0) > 0 ? { exchange, lostMs, at } : undefined)
  }

  /** Replies that may still come for the exchange before with the same address. @internal */
  outstanding(key: number | string, now: number): number {
    const ended = this.ended.get(key)
    return ended === undefined || now - ended.at > SOCKET_IDLE_MS ? 0 : (ended.exchange.outstanding ?? 0)
  }

  /** @internal */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    const ended = this.ended.get(key)
    ended?.exchange.receive(bytes, now - ended.lostMs)
    return this.ended.has(key)
  }

  /** The socket is open. */
  attach(handle: DatagramHandle): void {
    this.handle = handle
  }

  /** The socket is about to be closed: all its queries end with such an error. */
  detach(error: () => QueryError): void {
    this.handle = undefined
    for (const journey of this.routes.values()) this.engine.failOne(journey, error())
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
  /** Datagrams that came since the timer was due: runtimes may serve a full socket before they look at their clocks. */
  private overdue = 0

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
   * resolver gives it: it is compared with what the socket reports. No other may be under way with it on that socket. `maxLostMs` is
   * how long faults of this machine are waited out, besides the time that the exchange takes.
   */
  submit<A, E>(
    socket: EngineSocket,
    address: string,
    port: number,
    exchange: Exchange<A, E>,
    onDone: () => void,
    maxLostMs: number = DEFAULT_TIMEOUT_MS
  ): Flight {
    const journey = new Journey(socket, exchange, address, port, onDone, maxLostMs)
    const key = routeKey(address, port)
    if (socket.routes.has(key)) {
      this.failOne(journey, new SendFailed({ message: "That address is being asked already, on the same socket." }))
      return journey
    }
    const now = this.timing.now()
    const outstanding = socket.outstanding(key, now)
    if (outstanding > 0) exchange.comeAfter?.(outstanding)
    socket.routes.set(key, journey)
    this.begin(journey, now)
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
    if (journey?.startedAt === undefined) {
      if (socket.receiveLate(key, bytes, now)) this.counters.late++
      else this.counters.unsolicited++
    } else {
      const step = journey.exchange.receive(bytes, journey.timeAt(now))
      if (step === Step.Send) this.pacer?.debit(now)
      if (step !== Step.Wait || journey.heldAt === undefined) this.apply(journey, step, now)
    }
    if (now >= this.timerDueAt && ++this.overdue >= MAX_OVERDUE_DATAGRAMS) this.onTimer()
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
    if (journey === undefined) return
    const error = failures.ofSocket(fault)
    if (fault.kind === "local" && error._tag === "SendFailed") this.hold(journey, error)
    else this.failOne(journey, error)
  }

  /** @internal */
  failOne(journey: Entry, error: QueryError): void {
    if (journey.done) return
    journey.exchange.fail(error)
    this.end(journey, true)
  }

  private end(journey: Entry, report: boolean): void {
    if (journey.done) return
    journey.done = true
    this.timers.remove(journey)
    const { routes } = journey.socket
    const key = routeKey(journey.address, journey.port)
    if (journey.startedAt !== undefined) journey.socket.remember(key, journey, this.timing.now())
    if (routes.get(key) === journey) routes.delete(key)
    if (this.timers.size === 0) this.stopTimer()
    if (report) journey.onDone()
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
    journey.startedAt = now
    this.apply(journey, journey.exchange.start(now), now)
  }

  /** What was sent last has not left this machine. */
  private hold(journey: Entry, fault: SendFailed): void {
    if (journey.done || journey.startedAt === undefined) return
    const now = this.timing.now()
    journey.fault = fault
    journey.heldAt ??= now
    this.schedule(journey, now + LOCAL_RETRY_MS)
  }

  private apply(journey: Entry, step: Step, now: number): void {
    if (step === Step.Done) {
      this.end(journey, true)
      return
    }
    journey.resume(now)
    this.schedule(journey, journey.exchange.deadline + journey.lostMs)
    if (step === Step.Send) this.send(journey, now)
  }

  private send(journey: Entry, now: number): void {
    const { address, port } = journey
    const { packet } = journey.exchange
    this.counters.sent++
    this.onDatagram?.("sent", packet, { address, port }, now)
    journey.socket.handle?.send(packet, address, port)
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
    this.cancelTimer?.()
    this.cancelTimer = undefined
    this.timerDueAt = Number.POSITIVE_INFINITY
    this.overdue = 0
    const now = this.timing.now()
    for (let due = this.timers.first; due !== undefined && due.dueAt <= now; due = this.timers.first) {
      this.expire(due, now)
    }
    const next = this.timers.first
    if (next !== undefined && next.dueAt < this.timerDueAt) this.setTimer(next.dueAt)
  }

  private expire(journey: Entry, now: number): void {
    if (journey.startedAt === undefined) {
      this.begin(journey, now)
      return
    }
    const waitMs = this.pacer?.take(now) ?? 0
    if (waitMs > 0) this.schedule(journey, now + waitMs)
    else if (journey.heldAt === undefined) this.apply(journey, journey.exchange.expire(journey.timeAt(now)), now)
    else this.sendAgain(journey, now)
  }

  private sendAgain(journey: Entry, now: number): void {
    journey.resume(now)
    if (journey.lostMs >= journey.maxLostMs) this.failOne(journey, journey.fault!)
    else this.apply(journey, Step.Send, now)
  }
}
