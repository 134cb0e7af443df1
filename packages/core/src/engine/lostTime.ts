/**
 * Time that a request loses to faults of this machine (no route, interface down, no buffers). Such a fault is neither a reply nor silence of
 * the server. The clock of the exchange stands still while the datagram is sent again and again, until it leaves or the time for that is over.
 */
import { LOCAL_RETRY_MS } from "../Limits.ts"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import { faultError, type SocketFault } from "./SocketFault.ts"

/** While many requests are in flight, the datagram is sent again after this multiple of the usual wait. */
const MANY_RETRY_FACTOR = 2.5

/** A request that loses time. */
export interface Losing {
  readonly exchange: Exchange<unknown, unknown>
  /** After so much lost time the request fails, in ms. */
  readonly maxLostMs: number
}

/** The lost time of one request. It runs the exchange from the first such fault on. All times are ms of the engine's clock. */
export class LostTime {
  private readonly request: Losing
  private ms = 0
  /** Why the clock stands still; absent while it runs. */
  private fault: SocketFault | undefined = undefined
  private since = 0
  private retryAt = 0

  constructor(request: Losing) {
    this.request = request
  }

  /** Whether the last datagram has not left this machine. */
  get isHeld(): boolean {
    return this.fault !== undefined
  }

  /** The last datagram has not left. `amongMany`: many requests are in flight, so it is sent again later. */
  hold(fault: SocketFault, amongMany: boolean, now: number): void {
    if (this.fault === undefined) this.since = now
    this.fault = fault
    this.retryAt = now + (amongMany ? MANY_RETRY_FACTOR * LOCAL_RETRY_MS : LOCAL_RETRY_MS)
  }

  /** The engine's clock has stood still for so long, but the machine's did not: the datagram is sent again by the machine's clock. */
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
    // If the exchange advances, this was the reply to an earlier datagram, and the last one need not leave any more.
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
