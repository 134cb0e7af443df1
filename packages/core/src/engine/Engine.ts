/**
 * Runs exchanges over sockets: gives each datagram to the request that waits for it, keeps all deadlines behind one timer, counts what
 * belongs to nobody. A plain class without an Effect inside, since it runs once per datagram; it decodes nothing.
 *
 * One request per address is in flight: replies carry no number by which two could be told apart. Everything here runs on one event
 * loop and nothing suspends, so there are no locks.
 *
 * While few requests are in flight, the timer is set for the exact time of the next deadline. With many, the engine wakes every 10 ms at
 * most, and each deadline may be that late. A request that only waits costs nothing until it is due (`Deadlines`).
 */
import { routeKey } from "../address/ip.ts"
import { MAX_OVERDUE_DATAGRAMS, MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import { Deadlines, type Due } from "./Deadlines.ts"
import type { DatagramHandle, DatagramHandler } from "./Datagrams.ts"
import { type Exchange, Step } from "./Exchange.ts"
import { LostTime } from "./lostTime.ts"
import { clientClosed, ConnectionClosed, type QueryError, SendFailed } from "./QueryError.ts"
import { RouteTable } from "./RouteTable.ts"
import { failureOf, type SocketFault } from "./SocketFault.ts"
import type { Timing } from "./Timing.ts"
import { type EngineCounters, type OnDatagram, Onlooker } from "./traffic.ts"

/** Requests in flight up to which the engine wakes exactly: as many as a client has, unless servers are dead. */
const FEW = 256
/** With more, the shortest time between two times that it wakes, in ms. */
const LOOK_MS = 10

/**
 * What an engine of very many requests leaves to its owner, as scans do. It remembers no requests that have ended, since their owner uses
 * them again, and wakes when the owner says, since time that outages take is counted from one look at the deadlines to the next.
 */
export interface EngineOwner<R extends InFlight> {
  /** A datagram is about to be sent. Returns whether it may be lost in silence, if the socket can do that. */
  beforeSend(request: R, canBeQuiet: boolean): boolean
  /** The system reports a fault of the way to a request's address. Returns whether the request goes on as if there were none. */
  onFault(request: R, fault: SocketFault): boolean
  /** When to look at the deadlines, if that is to be at `at` or later. */
  wakeAt(at: number, now: number): number
  /** The deadlines are about to be looked at. Returns for how long the clock has stood still since the last time, in ms. */
  beforeLook(counters: EngineCounters, requests: RouteTable<R>): number
}

/** How to build an engine. */
export interface EngineOptions<R extends InFlight = InFlight> {
  readonly timing: Timing
  readonly onDatagram?: OnDatagram | undefined
  readonly owner?: EngineOwner<R>
}

/** Runs requests; see above for what it does with deadlines. */
export class Engine<R extends InFlight = InFlight> {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  private readonly timing: Timing
  private readonly onlooker: Onlooker | undefined
  private readonly requests = new RouteTable<R>()
  private readonly deadlines = new Deadlines<R>()
  private readonly owner: EngineOwner<R> | undefined
  private cancelWake: (() => void) | undefined = undefined
  private wakeAt = Number.POSITIVE_INFINITY
  /** Datagrams that came since the timer was due: runtimes may serve a full socket before they look at their clocks. */
  private overdue = 0
  /** Requests that have begun and not ended. Written here only. */
  inFlight = 0

  constructor({ onDatagram, owner, timing }: EngineOptions<R>) {
    this.timing = timing
    this.owner = owner
    this.onlooker = onDatagram === undefined ? undefined : new Onlooker(onDatagram)
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
      this.fail(request, new SendFailed({ message: "A query to this address is in flight already." }))
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
    // An owner uses the request again soon. So it keeps its place among the deadlines, and the timer goes on.
    if (this.owner !== undefined) return
    this.deadlines.remove(request)
    socket.remember(request, this.timing.now())
    if (this.inFlight === 0) this.stopTimer()
  }

  /** Forgets all requests, without a word to them, and leaves no timer. */
  clear(): void {
    this.requests.clear()
    this.deadlines.clear()
    this.inFlight = 0
    this.stopTimer()
  }

  /** Ends a request, begun or not, with such an error. */
  fail(request: R, error: QueryError): void {
    if (request.isDone) return
    request.exchange.fail(error)
    this.end(request)
  }

  /** Ends a request, begun or not, because a function of the user's threw this. */
  failWithDefect(request: R, error: unknown): void {
    if (request.isDone) return
    request.defect = { error }
    this.fail(request, clientClosed())
  }

  /** @internal */
  receive(socket: EngineSocket, bytes: Uint8Array, address: string, port: number): void {
    this.counters.received++
    const now = this.timing.now()
    const key = routeKey(address, port)
    const found = this.requests.get(key)
    const request = found?.socket === socket ? found : undefined
    if (this.onlooker !== undefined) this.show(request, "received", bytes, { address, port }, now)
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
  private onFault(request: R, fault: SocketFault): void {
    if (this.owner?.onFault(request, fault) === true) return
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
    this.deadlines.put(request)
    if (request.dueAt < this.wakeAt) this.wakeBy(request.dueAt, now)
    if (step === Step.Send) this.send(request, now)
  }

  private send(request: R, now: number): void {
    const { address, exchange, port, socket } = request
    const { handle } = socket!
    this.counters.sent++
    if (this.owner?.beforeSend(request, handle?.sendQuietly !== undefined) === true) {
      handle!.sendQuietly!(exchange.packet, address, port)
      return
    }
    if (this.onlooker !== undefined) this.show(request, "sent", exchange.packet, { address, port }, now)
    if (!request.isDone) handle?.send(exchange.packet, address, port)
  }

  /** Shows a datagram to the user's function. If that throws, the request ends whose datagram it was. */
  private show(request: R | undefined, ...passing: Parameters<OnDatagram>): void {
    const defect = this.onlooker!.see(...passing)
    if (defect !== undefined && request !== undefined) this.failWithDefect(request, defect.error)
  }

  private wakeBy(dueAt: number, now: number): void {
    const { owner } = this
    // Exactly then, while few requests are in flight.
    const wakeAt =
      owner !== undefined
        ? owner.wakeAt(now + LOOK_MS, now)
        : this.inFlight > FEW
          ? Math.max(dueAt, now + LOOK_MS)
          : dueAt
    if (wakeAt >= this.wakeAt) return
    this.cancelWake?.()
    this.wakeAt = wakeAt
    this.cancelWake = this.timing.schedule(Math.max(0, wakeAt - now), this.wake)
  }

  private stopTimer(): void {
    this.cancelWake?.()
    this.cancelWake = undefined
    this.wakeAt = Number.POSITIVE_INFINITY
    this.overdue = 0
  }

  private readonly wake = (): void => {
    this.stopTimer()
    this.look()
  }

  /** What this machine did not send is tried again in its own time, which did not stand still. */
  private hastenRetries(stoodStillMs: number): void {
    this.requests.forEach((request) => {
      if (request.lost?.isHeld !== true) return
      request.lost.hasten(stoodStillMs)
      request.dueAt = request.lost.deadline
      this.deadlines.put(request)
    })
  }

  /** Looks which requests are due. */
  private look(): void {
    const stoodStillMs = this.owner?.beforeLook(this.counters, this.requests) ?? 0
    if (stoodStillMs > 0) this.hastenRetries(stoodStillMs)
    const now = this.timing.now()
    this.deadlines.take(now, (request) => this.apply(request, request.expire(now), now))
    if (this.inFlight > 0) this.wakeBy(this.deadlines.next, now)
  }
}

/**
 * A request in flight: an exchange with one address, and what the engine knows of its way there. Whoever asks extends it, so that the
 * engine needs no closure and no second object per request. Only the engine writes its fields.
 */
export abstract class InFlight<X extends Exchange<unknown, unknown> = Exchange<unknown, unknown>> implements Due {
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
  heapPlace = -1
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

  /** Called once, when the exchange has a result or a `defect` is there. */
  abstract onDone(): void

  /** Makes it new, for another server, after it has ended. */
  protected reset(port: number, key: number | string): void {
    this.port = port
    this.key = key
    this.socket = this.lost = this.defect = undefined
    this.isDone = false
    this.startedAt = 0
    this.dueAt = Number.POSITIVE_INFINITY
  }

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
  /** Absent before it is open and after `detach`. */
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
