/**
 * Measures the time that a request loses because of faults of this host (no route, interface down, no buffers). Such a fault does not show
 * whether the server replies. Therefore the clock of the exchange stops until the datagram is sent. If the lost time reaches a limit, the
 * request fails.
 */
import { LOCAL_RETRY_MS } from "../Limits.ts"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import { faultError, type SocketFault } from "./SocketFault.ts"

/** If many requests are in flight, the delay before a datagram is sent again is multiplied by this factor. */
const MANY_RETRY_FACTOR = 2.5

/** The fields of a request that {@link LostTime} uses. */
export interface LosingRequest {
  readonly exchange: Exchange<unknown, unknown>
  /** The lost time after which the request fails, in ms. */
  readonly maxLostMs: number
}

/**
 * The lost time of one request. After the first fault of this host, the engine calls this object instead of the exchange. All times are in
 * ms, on the engine's clock.
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

  /** Whether the last datagram waits for a retry, because it could not be sent. */
  get isHeld(): boolean {
    return this.fault !== undefined
  }

  /**
   * Called when the last datagram could not be sent. If many requests are in flight (`amongMany`), the datagram is sent again later than
   * usual.
   */
  hold(fault: SocketFault, amongMany: boolean, now: number): void {
    if (this.fault === undefined) this.since = now
    this.fault = fault
    this.retryAt = now + (amongMany ? MANY_RETRY_FACTOR * LOCAL_RETRY_MS : LOCAL_RETRY_MS)
  }

  /**
   * Called after the engine's clock was stopped for `ms`. The delay before the retry does not stop with this clock. Therefore the retry is
   * due `ms` earlier on the engine's clock.
   */
  hasten(ms: number): void {
    this.retryAt -= ms
  }

  /** The deadline of the exchange or, while a datagram waits for a retry, the time of the retry, on the engine's clock. */
  get deadline(): number {
    return this.isHeld ? this.retryAt : this.request.exchange.deadline + this.ms
  }

  receive(datagram: Uint8Array, now: number): Step {
    const { exchange } = this.request
    const { deadline } = exchange
    const step = exchange.receive(datagram, (this.isHeld ? this.since : now) - this.ms)
    // If the exchange advances, the received datagram was the reply to an earlier transmission. In this case, the exchange does not
    // need the datagram that could not be sent, and does not try again to send it.
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
