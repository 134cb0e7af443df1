/**
 * Runs exchanges over sockets: gives each datagram to the request that waits for it, keeps all deadlines behind one timer, counts what
 * belongs to nobody. A plain class without an Effect inside, since it runs once per datagram; it decodes nothing.
 *
 * One request per address is in flight: replies carry no number by which two could be told apart. Everything here runs on one event
 * loop and nothing suspends, so there are no locks.
 *
 * While few requests are in flight the timer is set for the exact time of the next deadline. With many, all deadlines are looked at
 * every 10 ms or more, which costs less than keeping them in order, and each may be that late.
 */
import { routeKey } from "../address/ip.ts"
import { MAX_OVERDUE_DATAGRAMS, MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import type { DatagramHandle, DatagramHandler, SocketFault } from "./Datagrams.ts"
import { type Exchange, Step } from "./Exchange.ts"
import { LostTime } from "./lostTime.ts"
import { ConnectionClosed, failureOf, type QueryError, SendFailed } from "./QueryError.ts"
import type { Timing } from "./Timing.ts"
import { type EngineCounters, type OnDatagram, Onlooker } from "./traffic.ts"

/** Requests in flight up to which the engine wakes exactly: as many as a client has, unless servers are dead. */
const FEW = 256
/** With more, how often deadlines are looked at, in ms. */
const LOOK_MS = 10
/** With very many it is done less often, to keep it below some percent of the time. */
const LOOKED_AT_PER_MS = 2000

/** Requests by the key of the address that they ask: what an engine wants of a `Map`. */
export interface Routes<R extends InFlight> extends Pick<Map<number | string, R>, "get" | "clear"> {
  /** Takes one in; `false` where there is one of that key. */
  add(key: number | string, request: R): boolean
  delete(key: number | string): unknown
  forEach(use: (request: R) => void): void
}

class RouteMap<R extends InFlight> extends Map<number | string, R> implements Routes<R> {
  add(key: number | string, request: R): boolean {
    return !this.has(key) && this.set(key, request) === this
  }
}

/** How to build an engine. */
export interface EngineOptions {
  readonly timing: Timing
  readonly onDatagram?: OnDatagram | undefined
}

/** Runs requests; see above for what it does with deadlines. */
export class Engine<R extends InFlight = InFlight> {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  private readonly timing: Timing
  private readonly onlooker: Onlooker | undefined
  protected readonly requests: Routes<R>
  private cancelWake: (() => void) | undefined = undefined
  private wakeAt = Number.POSITIVE_INFINITY
  /** Datagrams that came since the timer was due: runtimes may serve a full socket before they look at their clocks. */
  private overdue = 0
  /** Requests that have begun and not ended. Written here only. */
  inFlight = 0

  constructor({ onDatagram, timing }: EngineOptions, requests: Routes<R> = new RouteMap()) {
    this.timing = timing
    this.requests = requests
    this.onlooker = onDatagram === undefined ? undefined : new Onlooker(this, onDatagram)
  }

  /** A socket to be opened by the caller. */
  socket(): EngineSocket {
    return new EngineSocket(this)
  }

  /** Begins a request on an open socket. No other may be under way with the same address. */
  submit(socket: EngineSocket, request: R): void {
    const { exchange, key } = request
    if (socket.handle === undefined) {
      this.fail(request, new ConnectionClosed({ message: "The client was closed before the query began." }))
    } else if (!this.requests.add(key, request)) {
      this.fail(request, new SendFailed({ message: "That address is being asked already." }))
    } else {
      const now = this.timing.now()
      const ended = socket.ended.get(key)
      if (ended !== undefined && now - ended.at <= SOCKET_IDLE_MS) {
        exchange.comeAfter?.(ended.request.exchange.outstanding ?? 0)
      }
      request.socket = socket
      request.startedAt = now
      socket.inFlight++
      this.inFlight++
      this.apply(request, exchange.start(now), now)
    }
  }

  /** Stops a request: nothing is sent, received or reported for it any more. Nothing happens when it is done. */
  cancel(request: R): void {
    if (request.isDone) return
    request.isDone = true
    request.dueAt = Number.POSITIVE_INFINITY
    const { key, socket } = request
    if (socket === undefined) return
    this.requests.delete(key)
    socket.inFlight--
    this.inFlight--
    this.onEnd(request, socket)
  }

  /** Ends a request, begun or not, with such an error. */
  fail(request: R, error: QueryError): void {
    if (request.isDone) return
    request.exchange.fail(error)
    this.end(request)
  }

  /** @internal */
  receive(socket: EngineSocket, bytes: Uint8Array, address: string, port: number): void {
    this.counters.received++
    const now = this.timing.now()
    const key = routeKey(address, port)
    const found = this.requests.get(key)
    const request = found?.socket === socket ? found : undefined
    this.onlooker?.see(request, "received", bytes, { address, port }, now)
    if (request === undefined) this.counters[socket.receiveLate(key, bytes, now) ? "late" : "unsolicited"]++
    else if (!request.isDone) this.apply(request, (request.lost ?? request.exchange).receive(bytes, now), now)
    if (now >= this.wakeAt && ++this.overdue >= MAX_OVERDUE_DATAGRAMS) this.wake()
  }

  /** @internal */
  fault(socket: EngineSocket, fault: SocketFault): void {
    this.counters.faults++
    const { peer } = fault
    // Without its peer only a socket with a single request can tell whom it is about.
    const [only] = peer === undefined && socket.inFlight === 1 ? this.requestsOf(socket) : []
    const request = peer === undefined ? only : this.requests.get(routeKey(peer.address, peer.port))
    if (request?.socket === socket) this.onFault(request, fault)
  }

  /** @internal */
  requestsOf(socket: EngineSocket): ReadonlyArray<R> {
    const found: Array<R> = []
    this.requests.forEach((request) => {
      if (request.socket === socket) found.push(request)
    })
    return found
  }

  /** The system says so of a request's way. */
  protected onFault(request: R, fault: SocketFault): void {
    if (fault.kind !== "local") {
      this.fail(request, failureOf(fault))
      return
    }
    this.counters.sent--
    this.counters.refused++
    const now = this.timing.now()
    request.lost ??= new LostTime(request)
    request.lost.hold(fault, this.inFlight > FEW, now)
    this.apply(request, Step.Wait, now)
  }

  /** A request has ended that was under way through this socket. */
  protected onEnd(request: R, socket: EngineSocket): void {
    socket.remember(request, this.timing.now())
    if (this.inFlight === 0) this.stopTimer()
  }

  private end(request: R): void {
    if (request.isDone) return
    this.cancel(request)
    request.onDone()
  }

  private apply(request: R, step: Step, now: number): void {
    if (step === Step.Done) {
      this.end(request)
      return
    }
    request.dueAt = (request.lost ?? request.exchange).deadline
    if (request.dueAt < this.wakeAt) this.wakeBy(request.dueAt, now)
    if (step === Step.Send) this.send(request, now)
  }

  protected send(request: R, now: number): void {
    const { address, exchange, port, socket } = request
    this.counters.sent++
    this.onlooker?.see(request, "sent", exchange.packet, { address, port }, now)
    if (!request.isDone) socket!.handle?.send(exchange.packet, address, port)
  }

  private wakeBy(dueAt: number, now: number): void {
    const wakeAt = this.wakeTime(dueAt, now)
    if (wakeAt >= this.wakeAt) return
    this.cancelWake?.()
    this.wakeAt = wakeAt
    this.cancelWake = this.timing.schedule(Math.max(0, wakeAt - now), this.wake)
  }

  /** When to look at the deadlines, of which the next is at `dueAt`: just then, while no more than a `few` are in flight. */
  protected wakeTime(dueAt: number, now: number, few: number = FEW): number {
    const count = this.inFlight
    return count > few ? Math.max(dueAt, now + Math.max(LOOK_MS, count / LOOKED_AT_PER_MS)) : dueAt
  }

  protected stopTimer(): void {
    this.cancelWake?.()
    this.cancelWake = undefined
    this.wakeAt = Number.POSITIVE_INFINITY
    this.overdue = 0
  }

  private readonly wake = (): void => {
    this.stopTimer()
    this.look()
  }

  /** Looks at all deadlines. */
  protected look(): void {
    const now = this.timing.now()
    let next = Number.POSITIVE_INFINITY
    this.requests.forEach((request) => {
      if (request.dueAt <= now) this.apply(request, request.expire(now), now)
      if (request.dueAt < next) next = request.dueAt
    })
    if (this.inFlight > 0) this.wakeBy(next, now)
  }
}

/**
 * A request in flight: an exchange with one address, and what the engine knows of its way there. Whoever asks extends it, so that the
 * engine needs no closure and no second object per request. Only the engine writes its fields.
 */
export abstract class InFlight<X extends Exchange<unknown, unknown> = Exchange<unknown, unknown>> {
  exchange: X
  /** In canonical form, as name lookup gives it: it is compared with what sockets report. */
  abstract readonly address: string
  port: number
  /** `routeKey` of address and port. */
  key: number | string
  /** Where its datagrams leave and arrive, from when it is submitted. */
  socket: EngineSocket | undefined = undefined
  /** When it was submitted, on the engine's clock. */
  startedAt = 0
  /** It has ended, or was cancelled. */
  isDone = false
  /** When there is something to do, on the engine's clock. */
  dueAt = Number.POSITIVE_INFINITY
  /** What a function of the user's threw that was called about this request. */
  defect: { readonly error: unknown } | undefined = undefined
  /** Runs the exchange, whose clock is behind the engine's, from the first fault of this machine on. */
  lost: LostTime | undefined = undefined
  /** How much of it there may be, in ms, besides the time that the exchange takes. */
  readonly maxLostMs: number

  constructor(exchange: X, port: number, key: number | string, maxLostMs: number) {
    this.exchange = exchange
    this.port = port
    this.key = key
    this.maxLostMs = maxLostMs
  }

  /** Called once, when the exchange has a result or a {@link defect} is there. */
  abstract onDone(): void

  /** `dueAt` has passed. */
  expire(now: number): Step {
    return (this.lost ?? this.exchange).expire(now)
  }
}

/**
 * A socket as the engine sees it: a `DatagramHandler` to open it with, then `attach` the handle. It remembers requests that have ended
 * there, since late replies tell round trips, and must not be taken for replies to the next request.
 */
export class EngineSocket implements DatagramHandler {
  /** Requests under way through it. */
  inFlight = 0
  /** Whether anything has come through it: if not, there may be no network for its family. */
  hasHeard = false
  /** Absent before it is open and after {@link detach}. */
  handle: DatagramHandle | undefined = undefined
  private readonly engine: Engine
  /**
   * Addresses that were asked, the earliest first, with the requests of them that replies may still come to, and when these ended.
   * @internal
   */
  readonly ended = new Map<number | string, { readonly request: InFlight; readonly at: number } | undefined>()

  /** @internal */
  constructor(engine: Engine) {
    this.engine = engine
  }

  onDatagram(bytes: Uint8Array, address: string, port: number): void {
    this.hasHeard = true
    this.engine.receive(this, bytes, address, port)
  }

  onFault(fault: SocketFault): void {
    this.engine.fault(this, fault)
  }

  /** The socket is open. */
  attach(handle: DatagramHandle): void {
    this.handle = handle
  }

  /** The socket is about to be closed: all its requests end with such an error. */
  detach(error: () => QueryError): void {
    this.handle = undefined
    for (const request of this.engine.requestsOf(this)) this.engine.fail(request, error())
  }

  /** @internal */
  remember(request: InFlight, at: number): void {
    const { ended } = this
    const { exchange, key } = request
    if (ended.size >= MAX_REMEMBERED_REMOTES && !ended.has(key)) ended.delete(ended.keys().next().value!)
    ended.set(key, (exchange.outstanding ?? 0) > 0 ? { request, at } : undefined)
  }

  /** @internal */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    const request = this.ended.get(key)?.request
    ;(request?.lost ?? request?.exchange)?.receive(bytes, now)
    return this.ended.has(key)
  }
}

/** Browsers lack these. */
const { clearImmediate, setImmediate } = globalThis as {
  readonly clearImmediate?: (handle: unknown) => void
  readonly setImmediate?: (run: () => void) => unknown
}

/** The runtime's own clock and timers. */
export const live: Timing = {
  now: () => performance.now(),
  schedule: (delayMs, run, background) => {
    const timer: unknown = setTimeout(run, Math.ceil(delayMs))
    if (background === true && typeof timer === "object" && timer !== null && "unref" in timer) {
      ;(timer as { unref: () => void }).unref()
    }
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
  ...(setImmediate === undefined
    ? {}
    : {
        afterReading: (run) => {
          const handle = setImmediate(run)
          return () => clearImmediate?.(handle)
        }
      })
}
