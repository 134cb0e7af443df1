/**
 * Measures the time that a request loses because of faults of this host (no route, interface down, no buffers). Such a fault does not show
 * whether the server replies. Therefore the clock of the exchange stops until the datagram is sent, or until the time limit for retries is
 * over.
 */
import { LOCAL_RETRY_MS } from "../Limits.ts"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import { faultError, type SocketFault } from "./SocketFault.ts"

/** If many requests are in flight, a datagram is retried after this multiple of the usual delay. */
const MANY_RETRY_FACTOR = 2.5

/** The part of a request that this class uses. */
export interface LosingRequest {
  readonly exchange: Exchange<unknown, unknown>
  /** The request fails after this much lost time, in ms. */
  readonly maxLostMs: number
}

/**
 * The lost time of one request. After the first fault of this host, this object runs the exchange. All times are ms of the engine's clock.
 */
export class LostTime {
  private readonly request: LosingRequest
  private ms = 0
  /** Why the clock of the exchange is stopped. Absent while this clock runs. */
  private fault: SocketFault | undefined = undefined
  private since = 0
  private retryAt = 0

  constructor(request: LosingRequest) {
    this.request = request
  }

  /** Whether the last datagram still waits for a retry. */
  get isHeld(): boolean {
    return this.fault !== undefined
  }

  /** The last datagram could not be sent. If many requests are in flight (`amongMany`), the datagram is retried later than usual. */
  hold(fault: SocketFault, amongMany: boolean, now: number): void {
    if (this.fault === undefined) this.since = now
    this.fault = fault
    this.retryAt = now + (amongMany ? MANY_RETRY_FACTOR * LOCAL_RETRY_MS : LOCAL_RETRY_MS)
  }

  /**
   * The engine's clock was stopped for `ms`. The delay before the retry is in real time, so on the engine's clock the retry becomes due
   * earlier by `ms`.
   */
  hasten(ms: number): void {
    this.retryAt -= ms
  }

  /** The deadline of the exchange, on the engine's clock. */
  get deadline(): number {
    return this.isHeld ? this.retryAt : this.request.exchange.deadline + this.ms
  }

  receive(datagram: Uint8Array, now: number): Step {
    const { exchange } = this.request
    const { deadline } = exchange
    const step = exchange.receive(datagram, (this.isHeld ? this.since : now) - this.ms)
    // If the exchange advances, the received datagram was the reply to an earlier request. The last request need not be sent again.
    if (step !== Step.Wait || exchange.deadline !== deadline) this.release(now)
    return step
  }

  expire(now: number): Step {
    const { fault, ms, since } = this
    const { exchange, maxLostMs } = this.request
    if (fault === undefined) return exchange.expire(now - ms)
    if (ms + (now - since) >= maxLostMs) return exchange.fail(faultError(fault))
    this.release(now)
    return Step.Send
  }

  private release(now: number): void {
    if (this.isHeld) this.ms += now - this.since
    this.fault = undefined
  }
}
