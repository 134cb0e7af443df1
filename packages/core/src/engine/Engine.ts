/**
 * Runs exchanges over sockets: assigns each datagram to the request that waits for it, serves all deadlines with one timer, and counts. A
 * plain class without Effect, because it runs once per datagram. It decodes nothing.
 *
 * One request per address is in flight, because replies have no number by which two could be distinguished. Everything here runs on one
 * event loop and nothing suspends, so there are no locks.
 *
 * While few requests are in flight, the timer is set to the exact time of the next deadline. With many, the engine wakes at most every
 * 10 ms, and each deadline can be that late. A request that only waits costs nothing until it is due (`Deadlines`).
 */
import { routeKey } from "../address/ip.ts"
import { MAX_OVERDUE_DATAGRAMS, MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import { Deadlines, Due } from "./Deadlines.ts"
import type { DatagramHandle, DatagramHandler } from "./Datagrams.ts"
import { type Exchange, Step } from "./Exchange.ts"
import { LostTime } from "./lostTime.ts"
import { clientClosed, ConnectionClosed, type QueryError, SendFailed } from "./QueryError.ts"
import { RouteTable } from "./RouteTable.ts"
import { faultError, type SocketFault } from "./SocketFault.ts"
import type { Timing } from "./Timing.ts"
import { type EngineCounters, type OnDatagram, Onlooker } from "./traffic.ts"

/** Up to so many requests in flight, the engine wakes exactly. A client has more only if servers are dead. */
const FEW = 256
/** With more, it wakes at most once in so many ms. */
const CHECK_MS = 10

/**
 * Decisions that an engine leaves to its owner, a scan. Such an engine does not remember requests that have ended, because the owner uses
 * them again. It wakes when the owner decides, because the time that outages take is counted from one check of the deadlines to the next.
 */
export interface EngineOwner<R extends InFlight> {
  /** A datagram is about to be sent. Returns whether the system need not report if it cannot send it. */
  beforeSend(request: R, canBeQuiet: boolean): boolean
  /** The system reports a fault about the address of a request. Returns whether the request ignores the fault. */
  onFault(request: R, fault: SocketFault): boolean
  /** When to check the deadlines: at `at` or later. */
  wakeAt(at: number, now: number): number
  /** The deadlines are about to be checked. Returns for how long the clock has stood still since the last time, in ms. */
  beforeCheck(counters: EngineCounters, requests: RouteTable<R>): number
}

/** How to build an engine. */
export interface EngineOptions<R extends InFlight = InFlight> {
  readonly timing: Timing
  readonly onDatagram?: OnDatagram | undefined
  readonly owner?: EngineOwner<R>
}

/** Runs requests. */
export class Engine<R extends InFlight = InFlight> {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  private readonly timing: Timing
  private readonly onlooker: Onlooker | undefined
  private readonly requests = new RouteTable<R>()
  private readonly deadlines = new Deadlines<R>()
  private readonly owner: EngineOwner<R> | undefined
  private cancelWake: (() => void) | undefined = undefined
  private wakeAt = Number.POSITIVE_INFINITY
  /** Datagrams that came since the timer was due: some runtimes read a full socket before they run timers. */
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

  /** Begins a request on an open socket. No other one may be in flight to the same address. */
  submit(socket: EngineSocket, request: R): void {
    const { exchange, key } = request
    if (socket.handle === undefined) {
      this.fail(request, new ConnectionClosed({ message: "The client was closed before the query began." }))
    } else if (!this.requests.add(key, request)) {
      this.fail(request, new SendFailed({ message: "A query to this address is in flight already." }))
    } else {
      const now = this.timing.now()
      const outstanding = socket.outstandingFrom(key, now)
      if (outstanding > 0) exchange.comeAfter?.(outstanding)
      request.socket = socket
      request.startedAt = now
      socket.inFlight++
      this.inFlight++
      this.apply(request, exchange.start(now), now)
    }
  }

  /** Stops a request: nothing more is sent, received or reported for it. Does nothing if it is done. */
  cancel(request: R): void {
    if (request.isDone) return
    request.isDone = true
    request.dueAt = Number.POSITIVE_INFINITY
    const { key, socket } = request
    if (socket === undefined) return
    this.requests.delete(key)
    socket.inFlight--
    this.inFlight--
    // An owner soon uses the request again. Therefore it keeps its place among the deadlines, and the timer stays set.
    if (this.owner !== undefined) return
    this.deadlines.remove(request)
    socket.remember(request, this.timing.now())
    if (this.inFlight === 0) this.stopTimer()
  }

  /** Forgets all requests, without ending them, and leaves no timer. */
  clear(): void {
    this.requests.clear()
    this.deadlines.clear()
    this.inFlight = 0
    this.stopTimer()
  }

  /** Ends a request, begun or not, with this error. */
  fail(request: R, error: QueryError): void {
    if (request.isDone) return
    request.exchange.fail(error)
    this.end(request)
  }

  /** Ends a request, begun or not, because a function of the user threw this error. */
  failWithDefect(request: R, error: unknown): void {
    if (request.isDone) return
    request.defect = { error }
    this.fail(request, clientClosed())
  }

  /** A datagram came through this socket, which calls it. */
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

  /** The system reported a fault of this socket, which calls it. */
  receiveFault(socket: EngineSocket, fault: SocketFault): void {
    this.counters.faults++
    const { peer } = fault
    // If the system does not name the peer, the request is known only if it is the only one.
    const [only] = peer === undefined && socket.inFlight === 1 ? this.requestsOn(socket) : []
    const request = peer === undefined ? only : this.requests.get(routeKey(peer.address, peer.port))
    if (request?.socket === socket) this.onFault(request, fault)
  }

  /** The requests in flight through this socket. */
  requestsOn(socket: EngineSocket): ReadonlyArray<R> {
    const found: Array<R> = []
    this.requests.forEach((request) => {
      if (request.socket === socket) found.push(request)
    })
    return found
  }

  /** The system reports a fault about the address of this request. */
  private onFault(request: R, fault: SocketFault): void {
    if (this.owner?.onFault(request, fault) === true) return
    if (fault.kind !== "local") {
      this.fail(request, faultError(fault))
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

  /** Shows a datagram to the user's function. If that throws, the request of the datagram ends. */
  private show(request: R | undefined, ...passing: Parameters<OnDatagram>): void {
    const defect = this.onlooker!.see(...passing)
    if (defect !== undefined && request !== undefined) this.failWithDefect(request, defect.error)
  }

  private wakeBy(dueAt: number, now: number): void {
    const { owner } = this
    const wakeAt =
      owner !== undefined
        ? owner.wakeAt(now + CHECK_MS, now)
        : this.inFlight > FEW
          ? Math.max(dueAt, now + CHECK_MS)
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
    this.checkDeadlines()
  }

  /** Datagrams that this machine did not send are sent again by the machine's clock, which did not stand still. */
  private hastenRetries(stoodStillMs: number): void {
    this.requests.forEach((request) => {
      if (request.lost?.isHeld !== true) return
      request.lost.hasten(stoodStillMs)
      request.dueAt = request.lost.deadline
      this.deadlines.put(request)
    })
  }

  /** Checks which requests are due. */
  private checkDeadlines(): void {
    const stoodStillMs = this.owner?.beforeCheck(this.counters, this.requests) ?? 0
    if (stoodStillMs > 0) this.hastenRetries(stoodStillMs)
    const now = this.timing.now()
    this.deadlines.take(now, (request) => this.apply(request, request.expire(now), now))
    if (this.inFlight > 0) this.wakeBy(this.deadlines.next, now)
  }
}

/**
 * A request in flight: an exchange with one address, and what the engine knows about it. Users of the engine extend this class, so that the
 * engine needs no closure and no second object per request. Only this module writes its fields.
 */
export abstract class InFlight<X extends Exchange<unknown, unknown> = Exchange<unknown, unknown>> extends Due {
  exchange: X
  /** In canonical form, as name lookup returns it: it is compared with the addresses that sockets report. */
  abstract readonly address: string
  port: number
  /** `routeKey` of address and port. */
  key: number | string
  /** The socket of the request, from when it is submitted. */
  socket: EngineSocket | undefined = undefined
  /** When it was submitted, on the engine's clock. */
  startedAt = 0
  /** It has ended, or was cancelled. */
  isDone = false
  /** When there is something to do, on the engine's clock. */
  dueAt = Number.POSITIVE_INFINITY
  /** The error that a function of the user threw when it was called about this request. */
  defect: { readonly error: unknown } | undefined = undefined
  /** From the first fault of this machine on, it runs the exchange, whose clock is behind the engine's. */
  lost: LostTime | undefined = undefined
  /** How much time the request may lose to such faults, in ms, besides the time that the exchange takes. */
  readonly maxLostMs: number

  constructor(exchange: X, port: number, key: number | string, maxLostMs: number) {
    super()
    this.exchange = exchange
    this.port = port
    this.key = key
    this.maxLostMs = maxLostMs
  }

  /** Called once, when the exchange has a result or a `defect` is there. */
  abstract onDone(): void

  /** `dueAt` has passed. */
  expire(now: number): Step {
    return (this.lost ?? this.exchange).expire(now)
  }

  /** Makes it new, for another server, after it has ended. */
  protected reset(port: number, key: number | string): void {
    this.port = port
    this.key = key
    this.socket = this.lost = this.defect = undefined
    this.isDone = false
    this.startedAt = 0
    this.dueAt = Number.POSITIVE_INFINITY
  }
}

/** A request that has ended, and when. */
interface Ended {
  readonly request: InFlight
  readonly at: number
}

/**
 * A socket as the engine sees it: a `DatagramHandler` to open it with, to which the handle is then attached. It remembers requests that have
 * ended there, because a late reply tells their round-trip time, and must not be taken for a reply to the next request.
 */
export class EngineSocket implements DatagramHandler {
  /** Requests in flight through it. The engine writes it. */
  inFlight = 0
  /** Whether anything has come through it: if not, there may be no network for its family. */
  hasReceived = false
  /** Absent before it is open and after `detach`. */
  handle: DatagramHandle | undefined = undefined
  private readonly engine: Engine
  /**
   * Addresses that were queried, the earliest first. If replies are outstanding, with the request that they belong to.
   */
  private readonly ended = new Map<number | string, Ended | undefined>()

  /** Use `Engine.socket` instead. */
  constructor(engine: Engine) {
    this.engine = engine
  }

  onDatagram(bytes: Uint8Array, address: string, port: number): void {
    this.hasReceived = true
    this.engine.receive(this, bytes, address, port)
  }

  onFault(fault: SocketFault): void {
    this.engine.receiveFault(this, fault)
  }

  /** The socket is open. */
  attach(handle: DatagramHandle): void {
    this.handle = handle
  }

  /** The socket is about to be closed: all its requests end with such an error. */
  detach(error: () => QueryError): void {
    this.handle = undefined
    for (const request of this.engine.requestsOn(this)) this.engine.fail(request, error())
  }

  /** A request has ended. */
  remember(request: InFlight, at: number): void {
    const { ended } = this
    const { exchange, key } = request
    if (ended.size >= MAX_REMEMBERED_REMOTES && !ended.has(key)) ended.delete(ended.keys().next().value!)
    ended.set(key, (exchange.outstanding ?? 0) > 0 ? { request, at } : undefined)
  }

  /** How many replies to the last request to this address may still come. */
  outstandingFrom(key: number | string, now: number): number {
    const last = this.ended.size === 0 ? undefined : this.ended.get(key)
    const isOver = last === undefined || now - last.at > SOCKET_IDLE_MS
    return isOver ? 0 : (last.request.exchange.outstanding ?? 0)
  }

  /** A datagram came that no request in flight waits for. Returns whether an earlier request went to its sender. */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    const request = this.ended.get(key)?.request
    ;(request?.lost ?? request?.exchange)?.receive(bytes, now)
    return this.ended.has(key)
  }
}
