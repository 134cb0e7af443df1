/**
 * Runs exchanges over sockets: gives each datagram to the request that waits for it, keeps all deadlines behind one timer, counts what
 * belongs to nobody. A plain class without an Effect inside, since it runs once per datagram; it decodes nothing.
 *
 * One request per address is in flight: replies carry no number by which two could be told apart. Everything here runs on one event
 * loop and nothing suspends, so there are no locks.
 *
 * While few requests are in flight the timer is set for the exact time of the next deadline. With many, all deadlines are looked at
 * every 10 ms or more, which costs less than keeping them in order, and each may be that late.
 *
 * A fault of this machine (no route, interface down, no buffers) is no answer and no silence of the server: the request's clock stands
 * still while its datagram is sent again and again, until it leaves or the time for that is up.
 *
 * What the user's `onDatagram` throws ends the request whose datagram it was shown, as a defect; it is not called again.
 */
import { routeKey } from "../address/ip.ts"
import { LOCAL_RETRY_MS, MAX_OVERDUE_DATAGRAMS } from "../Limits.ts"
import type { QueryError } from "./QueryError.ts"
import { failureOf, ConnectionClosed, SendFailed } from "./QueryError.ts"
import type { SocketFault } from "./Datagrams.ts"
import { Step } from "./Exchange.ts"
import type { InFlight } from "./InFlight.ts"
import { EngineSocket } from "./InFlight.ts"
import type { OutageClock } from "./outageClock.ts"
import type { Timing } from "./Timing.ts"
import type { TokenBucket } from "./TokenBucket.ts"

/** Requests in flight up to which the engine wakes exactly: as many as a client has, unless servers are dead. */
const FEW = 256
/** With more, how often deadlines are looked at, in ms. */
const LOOK_MS = 10
/** With very many it is done less often, to keep it below some percent of the time. */
const LOOKED_AT_PER_MS = 2000
/** After so many times the usual wait what this machine did not send is tried again while many are in flight. */
const MANY_RETRY_FACTOR = 2.5

/**
 * `[]` that V8 takes for a list of objects from the start. It takes `[]` for one of small integers until something else is pushed: code
 * that an earlier scan has warmed up was compiled for what its lists had become, and is thrown away when the next scan comes with such a
 * fresh one. That made the first few hundred targets of a second scan cost twice as much.
 */
export const emptyList = <T>(): Array<T> => {
  const list: Array<T | undefined> = [undefined]
  list.pop()
  return list as Array<T>
}

/** Sees every datagram of an engine. `timeMs` is the engine's clock. The bytes are not to be kept. */
export type OnDatagram = (
  direction: "sent" | "received",
  bytes: Uint8Array,
  remote: { readonly address: string; readonly port: number },
  timeMs: number
) => void

/** What went through an engine since its beginning. */
export interface EngineCounters {
  /** Those that left, as far as the system tells. */
  sent: number
  received: number
  /** From addresses whose requests have ended: late, or repeated by the network. Dropped. */
  late: number
  /** From addresses that were not asked, or so long ago that nobody remembers. Dropped. */
  unsolicited: number
  /** Datagrams that this machine did not send; each is tried again. */
  refused: number
  /** Everything that sockets reported. */
  faults: number
}

/** Requests by the key of the address that they ask: what an engine wants of a `Map`. A key that is set is not there yet. */
export interface Routes extends Pick<Map<number | string, InFlight>, "size" | "get" | "has" | "clear"> {
  set(key: number | string, request: InFlight): unknown
  delete(key: number | string): unknown
  forEach(use: (request: InFlight) => void): void
}

/** How to build an engine. */
export interface EngineOptions {
  readonly timing: Timing
  /** Charged for every datagram that leaves. It holds nothing up: whoever submits requests asks it when the next may begin. */
  readonly bucket?: TokenBucket | undefined
  readonly onDatagram?: OnDatagram | undefined
  /** Has time stand still in outages. Deadlines are then looked at every 10 ms however few they are. */
  readonly outages?: OutageClock | undefined
  /** Keeps the requests in flight; a `Map` unless given, which is slow for very many. */
  readonly routes?: Routes
  /** No address is asked a second time, so that nothing of it is remembered when its request has ended. */
  readonly asksOnce?: boolean
}

/** Runs requests; see above for what it does with deadlines and faults. */
export class Engine {
  readonly counters: EngineCounters = { sent: 0, received: 0, late: 0, unsolicited: 0, refused: 0, faults: 0 }
  private readonly timing: Timing
  private readonly bucket: TokenBucket | undefined
  private readonly outages: OutageClock | undefined
  private readonly clock: { readonly now: () => number }
  private readonly asksOnce: boolean
  private onDatagram: OnDatagram | undefined
  private readonly requests: Routes
  private cancelWake: (() => void) | undefined = undefined
  private wakeAt = Number.POSITIVE_INFINITY
  /** Datagrams that came since the timer was due: runtimes may serve a full socket before they look at their clocks. */
  private overdue = 0
  /** Requests of servers known to live that waited when deadlines were last looked at. */
  private expected = 0

  constructor(options: EngineOptions) {
    this.timing = options.timing
    this.bucket = options.bucket
    this.outages = options.outages
    this.clock = options.outages ?? options.timing
    this.requests = options.routes ?? new Map<number | string, InFlight>()
    this.asksOnce = options.asksOnce === true
    this.onDatagram = options.onDatagram
  }

  /** Requests that have begun and not ended. */
  get inFlight(): number {
    return this.requests.size
  }

  /** A socket to be opened by the caller. */
  socket(): EngineSocket {
    return new EngineSocket(this)
  }

  /** Begins a request on an open socket. No other may be under way with the same address. */
  submit(socket: EngineSocket, request: InFlight): void {
    const { exchange, key } = request
    if (socket.handle === undefined) {
      this.fail(request, new ConnectionClosed({ message: "The client was closed before the query began." }))
      return
    }
    if (this.requests.has(key)) {
      this.fail(request, new SendFailed({ message: "That address is being asked already." }))
      return
    }
    this.requests.set(key, request)
    const now = this.clock.now()
    const outstanding = this.asksOnce ? 0 : socket.outstanding(key, now)
    if (outstanding > 0) exchange.comeAfter?.(outstanding)
    request.socket = socket
    request.startedAt = now
    socket.inFlight++
    this.apply(request, exchange.start(now), now)
  }

  /** Stops a request: nothing is sent, received or reported for it any more. Nothing happens when it is done. */
  cancel(request: InFlight): void {
    this.end(request, false)
  }

  /** Ends a request, begun or not, with such an error. */
  fail(request: InFlight, error: QueryError): void {
    if (request.isDone) return
    request.exchange.fail(error)
    this.end(request, true)
  }

  /** Forgets all requests, without a word to them, and leaves no timer. */
  clear(): void {
    this.requests.clear()
    this.stopTimer()
  }

  /** @internal */
  receive(socket: EngineSocket, bytes: Uint8Array, address: string, port: number): void {
    this.counters.received++
    const now = this.clock.now()
    const key = routeKey(address, port)
    const found = this.requests.get(key)
    const request = found?.socket === socket ? found : undefined
    if (this.onDatagram !== undefined) this.show("received", bytes, address, port, now, request)
    if (request === undefined) {
      if (!this.asksOnce && socket.receiveLate(key, bytes, now)) this.counters.late++
      else this.counters.unsolicited++
    } else if (!request.isDone) {
      const { exchange, isHeld } = request
      const deadline = isHeld ? exchange.deadline : 0
      const step = exchange.receive(bytes, request.timeAt(now))
      // What gets a request that is held further answers an earlier datagram: the last need not leave any more.
      if (step !== Step.Wait || !isHeld || exchange.deadline !== deadline) this.apply(request, step, now)
    }
    if (now >= this.wakeAt && ++this.overdue >= MAX_OVERDUE_DATAGRAMS) this.wake()
  }

  /** @internal */
  fault(socket: EngineSocket, fault: SocketFault): void {
    this.counters.faults++
    const { peer } = fault
    const request =
      peer === undefined
        ? // Only a socket with a single address can tell whom it is about.
          socket.inFlight === 1
          ? this.requestsOf(socket)[0]
          : undefined
        : this.requests.get(routeKey(peer.address, peer.port))
    if (request === undefined || request.socket !== socket) return
    request.fault = fault
    if (fault.kind === "local") this.hold(request)
    else if (!request.outlives(fault)) this.fail(request, failureOf(fault))
  }

  /** @internal */
  requestsOf(socket: EngineSocket): ReadonlyArray<InFlight> {
    return this.list((request) => request.socket === socket)
  }

  /** Those of which it `holds`, which changes none. */
  private list(holds: (request: InFlight) => boolean): Array<InFlight> {
    const found = emptyList<InFlight>()
    this.requests.forEach((request) => {
      if (holds(request)) found.push(request)
    })
    return found
  }

  private end(request: InFlight, report: boolean): void {
    if (request.isDone) return
    request.isDone = true
    request.dueAt = Number.POSITIVE_INFINITY
    const { key, socket } = request
    if (socket !== undefined) {
      if (!this.asksOnce) socket.remember(request, this.clock.now())
      this.requests.delete(key)
      socket.inFlight--
      // Time that outages take is counted from one look to the next.
      if (this.requests.size === 0 && this.outages === undefined) this.stopTimer()
    }
    if (report) request.onDone()
  }

  /** This machine did not send what the request sent last. */
  private hold(request: InFlight): void {
    this.counters.sent--
    this.counters.refused++
    this.bucket?.credit()
    this.outages?.onRefused()
    const now = this.clock.now()
    if (!request.isHeld) request.heldAt = now
    request.isHeld = true
    const retryMs = this.requests.size > FEW ? MANY_RETRY_FACTOR * LOCAL_RETRY_MS : LOCAL_RETRY_MS
    request.dueAt = this.timing.now() + retryMs
    this.wakeBy(now + retryMs, now)
  }

  private apply(request: InFlight, step: Step, now: number): void {
    if (step === Step.Done) {
      this.end(request, true)
      return
    }
    if (request.isHeld) request.release(now)
    request.dueAt = request.exchange.deadline + request.lostMs
    if (request.dueAt < this.wakeAt) this.wakeBy(request.dueAt, now)
    if (step === Step.Send) this.send(request, now)
  }

  private send(request: InFlight, now: number): void {
    const { address, port, socket } = request
    const { packet } = request.exchange
    this.counters.sent++
    this.bucket?.debit(this.timing.now())
    if (this.onDatagram !== undefined) this.show("sent", packet, address, port, now, request)
    const { handle } = socket!
    if (request.isDone || handle === undefined) return
    if (handle.sendQuietly !== undefined && request.mayGoQuietly) {
      handle.sendQuietly(packet, address, port)
      return
    }
    this.outages?.onLeft()
    handle.send(packet, address, port)
  }

  private show(
    direction: "sent" | "received",
    bytes: Uint8Array,
    address: string,
    port: number,
    now: number,
    request: InFlight | undefined
  ): void {
    try {
      this.onDatagram!(direction, bytes, { address, port }, now)
    } catch (error) {
      this.onDatagram = undefined
      if (request === undefined) return
      request.defect = { error }
      this.end(request, true)
    }
  }

  private wakeBy(dueAt: number, now: number): void {
    const { outages } = this
    const { size } = this.requests
    let wakeAt = dueAt
    if (outages !== undefined || size > FEW) {
      const soonest = now + Math.max(LOOK_MS, size / LOOKED_AT_PER_MS)
      if (outages !== undefined || dueAt < soonest) wakeAt = soonest
    }
    if (wakeAt >= this.wakeAt || (outages !== undefined && this.cancelWake !== undefined)) return
    this.cancelWake?.()
    this.wakeAt = wakeAt
    outages?.lookNext(now, wakeAt)
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
    this.outages?.look(this.counters, this.expected, this.requests)
    const now = this.clock.now()
    const at = this.timing.now()
    let next = Number.POSITIVE_INFINITY
    this.expected = 0
    const due = this.list((request) => {
      if (request.isKnownToLive) this.expected++
      if (request.dueAt <= (request.isHeld ? at : now)) return true
      if (request.dueAt < next) next = request.dueAt
      return false
    })
    // What becomes of one may end or put off another.
    for (const request of due) if (request.dueAt <= (request.isHeld ? at : now)) this.expire(request, now)
    if (this.requests.size > 0) this.wakeBy(next, now)
  }

  private expire(request: InFlight, now: number): void {
    if (!request.isHeld) this.apply(request, request.expire(now), now)
    else if (request.lostMs + (now - request.heldAt) >= request.maxLostMs) {
      this.fail(request, failureOf(request.fault!))
    } else this.apply(request, Step.Send, now)
  }
}
