/**
 * Time that a request loses to faults of this machine (no route, interface down, no buffers). They are no answer and no silence of the
 * server: its exchange's clock stands still while the datagram is sent again and again, until it leaves or the time for that is up.
 */
import { LOCAL_RETRY_MS } from "../Limits.ts"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import { failureOf, type SocketFault } from "./SocketFault.ts"

/** After so many times the usual wait the datagram is sent again while many requests are in flight. */
const MANY_RETRY_FACTOR = 2.5

/** What a request has that loses time. */
export interface Losing {
  readonly exchange: Exchange<unknown, unknown>
  /** After so much of it the request fails. */
  readonly maxLostMs: number
}

/** That of one request, made at its first such fault; from then on it runs the exchange. All times are ms of the engine's clock. */
export class LostTime {
  private readonly request: Losing
  private ms = 0
  /** Why the clock stands still; absent while it goes. */
  private fault: SocketFault | undefined = undefined
  private since = 0
  private retryAt = 0

  constructor(request: Losing) {
    this.request = request
  }

  /** Whether what was sent last has not left. */
  get isHeld(): boolean {
    return this.fault !== undefined
  }

  /** What was sent last has not left; `amongMany` requests it need not be sent again so soon. */
  hold(fault: SocketFault, amongMany: boolean, now: number): void {
    if (this.fault === undefined) this.since = now
    this.fault = fault
    this.retryAt = now + (amongMany ? MANY_RETRY_FACTOR * LOCAL_RETRY_MS : LOCAL_RETRY_MS)
  }

  /** The engine's clock has stood still for so long, which this machine's own did not: it is tried again in time. */
  hasten(ms: number): void {
    this.retryAt -= ms
  }

  /** As the exchange's own, on the engine's clock. */
  get deadline(): number {
    return this.isHeld ? this.retryAt : this.request.exchange.deadline + this.ms
  }

  receive(datagram: Uint8Array, now: number): Step {
    const { exchange } = this.request
    const { deadline } = exchange
    const step = exchange.receive(datagram, (this.isHeld ? this.since : now) - this.ms)
    // What gets it further answers an earlier datagram: the last need not leave any more.
    if (step !== Step.Wait || exchange.deadline !== deadline) this.release(now)
    return step
  }

  expire(now: number): Step {
    const { fault, ms, since } = this
    const { exchange, maxLostMs } = this.request
    if (fault === undefined) return exchange.expire(now - ms)
    if (ms + (now - since) >= maxLostMs) return exchange.fail(failureOf(fault))
    this.release(now)
    return Step.Send
  }

  private release(now: number): void {
    if (this.isHeld) this.ms += now - this.since
    this.fault = undefined
  }
}
