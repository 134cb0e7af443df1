/**
 * Takes the place of an exchange that meets silence, and asks whether the server is there at all. Engines answer pings and
 * `getchallenge` by themselves, also where queries are left to a library that does not run: ReHLDS without Steam answers these and
 * nothing else. They are asked for near the end of the time, once each, and only while nothing has come: a server that answers is never
 * asked.
 *
 * | state | a sign of life, after it was asked for | anything else | 0.7, 0.8, 0.9 of the time | the end of the time |
 * |---|---|---|---|---|
 * | silent | alive | talking | asks for one | the exchange's matter |
 * | alive | | talking | | fails: the server is there, and does not answer this |
 * | talking | the exchange's matter | the exchange's matter | | the exchange's matter |
 */
import { connectionless, REQUESTS } from "@sourcewire/protocol/wire"
import { Step } from "../engine/Exchange.ts"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import { DEFAULT_RETRIES } from "../Limits.ts"
import type { QueryError } from "../engine/QueryError.ts"
import * as failures from "./failures.ts"

/** A2A_PING in both spellings, and what a client asks before it joins; when, in parts of the time. */
const SIGNS_ASKED: ReadonlyArray<{ readonly at: number; readonly packet: Uint8Array }> = [
  { at: 0.7, packet: REQUESTS.ping },
  { at: 0.8, packet: connectionless("ping") },
  { at: 0.9, packet: connectionless("getchallenge") }
]

/** The replies, by how they begin: `j`, `ack`; `A` and digits, `challenge` of engines with a dialect of their own. */
const SIGN = /^\xff{4}(?:j|ack|A\d{8} |challenge)/

const isSign = (datagram: Uint8Array): boolean => SIGN.test(String.fromCharCode(...datagram.subarray(0, 16)))

/** `silent`: nothing has come. `alive`: signs of life alone. `talking`: something that is the exchange's matter. */
type State = "silent" | "alive" | "talking"

/** The exchange, and the requests of this module besides its own. */
class LifeSigns<A, E> implements Exchange<A, E> {
  private readonly exchange: Exchange<A, E>
  private readonly valve: string
  private readonly timeoutMs: number
  private readonly startedAt: number
  private sent = 1
  private signsSent = 0
  /** The request for a sign of life that is sent last, if that is later than the exchange's own. */
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
    if (this.signsSent > 0 && this.state !== "talking" && this.result === undefined && isSign(datagram)) {
      this.state = "alive"
      return Step.Wait
    }
    this.state = "talking"
    return this.follow(this.exchange.receive(datagram, now))
  }

  expire(now: number): Step {
    const isOver = now >= this.startedAt + this.timeoutMs
    if (this.dueAt <= now && !isOver) {
      this.own = SIGNS_ASKED[this.signsSent++]!.packet
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

  /** When the next request is to be sent. */
  private get dueAt(): number {
    const next = this.state === "silent" && this.result === undefined ? SIGNS_ASKED[this.signsSent] : undefined
    return next === undefined ? Number.POSITIVE_INFINITY : this.startedAt + next.at * this.timeoutMs
  }

  private follow(step: Step): Step {
    this.own = undefined
    if (step === Step.Send) this.sent++
    return step
  }
}

/**
 * What takes the place of an exchange that began at `startedAt` and meets silence: the same, asking for signs of life too. Itself where
 * something has come, and where it may send fewer datagrams than usual. `asked` is what it asks for.
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
