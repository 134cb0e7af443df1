/**
 * A socket as the engine sees it, and what is remembered of requests that have ended there: late replies tell round trips, and must not
 * be taken for replies to the next request.
 *
 * @module
 */
import { MAX_REMEMBERED_REMOTES, SOCKET_IDLE_MS } from "../Limits.ts"
import type { DatagramHandle, DatagramHandler, SocketFault } from "./Datagrams.ts"
import type { Engine } from "./Engine.ts"
import type { Exchange } from "./Exchange.ts"
import type { InFlight } from "./InFlight.ts"
import type { QueryError } from "./QueryError.ts"

/** A request that has ended `at` some time, and how far its clock is behind. */
interface Ended {
  readonly exchange: Exchange<unknown, unknown>
  readonly lostMs: number
  readonly at: number
}

/** A `DatagramHandler` to open it with, then `attach` the handle. */
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
