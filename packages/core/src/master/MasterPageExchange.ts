/**
 * One answer of a master server, as a machine: asks, asks again in silence, and tells a page from a repetition of an earlier one. What
 * follows from a page is `MasterPaging`'s matter.
 *
 * Masters of Valve's kind answer with one datagram, whose end mark stands on the last page alone. Those of Xash3D answer with many, all
 * with the end mark. So after an end mark this goes on reading until it is quiet, and unless earlier pages have shown how this master
 * pages, it asks once more, to learn whether anything was lost:
 *
 * | | a page without end mark | an end mark | silence |
 * |---|---|---|---|
 * | asking | done | listening | asks again, then fails |
 * | listening | taken in | taken in | two rounds brought everything, or one page was to come: done; else asks again |
 */
import { MasterReply, MessageType, messageType } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import * as failures from "../query/failures.ts"
import { MasterRounds } from "./masterRounds.ts"
import { RepeatedQuestion, type RoundTrip } from "../engine/retransmission.ts"
import { Asked } from "../engine/unanswered.ts"
import type { MasterPaging } from "./MasterPaging.ts"
import type { QueryError, UnexpectedReply } from "../engine/QueryError.ts"

/** A page as it came. */
export interface MasterAnswer extends MeasuredRoundTrip {
  /** Of all datagrams together. */
  readonly reply: MasterReply
  /** Size of the first datagram. */
  readonly replyBytes: number
  /** Whether it is known that nothing of the answer was lost. Only then does its end mark end the list. */
  readonly isWhole: boolean
}

/** What earlier pages have shown. */
export type EarlierPages = Pick<MasterPaging, "isPaged" | "isRepeat" | "room">

const ASKED = "the request for servers (0x31)"

/** One answer of a master: a page, or all that comes in one go. */
export class MasterPageExchange extends RepeatedQuestion<MasterAnswer> {
  readonly packet: Uint8Array
  protected readonly asked = Asked.Opening
  private readonly earlier: EarlierPages
  private unexpected: UnexpectedReply | undefined = undefined
  /** A page that looks like an earlier one, and how often we had asked when it came; the answer after all if it comes each time. */
  private repeated: { readonly answer: MasterAnswer; readonly sent: number } | undefined = undefined
  /** The first datagram with an end mark; from then on this listens. */
  private first: MasterAnswer | undefined = undefined
  private readonly rounds = new MasterRounds()

  constructor(request: Uint8Array, earlier: EarlierPages, settings: ExchangeSettings, roundTrip?: RoundTrip) {
    super(settings, roundTrip)
    this.packet = request
    this.earlier = earlier
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
        // Whoever is asked too often may say so. What came stays.
        if (this.first !== undefined) return this.settle(this.first)
        return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
      default:
        this.unexpected = failures.unexpectedReply(ASKED, type)
        return Step.Wait
    }
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    if (this.first !== undefined) return this.expireListening(this.first, now)
    switch (this.afterSilence(now)) {
      case "over":
        return this.finish(
          this.repeated === undefined ? Result.fail(this.whyNothing()) : Result.succeed(this.repeated.answer)
        )
      case "again":
        return this.ask(now)
      case "wait":
        return Step.Wait
    }
  }

  override fail(error: QueryError): Step {
    return this.first === undefined || this.result !== undefined ? super.fail(error) : this.settle(this.first)
  }

  private receivePage(datagram: Uint8Array, now: number): Step {
    const decoded = MasterReply.decode(datagram)
    // What a damaged one held while this listens is missing from the round, and so is asked for again.
    if (Result.isFailure(decoded))
      return this.first === undefined ? this.receiveDamaged(decoded.failure, now) : Step.Wait
    const reply = decoded.success
    const isRepeat = this.earlier.isRepeat(reply)
    if (this.first !== undefined) return isRepeat ? Step.Wait : this.listenOn(this.first, reply, now)
    if (!isRepeat) this.measure(now, Asked.Opening)
    const rtt: MeasuredRoundTrip = isRepeat ? { rttMs: now - this.sentAt, rttAmbiguous: true } : this.rtt!
    const answer = { reply, replyBytes: datagram.length, isWhole: true, ...rtt }
    if (reply.complete) {
      this.first = answer
      // The timeout was for the answer to begin. It has as much again to end.
      this.begin(now)
      return this.listenOn(answer, reply, now)
    }
    // In answer to two transmissions of ours it is no stray of the network but what the master says.
    const isInsisted = this.repeated !== undefined && this.repeated.sent < this.sent
    if (!isRepeat || isInsisted) return this.finish(Result.succeed(answer))
    this.repeated = { answer, sent: this.sent }
    return Step.Wait
  }

  private listenOn(first: MasterAnswer, reply: MasterReply, now: number): Step {
    const isLate = this.rounds.isLater && this.isTooSoon(now)
    if (!isLate && !this.rounds.isAnswered && this.rounds.isLater) this.measure(now, Asked.Opening)
    this.rounds.add(reply.servers, isLate)
    // A master that never falls silent must not keep the timer from its turn.
    if (this.isOver(now) || this.rounds.size > this.earlier.room) return this.settle(first)
    this.waitUntil(now + this.roundTrip.restMs)
    return Step.Wait
  }

  private expireListening(first: MasterAnswer, now: number): Step {
    const isEnough = this.isOnePage(first) || this.rounds.isSettled || this.isOver(now)
    return isEnough || !this.rounds.next() ? this.settle(first) : this.ask(now)
  }

  /** Whether one datagram has come, of a master that sends one at a time. */
  private isOnePage({ reply }: MasterAnswer): boolean {
    return this.earlier.isPaged && new Set(reply.servers).size === this.rounds.size
  }

  private settle(first: MasterAnswer): Step {
    const { addresses } = this.rounds
    // A lone page stays as it came, with what it has twice.
    const isLone = new Set(first.reply.servers).size === addresses.length
    return this.finish(
      Result.succeed({
        ...first,
        reply: isLone ? first.reply : { ...first.reply, servers: addresses },
        isWhole: this.isOnePage(first) || this.rounds.isSettled
      })
    )
  }

  private whyNothing(): QueryError {
    return (
      this.damage ??
      this.unexpected ??
      failures.timeout(ASKED, "request", this.settings.timeoutMs, this.sent, this.received)
    )
  }
}
