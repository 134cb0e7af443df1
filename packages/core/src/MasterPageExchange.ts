/**
 * One page of a master server's list, as a machine: asks, asks again in silence, and tells the page from a repetition of an earlier
 * one. What follows from a page is `MasterPaging`'s matter.
 *
 * @example
 * import { MasterPageExchange } from "@sourcewire/core"
 * import { MasterRequest } from "@sourcewire/protocol"
 * import * as Result from "effect/Result"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const request = MasterRequest.encode({ _tag: "MasterRequest", region: 255, seed: "0.0.0.0:0", filter: "" })
 * const exchange = new MasterPageExchange(Result.getOrThrow(request), () => false, settings)
 * console.log(exchange.packet)
 *
 * @module
 */
import type { DecodeError } from "@sourcewire/protocol"
import { MasterReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Exchange } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import * as failures from "./internal/failures.ts"
import { Patience } from "./internal/patience.ts"
import type { ExchangeSettings } from "./QueryExchange.ts"
import { ReplyType } from "./Query.ts"
import type { QueryError, UnexpectedReply } from "./QueryError.ts"
import type { MeasuredRoundTrip, RoundTrip } from "./RoundTrip.ts"

/** A page as it came. */
export interface MasterAnswer extends MeasuredRoundTrip {
  readonly reply: MasterReply
  /** Size of the datagram. */
  readonly replyBytes: number
}

const HEADER_BYTES = 4
const PAGE = 0x66
const ASKED = "the request for servers (0x31)"

/** See the module. */
export class MasterPageExchange implements Exchange<MasterAnswer> {
  readonly packet: Uint8Array
  result: Result.Result<MasterAnswer, QueryError> | undefined = undefined
  private readonly isRepeat: (reply: MasterReply) => boolean
  private readonly settings: ExchangeSettings
  private readonly patience: Patience
  private received = 0
  private damage: DecodeError | undefined = undefined
  private unexpected: UnexpectedReply | undefined = undefined
  /** A page that looks like an earlier one; the answer after all if every transmission brings it. */
  private repeated: MasterAnswer | undefined = undefined
  /** Transmissions when it last came. */
  private repeatedAfter = 0

  constructor(
    request: Uint8Array,
    isRepeat: (reply: MasterReply) => boolean,
    settings: ExchangeSettings,
    roundTrip?: RoundTrip
  ) {
    this.packet = request
    this.isRepeat = isRepeat
    this.settings = settings
    this.patience = new Patience(settings, roundTrip)
  }

  get deadline(): number {
    return this.patience.deadline
  }

  get outstanding(): number {
    return this.patience.outstanding
  }

  start(now: number): Step {
    this.patience.begin(now)
    return this.transmit(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.result !== undefined) return Step.Done
    this.received++
    if (datagram.length <= HEADER_BYTES || datagram.subarray(0, HEADER_BYTES).some((byte) => byte !== 0xff)) {
      return Step.Wait
    }
    switch (datagram[HEADER_BYTES]) {
      case PAGE:
        return this.receivePage(datagram, now)
      case ReplyType.Print:
      case ReplyType.Rejected:
        return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
      default:
        this.unexpected = failures.unexpectedReply(ASKED, datagram[HEADER_BYTES]!)
        return Step.Wait
    }
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    switch (this.patience.expire(now)) {
      case "over":
        return this.finish(this.repeated === undefined ? Result.fail(this.whyNothing()) : Result.succeed(this.repeated))
      case "again":
        return this.transmit(now)
      case "wait":
        return Step.Wait
    }
  }

  fail(error: QueryError): Step {
    return this.result === undefined ? this.finish(Result.fail(error)) : Step.Done
  }

  private receivePage(datagram: Uint8Array, now: number): Step {
    const reply = MasterReply.decode(datagram)
    if (Result.isFailure(reply)) return this.receiveDamaged(reply.failure, now)
    const isRepeat = this.isRepeat(reply.success)
    const rtt = isRepeat ? this.patience.guess(now) : this.patience.measure(now, "opening")
    const answer = { reply: reply.success, replyBytes: datagram.length, ...rtt }
    // In answer to two transmissions of ours it is no stray of the network but what the master says.
    const isInsisted = this.repeated !== undefined && this.repeatedAfter < this.patience.sent
    if (!isRepeat || isInsisted) return this.finish(Result.succeed(answer))
    this.repeated = answer
    this.repeatedAfter = this.patience.sent
    return Step.Wait
  }

  private receiveDamaged(error: DecodeError, now: number): Step {
    if (this.damage !== undefined || this.settings.retries === 0) return this.finish(Result.fail(error))
    this.damage = error
    return this.transmit(now)
  }

  private transmit(now: number): Step {
    this.patience.transmit(now, "opening")
    return Step.Send
  }

  private whyNothing(): QueryError {
    return (
      this.damage ??
      this.unexpected ??
      failures.timeout(ASKED, "request", this.settings.timeoutMs, this.patience.sent, this.received)
    )
  }

  private finish(result: Result.Result<MasterAnswer, QueryError>): Step {
    this.result = result
    this.patience.deadline = Number.POSITIVE_INFINITY
    return Step.Done
  }
}
