/**
 * Checks whether a server that does not reply to a query exists at all. The engine of a server replies to pings and `getchallenge` itself,
 * even if the library that replies to queries is not running. For example, ReHLDS without Steam replies only to pings and `getchallenge`.
 * If no datagram has arrived near the end of the time limit, the check sends up to three requests: two forms of ping, and `getchallenge`.
 *
 * The check starts after the first retransmission delay: from then on, it wraps the exchange of the query. The check handles its own
 * requests and the replies to its requests. All other datagrams and deadlines are passed to the exchange.
 *
 * | state | a requested sign of life | another datagram | 0.7, 0.8, 0.9 of the time limit | end of the time limit |
 * |---|---|---|---|---|
 * | silent | alive | replying | sends a request | decided by the exchange |
 * | alive | | replying | | fails: the server is up, but does not reply to the query |
 * | replying | decided by the exchange | decided by the exchange | | decided by the exchange |
 */
import { connectionless, REQUESTS } from "@sourcewire/protocol/wire"
import { Step } from "../engine/Exchange.ts"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import { DEFAULT_RETRIES } from "../Limits.ts"
import type { QueryError } from "../engine/QueryError.ts"
import * as failures from "./failures.ts"

/**
 * The requests for signs of life: A2A_PING as the byte `i`, the text `ping`, and `getchallenge` (the first request of a client that joins).
 * `at` is the time to send the request, as a share of the time limit.
 */
const SIGN_REQUESTS: ReadonlyArray<{ readonly at: number; readonly packet: Uint8Array }> = [
  { at: 0.7, packet: REQUESTS.ping },
  { at: 0.8, packet: connectionless("ping") },
  { at: 0.9, packet: connectionless("getchallenge") }
]

/**
 * Matches the first bytes of a sign of life: `j` or `ack` after a ping; `A` and digits after `getchallenge`, or `challenge` from engines
 * with their own handshake.
 */
const SIGN = /^\xff{4}(?:j|ack|A\d{8} |challenge)/

const isSign = (datagram: Uint8Array): boolean => SIGN.test(String.fromCharCode(...datagram.subarray(0, 16)))

/** `silent`: no datagram has arrived. `alive`: only signs of life have arrived. `replying`: a datagram for the exchange has arrived. */
type State = "silent" | "alive" | "replying"

/** An exchange with additional requests for signs of life. */
class LifeSigns<A, E> implements Exchange<A, E> {
  private readonly exchange: Exchange<A, E>
  private readonly valve: string
  private readonly timeoutMs: number
  private readonly startedAt: number
  private sent = 1
  private signsSent = 0
  /**
   * The last request for a sign of life. It is removed when the exchange receives a datagram, or when a deadline of the exchange passes.
   */
  private own: Uint8Array | undefined = undefined
  private state: State = "silent"

  constructor(exchange: Exchange<A, E>, valve: string, timeoutMs: number, startedAt: number) {
    this.exchange = exchange
    this.valve = valve
    this.timeoutMs = timeoutMs
    this.startedAt = startedAt
  }

  get deadline(): number {
    return Math.min(this.exchange.deadline, this.dueAt)
  }

  get packet(): Uint8Array {
    return this.own ?? this.exchange.packet
  }

  get result(): Exchange<A, E>["result"] {
    return this.exchange.result
  }

  get outstanding(): number {
    return (this.exchange.outstanding ?? 0) + this.signsSent
  }

  start(now: number): Step {
    return this.exchange.start(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.signsSent > 0 && this.state !== "replying" && this.result === undefined && isSign(datagram)) {
      this.state = "alive"
      return Step.Wait
    }
    this.state = "replying"
    return this.follow(this.exchange.receive(datagram, now))
  }

  expire(now: number): Step {
    const isOver = now >= this.startedAt + this.timeoutMs
    if (this.dueAt <= now && !isOver) {
      this.own = SIGN_REQUESTS[this.signsSent++]!.packet
      return Step.Send
    }
    if (this.state === "alive" && isOver) {
      return this.fail(failures.timeout(this.valve, "request", this.timeoutMs, this.sent, 0, true))
    }
    return this.follow(this.exchange.expire(now))
  }

  fail(error: QueryError): Step {
    return this.exchange.fail(error)
  }

  /** When to send the next request for a sign of life. */
  private get dueAt(): number {
    const next = this.state === "silent" && this.result === undefined ? SIGN_REQUESTS[this.signsSent] : undefined
    return next === undefined ? Number.POSITIVE_INFINITY : this.startedAt + next.at * this.timeoutMs
  }

  private follow(step: Step): Step {
    this.own = undefined
    if (step === Step.Send) this.sent++
    return step
  }
}

/**
 * Adds the check for signs of life to an exchange that started at `startedAt` and got no reply. Returns the exchange itself if a datagram
 * has arrived, or if `retries` is less than the default. `valve` is the name of the query.
 */
export const withLifeSigns = <A, E>(
  exchange: Exchange<A, E | QueryError> & { readonly received?: number },
  valve: string,
  { retries, timeoutMs }: ExchangeSettings,
  startedAt: number
): Exchange<A, E | QueryError> =>
  (exchange.received ?? 0) > 0 || retries < DEFAULT_RETRIES
    ? exchange
    : new LifeSigns(exchange, valve, timeoutMs, startedAt)
