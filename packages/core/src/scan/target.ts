/**
 * One target of a scan: what it is asked, where it stands among those in flight, and what came of it.
 *
 * @module
 */
import type { InfoReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { AddressInput } from "../client/Client.ts"
import type { SocketFault } from "../engine/Datagrams.ts"
import type { Step } from "../engine/Exchange.ts"
import * as failures from "../engine/networkFailures.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { ServerExchange } from "../query/ServerExchange.ts"
import type { FlightSocket } from "./flights.ts"
import type { Answered, ScanQuery, ScanResult } from "./ScanResult.ts"

/** A target, from when it is read until its result is there. */
export class Target {
  /** When `expire` wants to be called; never while this machine has not sent its datagram. */
  deadline = Number.POSITIVE_INFINITY
  /** It has answered, if only with a challenge. */
  isKnownToLive = false
  /** As it was given. */
  readonly input: AddressInput
  readonly address: string
  readonly port: number
  /** `routeKey` of address and port. */
  readonly key: number | string
  readonly exchange: ServerExchange
  /** Where its datagrams leave and arrive. */
  socket: FlightSocket | undefined = undefined
  /** What the system said about the way there, last. */
  fault: SocketFault | undefined = undefined
  /** When what this machine did not send is tried again, on the machine's clock. */
  resendAt = Number.POSITIVE_INFINITY
  /** Since when it has not left, on the flights' clock, and for how long it had not before it was tried again. */
  heldAt = 0
  heldMs = 0
  /** Where it is counted in the limits per host and per network. */
  hostPlace = 0
  networkPlace = 0

  constructor(exchange: ServerExchange, input: AddressInput, address: string, port: number, key: number | string) {
    this.exchange = exchange
    this.input = input
    this.address = address
    this.port = port
    this.key = key
  }

  start(now: number): Step {
    return this.follow(this.exchange.start(now))
  }

  receive(datagram: Uint8Array, now: number): Step {
    return this.follow(this.exchange.receive(datagram, now))
  }

  expire(now: number): Step {
    return this.follow(this.exchange.expire(now))
  }

  resend(now: number, lateMs: number): Step {
    return this.follow(this.exchange.resend(now, lateMs))
  }

  fail(error: QueryError): Step {
    return this.exchange.fail(error)
  }

  private follow(step: Step): Step {
    this.deadline = this.exchange.deadline
    this.isKnownToLive = this.exchange.isKnownToLive
    return step
  }

  /** What came of it. Call it when done. */
  outcome(): ScanResult<ScanQuery> {
    const { address, exchange, fault, input: target, port } = this
    const { errors, legacy, players, playersAssumed, queries, received, rtt, rules, sent } = exchange
    const result = exchange.result!
    if (Result.isFailure(result)) {
      // Of a way that is said to be closed silence is no surprise.
      const error = fault !== undefined && received === 0 ? failures.ofSocket(fault) : result.failure
      return { _tag: "Failed", target, address, port, error, sent, received }
    }
    const { rttAmbiguous, rttMs } = rtt!
    const isUsual =
      rttAmbiguous === undefined && legacy === undefined && errors === undefined && playersAssumed === undefined
    const { name } = queries[0]!
    // Nearly all are one of these two, and without a spread they take a third of the time.
    if (isUsual && name === "info") {
      const info = result.success as InfoReply
      if (players === undefined) {
        return { _tag: "Answered", target, address, port, rttMs, sent, received, info } satisfies Answered<"info">
      }
      return { _tag: "Answered", target, address, port, rttMs, sent, received, info, players, rules } as Answered<"all">
    }
    const replies = name === "info" ? exchange.replies : { [name]: result.success }
    return { _tag: "Answered", target, address, port, ...rtt!, sent, received, ...replies } as Answered<"all">
  }
}
