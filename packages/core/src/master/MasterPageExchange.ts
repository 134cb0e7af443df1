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
import type { DecodeError } from "@sourcewire/protocol"
import { MasterReply, MessageType, messageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import * as failures from "../query/failures.ts"
import { MasterRounds } from "./masterRounds.ts"
import { RequestKind, Retry, type RoundTrip } from "../engine/Retry.ts"
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

const LABEL = "the request for servers (0x31)"

/** One answer of a master: a page, or all that comes in one go. */
export class MasterPageExchange implements Exchange<MasterAnswer> {
  readonly packet: Uint8Array
  result: Result.Result<MasterAnswer, QueryError> | undefined = undefined
  /** Datagrams received, of whatever kind. */
  received = 0
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  private readonly earlier: EarlierPages
  private unexpected: UnexpectedReply | undefined = undefined
  /** A page that looks like an earlier one, and how often we had asked when it came; the answer after all if it comes each time. */
  private repeated: { readonly answer: MasterAnswer; readonly sent: number } | undefined = undefined
  /** The first datagram with an end mark; from then on this listens. */
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

  /** Datagrams sent. */
  get sent(): number {
    return this.retry.sent
  }

  comeAfter(outstanding: number): void {
    this.retry.comeAfter(outstanding)
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
        // Whoever is asked too often may say so. What came stays.
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
          this.repeated === undefined ? Result.fail(this.whyNothing()) : Result.succeed(this.repeated.answer)
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
    // What a damaged one held while this listens is missing from the round, and so is asked for again.
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
      // The timeout was for the answer to begin. It has as much again to end.
      this.retry.begin(now)
      return this.listenOn(answer, reply, now)
    }
    // In answer to two transmissions of ours it is no stray of the network but what the master says.
    const isInsisted = this.repeated !== undefined && this.repeated.sent < this.sent
    if (!isRepeat || isInsisted) return this.finish(Result.succeed(answer))
    this.repeated = { answer, sent: this.sent }
    return Step.Wait
  }

  private listenOn(first: MasterAnswer, reply: MasterReply, now: number): Step {
    const isLate = this.rounds.isLater && this.retry.isTooSoon(now)
    if (!isLate && !this.rounds.isAnswered && this.rounds.isLater) this.retry.measure(now, RequestKind.Opening)
    this.rounds.add(reply.servers, isLate)
    // A master that never falls silent must not keep the timer from its turn.
    if (this.retry.isOver(now) || this.rounds.size > this.earlier.room) return this.settle(first)
    this.retry.waitUntil(now + this.retry.roundTrip.restMs)
    return Step.Wait
  }

  private expireListening(first: MasterAnswer, now: number): Step {
    const isEnough = this.isOnePage(first) || this.rounds.isSettled || this.retry.isOver(now)
    return isEnough || !this.rounds.next() ? this.settle(first) : this.send(now)
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
      this.retry.damage ??
      this.unexpected ??
      failures.timeout(LABEL, "request", this.settings.timeoutMs, this.sent, this.received)
    )
  }
}
