/**
 * Requests one reply of a master server, as a state machine. The exchange retransmits the request if no reply arrives, and ignores
 * duplicates of earlier pages. `MasterPaging` processes the resulting page.
 *
 * Valve's masters reply to each request with one page in one datagram, and only the last page of the list contains the end mark. Xash3D's
 * masters reply to a request with the whole list in many datagrams, and each datagram contains the end mark. Therefore, after an end mark,
 * the exchange continues to receive until no more datagrams arrive. Then the exchange repeats the request, to detect lost datagrams. If
 * earlier pages have shown that the master sends one datagram per page, the exchange does not repeat the request.
 *
 * | | a page without end mark | a page with end mark | no reply |
 * |---|---|---|---|
 * | requested | done | listening | retransmits, then fails |
 * | listening | adds the addresses | adds the addresses | done, if two requests have each returned all known addresses, or if the master sends one page per request; otherwise repeats the request |
 */
import type { DecodeError } from "@sourcewire/protocol"
import { MasterReply, MessageType, messageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import * as failures from "../query/failures.ts"
import { MasterRounds } from "./masterRounds.ts"
import { RequestKind, Retry, type RoundTrip } from "../engine/Retry.ts"
import type { MasterPaging } from "./MasterPaging.ts"
import type { QueryError, UnexpectedReply } from "../engine/QueryError.ts"

/** A reply from a master. */
export interface MasterAnswer extends MeasuredRoundTrip {
  /** The server addresses from all datagrams of the reply. */
  readonly reply: MasterReply
  /** Size of the first datagram, in bytes. */
  readonly replyBytes: number
  /** `false` if a datagram of the reply may have been lost. In this case, the list may be incomplete, although the end mark arrived. */
  readonly isWhole: boolean
}

/** The part of {@link MasterPaging} that the exchange uses. */
export type EarlierPages = Pick<MasterPaging, "isPaged" | "isRepeat" | "room">

const LABEL = "the request for servers (0x31)"

/** Requests one reply of a master: a page, or the whole list. */
export class MasterPageExchange implements Exchange<MasterAnswer> {
  readonly packet: Uint8Array
  result: Result.Result<MasterAnswer, QueryError> | undefined = undefined
  /** Number of received datagrams, of any kind. */
  received = 0
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  private readonly earlier: EarlierPages
  private unexpected: UnexpectedReply | undefined = undefined
  /**
   * A reply that repeats an earlier page, and the number of requests sent before this reply arrived. The reply may be a duplicate made by
   * the network. If the exchange sends a further request, and the same reply arrives once more, this is the master's reply to the further
   * request.
   */
  private repeated: { readonly answer: MasterAnswer; readonly sent: number } | undefined = undefined
  /** The first datagram with an end mark. After this datagram, the exchange is in the state `listening`. */
  private first: MasterAnswer | undefined = undefined
  private readonly rounds = new MasterRounds()

  constructor(request: Uint8Array, earlier: EarlierPages, settings: ExchangeSettings, roundTrip?: RoundTrip) {
    this.settings = settings
    this.retry = new Retry(settings, roundTrip)
    this.packet = request
    this.earlier = earlier
  }

  get deadline(): number {
    return this.retry.deadline
  }

  get outstanding(): number {
    return this.retry.outstanding
  }

  /** Number of sent datagrams. */
  get sent(): number {
    return this.retry.sent
  }

  expectLateReplies(outstanding: number): void {
    this.retry.expectLateReplies(outstanding)
  }

  start(now: number): Step {
    this.retry.begin(now)
    return this.send(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.result !== undefined) return Step.Done
    this.received++
    const type = messageType(datagram)
    switch (type) {
      case -1:
        return Step.Wait
      case MessageType.M2A_SERVER_BATCH:
        return this.receivePage(datagram, now)
      case MessageType.A2C_PRINT:
      case MessageType.S2C_CONNREJECT:
        // The master may have rejected the request because the exchange has sent too many requests. If the exchange has received addresses
        // before, these addresses are the result.
        if (this.first !== undefined) return this.settle(this.first)
        return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
      default:
        this.unexpected = failures.unexpectedReply(LABEL, type)
        return Step.Wait
    }
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    if (this.first !== undefined) return this.expireListening(this.first, now)
    switch (this.retry.afterSilence(now)) {
      case "over":
        return this.finish(
          this.repeated === undefined ? Result.fail(this.noReplyError()) : Result.succeed(this.repeated.answer)
        )
      case "again":
        return this.send(now)
      case "wait":
        return Step.Wait
    }
  }

  fail(error: QueryError): Step {
    if (this.result !== undefined) return Step.Done
    return this.first === undefined ? this.finish(Result.fail(error)) : this.settle(this.first)
  }

  private send(now: number): Step {
    this.retry.send(now, RequestKind.Opening)
    return Step.Send
  }

  private finish(result: Result.Result<MasterAnswer, QueryError>): Step {
    this.result = result
    this.retry.end()
    return Step.Done
  }

  private receiveDamaged(error: DecodeError, now: number): Step {
    return this.retry.onDamaged(error) ? this.send(now) : this.finish(Result.fail(error))
  }

  private receivePage(datagram: Uint8Array, now: number): Step {
    const decoded = MasterReply.decode(datagram)
    // In the state `listening`, a malformed datagram is ignored. The addresses of this datagram are then missing in the reply, so the
    // exchange repeats the request.
    if (Result.isFailure(decoded))
      return this.first === undefined ? this.receiveDamaged(decoded.failure, now) : Step.Wait
    const reply = decoded.success
    const isRepeat = this.earlier.isRepeat(reply)
    if (this.first !== undefined) return isRepeat ? Step.Wait : this.listenOn(this.first, reply, now)
    if (!isRepeat) this.retry.measure(now, RequestKind.Opening)
    const rtt: MeasuredRoundTrip = isRepeat ? { rttMs: now - this.retry.sentAt, rttAmbiguous: true } : this.retry.rtt!
    const answer = { reply, replyBytes: datagram.length, isWhole: true, ...rtt }
    if (reply.complete) {
      this.first = answer
      // Until now, the time limit applied to the first datagram of the reply. For the other datagrams, the time limit starts again.
      this.retry.begin(now)
      return this.listenOn(answer, reply, now)
    }
    const isInsisted = this.repeated !== undefined && this.repeated.sent < this.sent
    if (!isRepeat || isInsisted) return this.finish(Result.succeed(answer))
    this.repeated = { answer, sent: this.sent }
    return Step.Wait
  }

  private listenOn(first: MasterAnswer, reply: MasterReply, now: number): Step {
    const isLate = this.rounds.isLater && this.retry.isTooSoon(now)
    if (!isLate && !this.rounds.isAnswered && this.rounds.isLater) this.retry.measure(now, RequestKind.Opening)
    this.rounds.add(reply.servers, isLate)
    // The time limit and the maximum number of addresses must also apply if a master never stops sending datagrams.
    if (this.retry.isOver(now) || this.rounds.size > this.earlier.room) return this.settle(first)
    this.retry.waitUntil(now + this.retry.roundTrip.restMs)
    return Step.Wait
  }

  private expireListening(first: MasterAnswer, now: number): Step {
    const isEnough = this.isOnePage(first) || this.rounds.isSettled || this.retry.isOver(now)
    return isEnough || !this.rounds.next() ? this.settle(first) : this.send(now)
  }

  /** Whether the reply is a single page: earlier replies were single pages, and all addresses of this reply are from one datagram. */
  private isOnePage({ reply }: MasterAnswer): boolean {
    return this.earlier.isPaged && new Set(reply.servers).size === this.rounds.size
  }

  private settle(first: MasterAnswer): Step {
    const { addresses } = this.rounds
    // If the first datagram contains all addresses of the reply, its list of addresses is returned unchanged, including duplicates.
    const isLone = new Set(first.reply.servers).size === addresses.length
    return this.finish(
      Result.succeed({
        ...first,
        reply: isLone ? first.reply : { ...first.reply, servers: addresses },
        isWhole: this.isOnePage(first) || this.rounds.isSettled
      })
    )
  }

  private noReplyError(): QueryError {
    return (
      this.retry.damage ??
      this.unexpected ??
      failures.timeout(LABEL, "request", this.settings.timeoutMs, this.sent, this.received)
    )
  }
}
