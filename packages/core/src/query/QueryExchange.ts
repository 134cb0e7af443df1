/**
 * One query to one server as a machine: challenges, retransmissions, split replies, both dialects of INFO, and every way in which
 * it can fail. All changes of a query's state are in this file; what a query asks and accepts is in `Query`, what replies say about
 * the round trip in `engine/transmissions.ts`.
 *
 * The rules, each of which some real server needs:
 *
 * - Data may come at once, after a challenge, or after several. A challenge that comes again is answered again.
 * - Silence after a challenge: once more with it, then from the start (caches drop requests with a challenge that has expired).
 * - Another kind of reply is never the answer. It only makes the next transmission come sooner, since filters in front of game
 *   servers answer the first PLAYER with an INFO, and late replies of the query before arrive here too.
 * - A damaged answer is asked for once more: a damaged datagram and a broken server look the same the first time.
 * - The old INFO dialect waits a moment for the new one. The new one never waits for the old.
 *
 * @example
 * import { Query, QueryExchange } from "@sourcewire/core"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const exchange = new QueryExchange(Query.players, settings)
 * exchange.start(0)
 * exchange.receive(Uint8Array.of(255, 255, 255, 255, 0x41, 1, 2, 3, 4), 20)
 * console.log(exchange.packet) // the request again, with the challenge
 *
 * @module
 */
import type { DecodeError, GoldSourceInfoReply } from "@sourcewire/protocol"
import type { Reassembler } from "@sourcewire/protocol/machines"
import { challengeOf, isSplit, MessageType, messageType } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { Step } from "../engine/Exchange.ts"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import * as failures from "./failures.ts"
import { giveBackReassembler, takeReassembler } from "./reassemblers.ts"
import { Transmissions } from "../engine/transmissions.ts"
import type { Asked } from "../engine/transmissions.ts"
import {
  BACKOFF_FACTOR,
  CHALLENGE_KEPT_MS,
  MAX_CHALLENGE_ROUNDS,
  MAX_SAME_CHALLENGES,
  SECOND_DIALECT_MS,
  WRONG_KIND_MS
} from "../Limits.ts"
import type { Query } from "./Query.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { RoundTrip } from "../engine/RoundTrip.ts"
import type { MeasuredRoundTrip } from "../engine/RoundTrip.ts"

/** A challenge that a server gave, and when: worth a round trip in the next query to it, for a while. */
export interface KeptChallenge {
  readonly challenge: number
  /** On the clock of the exchanges. */
  readonly givenAt: number
}

const CHALLENGED: ReadonlyArray<Asked> = ["challenged"]
const OPENED_OR_CHALLENGED: ReadonlyArray<Asked> = ["opening", "challenged"]
const ALTERNATE: ReadonlyArray<Asked> = ["alternate"]

/** See the module. One instance per query; the fields that are not of `Exchange` are for reading when it is done. */
export class QueryExchange<A> implements Exchange<A> {
  deadline = Number.POSITIVE_INFINITY
  packet: Uint8Array
  result: Result.Result<A, QueryError> | undefined = undefined
  /** Round trip of the answer, before it of the challenge. A reply that comes after the answer may still tell it. */
  rtt: MeasuredRoundTrip | undefined = undefined
  /** Last challenge of the server, for the next query to it. */
  keptChallenge: KeptChallenge | undefined
  /** The old dialect's INFO, where the result is the new one's and both came. */
  legacy: GoldSourceInfoReply | undefined = undefined
  /** Datagrams sent. */
  sent = 0
  /** Datagrams received, of whatever kind. */
  received = 0
  /** Whether a datagram had to be repeated, because of silence. */
  repeated = false
  /** Whether the result was told by silence alone. */
  assumed = false
  /** Whether the server has given a challenge in this query. */
  challenged = false
  readonly query: Query<A>

  private readonly settings: ExchangeSettings
  private readonly roundTrip: RoundTrip

  private endsAt = 0
  private silences = 0
  /** Waits in a row since the query last got further; what the backoff grows with. */
  private backoff = 0
  /** Silences since `challenge` was (last) given; decides when to start over. */
  private silencesOnChallenge = 0
  private challengeRounds = 0
  /** How often in a row the challenge in use has come again. */
  private sameAgain = 0
  /** The one in use; absent before the first and after starting over. */
  private challenge: number | undefined = undefined

  private readonly transmissions: Transmissions
  private alternateTurn = false

  private reassembler: Reassembler | undefined = undefined
  private firstFragmentAt: number | undefined = undefined
  private damage: DecodeError | undefined = undefined
  private wrongType = 0
  /** `sent` when a reply of the wrong kind last came. */
  private wrongAfter = 0
  private held: A | undefined = undefined

  /** Without a `roundTrip` nothing is known of the server's. */
  constructor(query: Query<A>, settings: ExchangeSettings, roundTrip?: RoundTrip, kept?: KeptChallenge) {
    this.query = query
    this.settings = settings
    this.roundTrip = roundTrip ?? new RoundTrip()
    this.transmissions = new Transmissions(this.roundTrip)
    this.keptChallenge = kept
    this.packet = query.request.opening
    // A kept challenge that meets silence has probably expired: no second try with it.
    this.silencesOnChallenge = 1
  }

  get outstanding(): number {
    return this.transmissions.outstanding
  }

  comeAfter(outstanding: number): void {
    this.transmissions.comeAfter(outstanding)
  }

  start(now: number): Step {
    this.endsAt = now + this.settings.timeoutMs
    const { keptChallenge: kept } = this
    const { withChallenge } = this.query.request
    if (kept !== undefined && withChallenge !== undefined && now - kept.givenAt < CHALLENGE_KEPT_MS) {
      this.challenge = kept.challenge
      this.packet = withChallenge(kept.challenge)
    }
    return this.transmit(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.result !== undefined) {
      if (Result.isSuccess(this.result)) this.receiveLate(messageType(datagram), now)
      return Step.Done
    }
    this.received++
    if (isSplit(datagram)) return this.receiveFragment(datagram, now)
    return messageType(datagram) === -1 ? Step.Wait : this.receiveWhole(datagram, now, now)
  }

  expire(now: number): Step {
    if (this.result !== undefined) return Step.Done
    if (this.held !== undefined) {
      this.legacy = undefined
      return this.finish(Result.succeed(this.held))
    }
    const { alternate, silence } = this.query
    if (silence !== undefined && this.isSilence()) {
      this.assumed = true
      return this.finish(Result.succeed(silence))
    }
    if (now >= this.endsAt) return this.finish(Result.fail(this.whyNothing()))
    if (alternate !== undefined && !alternate.instead && this.alternateIsDue(alternate.after)) {
      this.alternateTurn = false
      this.packet = alternate.packet
      return this.transmit(now, WRONG_KIND_MS)
    }
    if (this.silences >= this.settings.retries) {
      // Every transmission was met with the wrong kind of answer: more patience brings no other.
      if (this.wrongAfter === this.sent) return this.finish(Result.fail(this.whyNothing()))
      this.deadline = this.endsAt
      return Step.Wait
    }
    this.silences++
    this.repeated = true
    this.backoff++
    this.alternateTurn = !this.alternateTurn || alternate?.instead === false
    this.packet = this.packetAfterSilence()
    return this.transmit(now)
  }

  fail(error: QueryError): Step {
    return this.result === undefined ? this.finish(Result.fail(error)) : Step.Done
  }

  /** Nothing has come that might be an answer, or stand in its place. */
  private isSilence(): boolean {
    return this.damage === undefined && this.reassembler === undefined && this.wrongAfter !== this.sent
  }

  private alternateIsDue(after: number): boolean {
    return this.alternateTurn && !this.challenged && this.silences >= after
  }

  private packetAfterSilence(): Uint8Array {
    const { alternate, request } = this.query
    if (alternate?.instead === true && this.alternateTurn && this.silences >= alternate.after) return alternate.packet
    if (this.challenge !== undefined && request.withChallenge !== undefined) {
      if (++this.silencesOnChallenge <= 1) return request.withChallenge(this.challenge)
      this.challenge = undefined
      this.challengeRounds = 0
    }
    return request.opening
  }

  private receiveFragment(datagram: Uint8Array, now: number): Step {
    this.reassembler ??= takeReassembler()
    this.firstFragmentAt ??= now
    const joined = this.reassembler.add(datagram)
    if (Result.isFailure(joined)) return this.receiveDamaged(joined.failure, now)
    if (joined.success !== undefined) return this.receiveWhole(joined.success.bytes, now, this.firstFragmentAt)
    this.deadline = Math.min(this.endsAt, now + this.roundTrip.restMs)
    return Step.Wait
  }

  /** A message came, whole or joined of fragments, of which the first came at `firstAt`. */
  private receiveWhole(datagram: Uint8Array, now: number, firstAt: number): Step {
    const type = messageType(datagram)
    // Fragments can be joined to anything.
    if (type === -1) return this.waitShortly(now)
    if (this.query.accepts(type) && !(type === MessageType.S2C_CHALLENGE && challengeOf(datagram) === undefined)) {
      return this.receiveAnswer(type, datagram, now, firstAt)
    }
    if (type === MessageType.S2C_CHALLENGE) {
      const challenge = challengeOf(datagram)
      if (challenge !== undefined) return this.receiveChallenge(challenge, now)
    }
    if (type === MessageType.A2C_PRINT || type === MessageType.S2C_CONNREJECT) {
      return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
    }
    this.wrongType = type
    this.wrongAfter = this.sent
    return this.waitShortly(now)
  }

  /** What came is not the answer, but the server lives: the next transmission comes sooner. */
  private waitShortly(now: number): Step {
    const soon = Math.max(WRONG_KIND_MS, 2 * this.roundTrip.smoothedMs) * BACKOFF_FACTOR ** this.backoff
    this.deadline = Math.min(this.deadline, now + soon)
    return Step.Wait
  }

  private receiveAnswer(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    if (this.transmissions.isOwed(now)) return Step.Wait
    const answer = this.query.decode(datagram, this.settings.encoding)
    // Of the two dialects' replies to one request the first tells the time.
    if (this.held === undefined) this.rtt = this.transmissions.measure(firstAt, this.answeredBy(type))
    if (Result.isFailure(answer)) return this.receiveDamaged(answer.failure, now)
    const legacy = this.query.legacyOf?.(answer.success)
    if (legacy === undefined) return this.finish(answer)
    this.held = answer.success
    this.legacy = legacy
    this.deadline = Math.min(this.endsAt, now + Math.max(SECOND_DIALECT_MS, 2 * this.rtt!.rttMs))
    return Step.Wait
  }

  private receiveChallenge(challenge: number, now: number): Step {
    const { withChallenge } = this.query.request
    if (withChallenge === undefined || this.transmissions.isOwed(now)) return Step.Wait
    const isSame = challenge === this.challenge
    if (isSame) this.transmissions.receiveRepeated(now)
    else this.rtt = this.transmissions.measure(now, OPENED_OR_CHALLENGED)
    // Too early to be an answer to what we sent last: the network has duplicated the one before.
    if (isSame && this.transmissions.isTooSoon(now)) return Step.Wait
    this.sameAgain = isSame ? this.sameAgain + 1 : 0
    if (this.sameAgain > MAX_SAME_CHALLENGES) return this.waitShortly(now)
    if (++this.challengeRounds > MAX_CHALLENGE_ROUNDS) {
      return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
    }
    if (!this.challenged) {
      // The server lives: what was lost before is no reason to give up sooner, or to wait longer.
      this.backoff = 0
      this.silences = 0
    }
    this.challenged = true
    this.challenge = challenge
    this.keptChallenge = { challenge, givenAt: now }
    this.silencesOnChallenge = 0
    this.packet = withChallenge(challenge)
    return this.transmit(now)
  }

  /** The answer came, but cannot be read. */
  private receiveDamaged(error: DecodeError, now: number): Step {
    // An old-dialect answer in hand is better than a broken new one.
    if (this.held !== undefined) return Step.Wait
    if (this.damage !== undefined || this.settings.retries === 0) return this.finish(Result.fail(error))
    this.damage = error
    return this.transmit(now)
  }

  private transmit(now: number, waitMs: number = this.transmissions.waitMs(this.settings, this.backoff)): Step {
    this.transmissions.add(now, this.asked())
    this.sent++
    this.firstFragmentAt = undefined
    this.deadline = Math.min(this.endsAt, now + waitMs)
    return Step.Send
  }

  /** What the packet asks for. */
  private asked(): Asked {
    const { alternate, answersAlternate, request } = this.query
    if (this.packet === alternate?.packet) return answersAlternate === undefined ? "opening" : "alternate"
    return this.packet === request.opening ? "opening" : "challenged"
  }

  /** What an answer of this type can be a reply to. A server that gives challenges answers no request without one. */
  private answeredBy(type: number): ReadonlyArray<Asked> {
    if (this.query.answersAlternate?.(type) === true) return ALTERNATE
    return this.challenged ? CHALLENGED : OPENED_OR_CHALLENGED
  }

  private receiveLate(type: number, now: number): void {
    if (this.query.accepts(type)) this.rtt = this.transmissions.measureLate(now, this.answeredBy(type)) ?? this.rtt
    else if (type === MessageType.S2C_CHALLENGE) this.transmissions.receiveRepeated(now)
  }

  private whyNothing(): QueryError {
    if (this.damage !== undefined) return this.damage
    if (this.wrongAfter === this.sent) return failures.unexpectedReply(this.query.valve, this.wrongType)
    const phase = this.reassembler !== undefined ? "split" : this.challenged ? "challenge" : "request"
    return failures.timeout(this.query.valve, phase, this.settings.timeoutMs, this.sent, this.received)
  }

  private finish(result: Result.Result<A, QueryError>): Step {
    this.result = result
    this.deadline = Number.POSITIVE_INFINITY
    if (this.reassembler !== undefined) giveBackReassembler(this.reassembler)
    this.reassembler = undefined
    return Step.Done
  }
}
