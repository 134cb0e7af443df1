/**
 * A request in flight: an exchange with one address, and what the engine knows of its way there. Whoever asks extends it, so that the
 * engine needs no closure and no second object per request.
 *
 * @module
 */
import { routeKey } from "../address/ip.ts"
import { DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import type { SocketFault } from "./Datagrams.ts"
import type { EngineSocket } from "./EngineSocket.ts"
import type { Exchange } from "./Exchange.ts"

/** State of an engine for one request; only the engine writes its fields. */
export abstract class InFlight<X extends Exchange<unknown, unknown> = Exchange<unknown, unknown>> {
  readonly exchange: X
  readonly address: string
  readonly port: number
  /** `routeKey` of address and port. */
  readonly key: number | string
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

  /** The address in canonical form, as name lookup gives it: it is compared with what sockets report. */
  constructor(
    exchange: X,
    address: string,
    port: number,
    maxLostMs: number = DEFAULT_TIMEOUT_MS,
    key: number | string = routeKey(address, port)
  ) {
    this.exchange = exchange
    this.address = address
    this.port = port
    this.maxLostMs = maxLostMs
    this.key = key
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

  /** It is no longer held, and its clock goes on. */
  release(now: number): void {
    this.lostMs += now - this.heldAt
    this.isHeld = false
    this.fault = undefined
  }
}

/** A request that calls a function at its end. */
export class CallbackRequest extends InFlight {
  readonly onDone: () => void

  constructor(
    exchange: Exchange<unknown, unknown>,
    address: string,
    port: number,
    onDone: () => void,
    maxLostMs?: number
  ) {
    super(exchange, address, port, maxLostMs)
    this.onDone = onDone
  }
}
