/** What an engine keeps of each request in flight, and of each socket. */
import { MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import type { DatagramHandle, DatagramHandler, SocketFault } from "./Datagrams.ts"
import type { Engine } from "./Engine.ts"
import type { Exchange, Step } from "./Exchange.ts"
import type { LostTime } from "./lostTime.ts"
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
  /** Time that its exchange's clock is behind the engine's, from the first fault of this machine on. */
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

  /** When `expire` wants to be called; all times are the engine's. */
  get deadline(): number {
    return this.lost === undefined ? this.exchange.deadline : this.lost.deadline(this.exchange)
  }

  /** A datagram came from the address. */
  receive(datagram: Uint8Array, now: number): Step {
    const { exchange, lost } = this
    return lost === undefined ? exchange.receive(datagram, now) : lost.receive(exchange, datagram, now)
  }

  /** `deadline` has passed. */
  expire(now: number): Step {
    const { exchange, lost } = this
    return lost === undefined ? exchange.expire(now) : lost.expire(exchange, now)
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
  /** Addresses that were asked, the earliest first, with the requests of them that replies may still come to, and when these ended. */
  private readonly ended = new Map<number | string, { readonly request: InFlight; readonly at: number } | undefined>()

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

  /** Replies that may still come to the request before with the same address. @internal */
  outstanding(key: number | string, now: number): number {
    const ended = this.ended.get(key)
    return ended === undefined || now - ended.at > SOCKET_IDLE_MS ? 0 : (ended.request.exchange.outstanding ?? 0)
  }

  /** @internal */
  receiveLate(key: number | string, bytes: Uint8Array, now: number): boolean {
    this.ended.get(key)?.request.receive(bytes, now)
    return this.ended.has(key)
  }
}
