/**
 * Runs exchanges over sockets. The engine assigns each datagram to the request that waits for it, uses one timer for all deadlines, and
 * counts datagrams. The engine does not decode datagrams. The engine is a plain class, to avoid the cost of Effect for every datagram.
 *
 * Only one request per address is in flight, because replies contain no number that identifies their request. All functions of the engine
 * run on one event loop and never suspend, so locks are not necessary.
 *
 * With few requests in flight, the timer is set to the exact time of the next deadline. With many requests in flight, the engine checks the
 * deadlines at most once in 10 ms, so a deadline can be handled up to 10 ms late. A waiting request needs no CPU time until its deadline
 * (see `Deadlines`).
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
import { type EngineCounters, type OnDatagram, DatagramObserver } from "./traffic.ts"

/**
 * Maximum number of requests in flight with which the timer is set to the exact time of the next deadline. A client exceeds this number
 * only if some servers seem to be dead (see `MAX_WINDOW`).
 */
const EXACT_TIMER_LIMIT = 256
/** In a scan, or if more requests than {@link EXACT_TIMER_LIMIT} are in flight: minimum time between two checks of the deadlines, in ms. */
const CHECK_MS = 10

/**
 * Decisions that an engine delegates to its owner. The engine of a scan has the scan as its owner, and the engine of a client has no owner.
 * An engine with an owner does not store ended requests, because the owner reuses the objects of these requests. The owner also decides
 * when the engine checks the deadlines, because a scan detects outages during these checks.
 */
export interface EngineOwner<R extends InFlight> {
  /**
   * Called before a datagram is sent. Returns true if the engine may send the datagram with `sendQuietly`, which does not report faults.
   */
  beforeSend(request: R, canBeQuiet: boolean): boolean
  /** Called when the system reports a fault for the address of a request. Returns true if the engine must ignore the fault. */
  onFault(request: R, fault: SocketFault): boolean
  /** Returns the time of the next check of the deadlines: `at` or later. */
  wakeAt(at: number, now: number): number
  /** Called before the deadlines are checked. Returns how long the owner has stopped the engine's clock since the previous check, in ms. */
  beforeCheck(counters: EngineCounters, requests: RouteTable<R>): number
}

/** Options of an engine. */
export interface EngineOptions<R extends InFlight = InFlight> {
  readonly timing: Timing
  readonly onDatagram?: OnDatagram | undefined
  readonly owner?: EngineOwner<R>
}

/** Runs requests: sends the datagrams of their exchanges, and passes received datagrams to these exchanges. */
export class Engine<R extends InFlight = InFlight> {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  private readonly timing: Timing
  private readonly observer: DatagramObserver | undefined
  private readonly requests = new RouteTable<R>()
  private readonly deadlines = new Deadlines<R>()
  private readonly owner: EngineOwner<R> | undefined
  private cancelWake: (() => void) | undefined = undefined
  private wakeAt = Number.POSITIVE_INFINITY
  /**
   * Number of datagrams that arrived after the timer was due, but before the timer ran. Some runtimes read all datagrams of a socket before
   * they run timers.
   */
  private overdue = 0
  /** Number of requests that have started and not ended. Only this class writes this field. */
  inFlight = 0

  constructor({ onDatagram, owner, timing }: EngineOptions<R>) {
    this.timing = timing
    this.owner = owner
    this.observer = onDatagram === undefined ? undefined : new DatagramObserver(onDatagram)
  }

  /** Creates the engine's part of a socket. The caller opens the socket and attaches the socket's handle. */
  socket(): EngineSocket {
    return new EngineSocket(this)
  }

  /** Starts a request on an open socket. No other request to the same address may be in flight. */
  submit(socket: EngineSocket, request: R): void {
    const { exchange, key } = request
    if (socket.handle === undefined) {
      this.fail(request, new ConnectionClosed({ message: "The client was closed before the query began." }))
    } else if (!this.requests.add(key, request)) {
      this.fail(request, new SendFailed({ message: "A query to this address is in flight already." }))
    } else {
      const now = this.timing.now()
      const outstanding = socket.outstandingFrom(key, now)
      if (outstanding > 0) exchange.expectLateReplies?.(outstanding)
      request.socket = socket
      request.startedAt = now
      socket.inFlight++
      this.inFlight++
      this.apply(request, exchange.start(now), now)
    }
  }

  /**
   * Stops a request: the engine no longer sends or receives datagrams for this request, and does not call `onDone`. Has no effect if the
   * request has ended.
   */
  cancel(request: R): void {
    if (request.isDone) return
    request.isDone = true
    request.dueAt = Number.POSITIVE_INFINITY
    const { key, socket } = request
    if (socket === undefined) return
    this.requests.delete(key)
    socket.inFlight--
    this.inFlight--
    // The owner soon reuses the request. To save work, the request stays in the heap of deadlines, and the timer stays set.
    if (this.owner !== undefined) return
    this.deadlines.remove(request)
    socket.remember(request, this.timing.now())
    if (this.inFlight === 0) this.stopTimer()
  }

  /** Removes all requests without ending them, and stops the timer. */
  clear(): void {
    this.requests.clear()
    this.deadlines.clear()
    this.inFlight = 0
    this.stopTimer()
  }

  /** Ends a request with this error, whether the request was started or not. */
  fail(request: R, error: QueryError): void {
    if (request.isDone) return
    request.exchange.fail(error)
    this.end(request)
  }

  /** Ends a request because a function of the user threw this error, whether the request was started or not. */
  failWithDefect(request: R, error: unknown): void {
    if (request.isDone) return
    request.defect = { error }
    this.fail(request, clientClosed())
  }

  /** Called by the socket when a datagram has arrived. */
  receive(socket: EngineSocket, bytes: Uint8Array, address: string, port: number): void {
    this.counters.received++
    const now = this.timing.now()
    const key = routeKey(address, port)
    const found = this.requests.get(key)
    const request = found?.socket === socket ? found : undefined
    if (this.observer !== undefined) this.show(request, "received", bytes, { address, port }, now)
    if (request === undefined) this.counters[socket.receiveLate(key, bytes, now) ? "late" : "unsolicited"]++
    else if (!request.isDone) this.apply(request, (request.lost ?? request.exchange).receive(bytes, now), now)
    if (now >= this.wakeAt && ++this.overdue >= MAX_OVERDUE_DATAGRAMS) this.wake()
  }

  /** Called by the socket when the system has reported a fault. */
  receiveFault(socket: EngineSocket, fault: SocketFault): void {
    this.counters.faults++
    const { peer } = fault
    // If the fault contains no peer, the engine can assign the fault to a request only if no other request is in flight through the socket.
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

  /** Called when the system has reported a fault for the address of this request. */
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
    request.lost.hold(fault, this.inFlight > EXACT_TIMER_LIMIT, now)
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
    if (this.observer !== undefined) this.show(request, "sent", exchange.packet, { address, port }, now)
    if (!request.isDone) handle?.send(exchange.packet, address, port)
  }

  /** Passes a datagram to the user's function (`onDatagram`). If the function throws, the datagram's request ends. */
  private show(request: R | undefined, ...passing: Parameters<OnDatagram>): void {
    const defect = this.observer!.observe(...passing)
    if (defect !== undefined && request !== undefined) this.failWithDefect(request, defect.error)
  }

  private wakeBy(dueAt: number, now: number): void {
    const { owner } = this
    const wakeAt =
      owner !== undefined
        ? owner.wakeAt(now + CHECK_MS, now)
        : this.inFlight > EXACT_TIMER_LIMIT
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

  /**
   * Called after the engine's clock was stopped for `pausedMs`. Datagrams that this host could not send wait for a retry. The delay before
   * a retry does not stop with the engine's clock. Therefore the retries become due `pausedMs` earlier on this clock.
   */
  private hastenRetries(pausedMs: number): void {
    this.requests.forEach((request) => {
      if (request.lost?.isHeld !== true) return
      request.lost.hasten(pausedMs)
      request.dueAt = request.lost.deadline
      this.deadlines.put(request)
    })
  }

  /** Handles all requests whose deadline has passed. */
  private checkDeadlines(): void {
    const pausedMs = this.owner?.beforeCheck(this.counters, this.requests) ?? 0
    if (pausedMs > 0) this.hastenRetries(pausedMs)
    const now = this.timing.now()
    this.deadlines.take(now, (request) => this.apply(request, request.expire(now), now))
    if (this.inFlight > 0) this.wakeBy(this.deadlines.next, now)
  }
}

/**
 * A request in flight: an exchange with one address, and the engine's data about it. Code that uses the engine extends this class with its
 * own data, so that the engine needs no closure and no second object per request. Only this module writes the fields of this class.
 */
export abstract class InFlight<X extends Exchange<unknown, unknown> = Exchange<unknown, unknown>> extends Due {
  exchange: X
  /**
   * The address of the server, in the canonical form that name lookup returns. The engine compares this address with the addresses that
   * sockets report.
   */
  abstract readonly address: string
  port: number
  /** `routeKey` of address and port. */
  key: number | string
  /** The socket of the request. Set when the request is submitted. */
  socket: EngineSocket | undefined = undefined
  /** The time of the engine's clock at which the request was submitted. */
  startedAt = 0
  /** Whether the request has ended or was cancelled. */
  isDone = false
  /** The time of the engine's clock at which the engine must call `expire`. */
  dueAt = Number.POSITIVE_INFINITY
  /** The error that a function of the user (such as `onDatagram`) threw for this request. */
  defect: { readonly error: unknown } | undefined = undefined
  /**
   * Set at the first fault of this host. From this fault on, the engine calls the functions of `lost` instead of those of the exchange,
   * because the clock of the exchange is behind the engine's clock.
   */
  lost: LostTime | undefined = undefined
  /** Limit of the time that faults of this host may add to the request, in ms. */
  readonly maxLostMs: number

  constructor(exchange: X, port: number, key: number | string, maxLostMs: number) {
    super()
    this.exchange = exchange
    this.port = port
    this.key = key
    this.maxLostMs = maxLostMs
  }

  /** Called once, when the exchange has a result or `defect` is set. */
  abstract onDone(): void

  /** Called when `dueAt` has passed. */
  expire(now: number): Step {
    return (this.lost ?? this.exchange).expire(now)
  }

  /** Prepares the object of an ended request for a new request to any server. */
  protected reset(port: number, key: number | string): void {
    this.port = port
    this.key = key
    this.socket = this.lost = this.defect = undefined
    this.isDone = false
    this.startedAt = 0
    this.dueAt = Number.POSITIVE_INFINITY
  }
}

/** A request that has ended, and the time when it ended. */
interface Ended {
  readonly request: InFlight
  readonly at: number
}

/**
 * The engine's part of a socket. It handles the events of the socket, and contains the handle while the socket is open. This object also
 * stores requests that have ended, for two reasons: a late reply to such a request can show that a retransmission was unnecessary, and must
 * not be mistaken for a reply to the next request to the same address.
 */
export class EngineSocket implements DatagramHandler {
  /** Number of requests in flight through this socket. The engine writes this field. */
  inFlight = 0
  /**
   * Whether the socket has received a datagram. If this value is `false`, this host may have no network for the IP version of the socket.
   */
  hasReceived = false
  /** Absent before the socket is open and after `detach`. */
  handle: DatagramHandle | undefined = undefined
  private readonly engine: Engine
  /**
   * The keys are the addresses (`routeKey`) of ended requests. The value is the last request to the address if replies to this request are
   * outstanding, otherwise `undefined`. When the map is full, the address that was added first is removed.
   */
  private readonly ended = new Map<number | string, Ended | undefined>()

  /** Only `Engine.socket` calls this constructor. */
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

  /** Attaches the handle of the socket. Called when the socket is open. */
  attach(handle: DatagramHandle): void {
    this.handle = handle
  }

  /** Detaches the handle before the socket closes. All requests in flight through the socket end with an error. */
  detach(error: () => QueryError): void {
    this.handle = undefined
    for (const request of this.engine.requestsOn(this)) this.engine.fail(request, error())
  }

  /** Stores the address of a request that has ended. If replies are outstanding, the request itself is stored, too. */
  remember(request: InFlight, at: number): void {
    const { ended } = this
    const { exchange, key } = request
    if (ended.size >= MAX_REMEMBERED_REMOTES && !ended.has(key)) ended.delete(ended.keys().next().value!)
    ended.set(key, (exchange.outstanding ?? 0) > 0 ? { request, at } : undefined)
  }

  /** Number of replies that may still arrive for the last ended request to this address. */
  outstandingFrom(key: number | string, now: number): number {
    const last = this.ended.size === 0 ? undefined : this.ended.get(key)
    const isOver = last === undefined || now - last.at > SOCKET_IDLE_MS
    return isOver ? 0 : (last.request.exchange.outstanding ?? 0)
  }

  /**
   * Handles a datagram that belongs to no request in flight. If replies to the last request to the sender are outstanding, that request
   * receives the datagram. Returns whether the map of ended requests contains the address of the sender.
   */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    const request = this.ended.get(key)?.request
    ;(request?.lost ?? request?.exchange)?.receive(bytes, now)
    return this.ended.has(key)
  }
}
