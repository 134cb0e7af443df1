/** What an engine keeps of each request in flight, and of each socket. */
import { MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import type { DatagramHandle, DatagramHandler, SocketFault } from "./Datagrams.ts"
import type { Engine } from "./Engine.ts"
import type { Exchange, Step } from "./Exchange.ts"
import type { QueryError } from "./QueryError.ts"

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
  /** How long, in ms, faults of this machine are waited out, besides the time that the exchange takes. */
  readonly maxLostMs: number
  /** Where its datagrams leave and arrive, from when it is submitted. */
  socket: EngineSocket | undefined = undefined
  /** When it was submitted, on the engine's clock. */
  startedAt = 0
  /** It has ended, or was cancelled. */
  isDone = false
  /** When there is something to do: on the engine's clock, and on the machine's own while it is held. */
  dueAt = Number.POSITIVE_INFINITY
  /** This machine did not send its last datagram, so that its clock stands still. */
  isHeld = false
  /** Since when. */
  heldAt = 0
  /** Time, in ms, that its clock is behind the engine's because of that. */
  lostMs = 0
  /** What the system said last about the way there. */
  fault: SocketFault | undefined = undefined
  /** What a function of the user's threw that was called about this request. */
  defect: { readonly error: unknown } | undefined = undefined

  constructor(exchange: X, port: number, key: number | string, maxLostMs: number) {
    this.exchange = exchange
    this.port = port
    this.maxLostMs = maxLostMs
    this.key = key
  }

  /** As new, for another address. The exchange is not this one's matter. */
  protected reset(port: number, key: number | string): void {
    this.port = port
    this.key = key
    this.socket = this.fault = this.defect = undefined
    this.isDone = this.isHeld = false
    this.startedAt = this.heldAt = this.lostMs = 0
    this.dueAt = Number.POSITIVE_INFINITY
  }

  /** Called once, when the exchange has a result or a {@link defect} is there. */
  abstract onDone(): void

  /** Whether it goes on although the system says so of its address; what this machine did not send is always tried again. */
  outlives(_fault: SocketFault): boolean {
    return false
  }

  /** Whether the next datagram may go without a report of failure, where that is cheaper, since silence would bring it again. */
  get mayGoQuietly(): boolean {
    return false
  }

  /** Whether its server has answered something already, so that silence is a surprise. */
  get isKnownToLive(): boolean {
    return false
  }

  /** The time on its own clock. */
  timeAt(now: number): number {
    return (this.isHeld ? this.heldAt : now) - this.lostMs
  }

  /** The exchange's deadline has passed. */
  expire(now: number): Step {
    return this.exchange.expire(this.timeAt(now))
  }

  /** It is no longer held, and its clock goes on. */
  release(now: number): void {
    this.lostMs += now - this.heldAt
    this.isHeld = false
    this.fault = undefined
  }
}

/** A request that has ended `at` some time, and how far its clock is behind. */
interface Ended {
  readonly exchange: Exchange<unknown, unknown>
  readonly lostMs: number
  readonly at: number
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
  /** Whose requests have ended, with those that replies may still come for; the earliest are forgotten. */
  private readonly ended = new Map<number | string, Ended | undefined>()

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
  remember({ exchange, key, lostMs }: InFlight, at: number): void {
    if (this.ended.size >= MAX_REMEMBERED_REMOTES && !this.ended.has(key))
      this.ended.delete(this.ended.keys().next().value!)
    this.ended.set(key, (exchange.outstanding ?? 0) > 0 ? { exchange, lostMs, at } : undefined)
  }

  /** Replies that may still come for the request before with the same address. @internal */
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
}
