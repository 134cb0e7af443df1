/**
 * One query to one server as a state machine: the request, the challenge, the request with the challenge, and the reply, whole or in
 * fragments. It receives datagrams and the time, and returns the datagrams to send and the time to wait. `Query` describes each kind of
 * query as data. {@link Retry} decides when to retransmit, and measures the round-trip time.
 *
 * There is one method per event: `onChallenge`, `onFragment`, `onAnswer`, `onOther` and `onSilence`. Each is a switch over the {@link
 * QueryState}. In every state except `done`, a refusal ends the query, and so does the end of the time limit.
 */
import type { DecodeError, GoldSourceInfoReply } from "@sourcewire/protocol"
import { readChallenge, FRAGMENT, datagramKind, MessageType, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { RequestKind, Retry, type RoundTrip } from "../engine/Retry.ts"
import {
  CHALLENGE_KEPT_MS,
  MAX_CHALLENGE_ROUNDS,
  MAX_SAME_CHALLENGES,
  MAX_TARGET_DATAGRAMS,
  SECOND_DIALECT_MS,
  WRONG_KIND_MS
} from "../Limits.ts"
import * as failures from "./failures.ts"
import type { Alternate, Query } from "./Query.ts"

/**
 * The progress of a query. It goes back only if fragments belong to another query. Conditions that are possible in several states, for
 * example an earlier malformed reply, are separate fields.
 *
 * - `asking`: the server has sent nothing that belongs to the answer.
 * - `challenged`: the server has given a challenge. After silence, the query can still start over without it.
 * - `joining`: part of a split reply has arrived.
 * - `holding`: INFO in the old dialect has arrived. It is the answer unless INFO in the new dialect follows at once.
 * - `done`: there is a result. A late reply can still show that a retransmission was unnecessary.
 */
export type QueryState = "asking" | "challenged" | "joining" | "holding" | "done"

/** Whether a message of this type refuses to answer. */
export const isRefusal = (type: number): boolean =>
  type === MessageType.A2C_PRINT || type === MessageType.S2C_CONNREJECT

/** Silences before an alternate request is sent in addition to the usual one. */
const SILENCES_BEFORE_ALTERNATE = 2

/** One query. The fields that are not of `Exchange` can be read when it is done. */
export class QueryExchange<A> implements Exchange<A> {
  query: Query<A>
  packet: Uint8Array
  result: Result.Result<A, QueryError> | undefined = undefined
  /** Datagrams received, of whatever kind. */
  received = 0
  /** The old dialect's INFO, if the result is the new one's and both came. */
  legacy: GoldSourceInfoReply | undefined = undefined
  /** Whether a datagram was sent again after silence. */
  repeated = false
  /** Whether the result follows from silence alone. */
  assumed = false
  private current: QueryState = "asking"
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  private readonly challenges: Challenges
  /** The kind of request in the packet. */
  private requestKind: number = RequestKind.Opening
  /** From the first fragment on, until the query is done or hands them over. */
  private fragments: Fragments | undefined = undefined
  /** While `holding`: the answer in the old dialect. */
  private held: A | undefined = undefined
  /** The last reply of another kind, and how many datagrams had been sent when it came. */
  private other: { readonly type: number; readonly after: number } | undefined = undefined

  /** Without a `roundTrip`, nothing is known of the server's round-trip time. */
  constructor(query: Query<A>, settings: ExchangeSettings, roundTrip?: RoundTrip, kept?: KeptChallenge) {
    this.settings = settings
    this.retry = new Retry(settings, roundTrip)
    this.query = query
    this.packet = query.opening
    this.challenges = new Challenges(kept)
  }

  get state(): QueryState {
    return this.current
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

  /** When it started. */
  get startedAt(): number {
    return this.retry.startedAt
  }

  /** How long the answer took, exactly if that is known. Absent before the first reply. */
  get rtt(): MeasuredRoundTrip | undefined {
    return this.retry.rtt
  }

  /** The challenge in its next request; absent while it has none. */
  get challenge(): number | undefined {
    return this.challenges.inUse
  }

  /** Whether the server has replied, if only with a challenge. */
  get isKnownToLive(): boolean {
    return this.challenges.isGiven
  }

  /** The server's last challenge, for the next query to it. */
  get keptChallenge(): KeptChallenge | undefined {
    return this.challenges.kept
  }

  /** Makes it new, to query another server once it is done. */
  reset(): void {
    this.retry.reset()
    this.challenges.reset(undefined)
    this.current = "asking"
    this.received = 0
    this.result = undefined
    this.repeated = this.assumed = false
    this.legacy = this.held = this.other = undefined
    this.packet = this.query.opening
    this.requestKind = RequestKind.Opening
  }

  /** Sets the query, with the challenge of the query before. Called before it starts. */
  prepare(query: Query<A>, kept: KeptChallenge | undefined): void {
    this.query = query
    this.packet = query.opening
    this.challenges.reset(kept)
  }

  comeAfter(outstanding: number): void {
    this.retry.comeAfter(outstanding)
  }

  start(now: number): Step {
    if (this.challenges.begin(now)) this.turnToRequest()
    this.retry.begin(now)
    return this.send(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    const isDone = this.current === "done"
    if (!isDone && ++this.received > MAX_TARGET_DATAGRAMS) {
      return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    }
    const type = datagramKind(datagram)
    if (type === FRAGMENT) return this.onFragment(datagram, now)
    if (type < 0) return isDone ? Step.Done : Step.Wait
    return this.receiveMessage(type, datagram, now, now)
  }

  expire(now: number): Step {
    return this.onSilence(now)
  }

  fail(error: QueryError): Step {
    return this.current === "done" ? Step.Done : this.finish(Result.fail(error))
  }

  /** A fragment came that may be for this query or for another one in flight. The caller joins the fragments. */
  receivePart(now: number): Step {
    if (this.current === "done") return Step.Done
    if (++this.received > MAX_TARGET_DATAGRAMS) return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    if (this.current !== "holding") this.current = "joining"
    this.retry.waitUntil(Math.max(this.deadline, now + this.retry.roundTrip.restMs))
    return Step.Wait
  }

  /** The fragments belonged to the reply to the other query. */
  forgetParts(): void {
    if (this.current === "joining") this.current = this.challenges.isGiven ? "challenged" : "asking"
  }

  /** Gives its fragments to the caller, who joins those of two queries from now on. */
  handOverFragments(): Fragments | undefined {
    const { fragments } = this
    this.fragments = undefined
    return fragments
  }

  /** Joins fragments itself again, starting with these. */
  takeOverFragments(fragments: Fragments): void {
    this.fragments = fragments
  }

  /** A complete message came, whose first datagram came at `firstAt`. Decides which event that is. */
  receiveMessage(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    const { answers, challenged } = this.query
    if (type === MessageType.S2C_CHALLENGE) {
      const challenge = readChallenge(datagram, type)
      if (challenge === undefined) return this.onOther(type, datagram, now)
      if (challenged !== undefined) return this.onChallenge(challenge, now)
      // A late reply to GETCHALLENGE, which this query does not wait for.
      if (!answers.includes(type)) return this.current === "done" ? Step.Done : Step.Wait
    } else if (!answers.includes(type)) return this.onOther(type, datagram, now)
    return this.onAnswer(type, datagram, now, firstAt)
  }

  private onChallenge(challenge: number, now: number): Step {
    switch (this.current) {
      case "asking":
      case "challenged":
      case "joining":
      case "holding":
        return this.retry.isOwed(now) ? Step.Wait : this.askWith(challenge, now)
      case "done":
        if (this.hasSucceeded) this.retry.onRepeated(RequestKind.Opening)
        return Step.Done
    }
  }

  private onFragment(datagram: Uint8Array, now: number): Step {
    switch (this.current) {
      case "asking":
      case "challenged":
        this.current = "joining"
        return this.join(datagram, now)
      case "joining":
      case "holding":
        return this.join(datagram, now)
      case "done":
        return Step.Done
    }
  }

  private onAnswer(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    switch (this.current) {
      case "asking":
      case "challenged":
      case "joining": {
        if (this.retry.isOwed(now)) return Step.Wait
        const answer = this.query.decode(datagram, this.settings.encoding, type)
        // The query beside it may have joined fragments that came before the last transmission of this one.
        this.retry.measure(firstAt < this.retry.sentAt ? now : firstAt, this.answeredBy(type))
        if (Result.isFailure(answer)) return this.receiveDamaged(answer.failure, now)
        return type === this.query.oldAnswer ? this.hold(answer.success, now) : this.finish(answer)
      }
      case "holding": {
        if (this.retry.isOwed(now)) return Step.Wait
        const answer = this.query.decode(datagram, this.settings.encoding, type)
        // The answer in the old dialect is better than a damaged one in the new.
        if (Result.isFailure(answer)) return Step.Wait
        return type === this.query.oldAnswer ? this.hold(answer.success, now) : this.finish(answer)
      }
      case "done":
        if (this.hasSucceeded) this.retry.onRepeated(this.answeredBy(type))
        return Step.Done
    }
  }

  /**
   * Another kind of message came. A refusal ends the query. Anything else only makes the next transmission come sooner, since filters in
   * front of game servers answer the first PLAYER with an INFO, and late replies to the query before arrive here too.
   */
  private onOther(type: number, datagram: Uint8Array, now: number): Step {
    switch (this.current) {
      case "asking":
      case "challenged":
      case "joining":
      case "holding":
        if (isRefusal(type)) {
          return this.fail(failures.refused(datagram, this.settings.encoding))
        }
        this.other = { type, after: this.sent }
        this.retry.hasten(now)
        return Step.Wait
      case "done":
        return Step.Done
    }
  }

  /** The deadline has passed. */
  private onSilence(now: number): Step {
    switch (this.current) {
      case "asking":
      case "challenged": {
        const { query, retry } = this
        if (query.silence === undefined || retry.damage !== undefined || this.isAnsweredByOthers)
          return this.askAgain(now)
        this.assumed = true
        return this.finish(Result.succeed(query.silence))
      }
      case "joining":
        return this.askAgain(now)
      case "holding": {
        this.legacy = undefined
        return this.finish(Result.succeed(this.held!))
      }
      case "done":
        return Step.Done
    }
  }

  /** Sends the request with this challenge, at once or, if the server insists on one, when the next transmission is due. */
  private askWith(challenge: number, now: number): Step {
    const { challenges } = this
    if (challenge === challenges.inUse) {
      this.retry.onRepeated(RequestKind.Opening)
      if (this.retry.isTooSoon(now)) return Step.Wait
    } else this.retry.measure(now, RequestKind.Opening | RequestKind.Challenged)
    const isFirst = !challenges.isGiven
    switch (challenges.receive(challenge, now)) {
      case "later":
        this.retry.hasten(now)
        return Step.Wait
      case "give up":
        return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
      case "use":
        if (this.current === "asking") this.current = "challenged"
        // The server replies: what was lost before its first challenge is no reason to give up sooner, or to wait longer.
        if (isFirst) this.retry.onProgress()
        this.turnToRequest()
        return this.send(now)
    }
  }

  /** Adds a fragment, and receives the message that it completes. */
  private join(datagram: Uint8Array, now: number): Step {
    const fragments = (this.fragments ??= Fragments.take())
    const joined = fragments.add(datagram, now, this.retry.sentAt)
    if (Result.isFailure(joined)) {
      return this.current === "holding" ? Step.Wait : this.receiveDamaged(joined.failure, now)
    }
    if (joined.success === undefined) {
      this.retry.waitUntil(now + this.retry.roundTrip.restMs)
      return Step.Wait
    }
    const message = joined.success.bytes
    const type = datagramKind(message)
    if (type >= 0) return this.receiveMessage(type, message, now, fragments.firstAt)
    // Fragments can be joined to anything.
    this.retry.hasten(now)
    return Step.Wait
  }

  /** Keeps an answer in the old dialect for a moment, since one in the new dialect may follow. */
  private hold(answer: A, now: number): Step {
    this.current = "holding"
    this.held = answer
    this.legacy = answer as A & GoldSourceInfoReply
    this.retry.waitUntil(now + Math.max(SECOND_DIALECT_MS, 2 * this.rtt!.rttMs))
    return Step.Wait
  }

  /** Sends again after silence, waits for the rest of the time, or ends the query. */
  private askAgain(now: number): Step {
    const alternate = this.challenges.isGiven ? undefined : this.query.alternate
    const isBefore = alternate?.instead === false && this.retry.silences >= SILENCES_BEFORE_ALTERNATE
    if (isBefore && this.packet !== alternate.packet && !this.retry.isOver(now)) {
      return this.askAlternate(alternate, now, WRONG_KIND_MS)
    }
    const verdict = this.retry.afterSilence(now)
    // If every transmission got the wrong kind of reply, waiting longer does not help.
    if (verdict === "over" || (verdict === "wait" && this.isAnsweredByOthers)) return this.fail(this.whyNothing())
    if (verdict === "wait") return Step.Wait
    this.repeated = true
    if (alternate?.instead === true && this.retry.silences % 2 === 1) return this.askAlternate(alternate, now)
    this.challenges.onSilence()
    this.turnToRequest()
    return this.send(now)
  }

  /** Sends the packet. */
  private send(now: number, waitMs?: number): Step {
    const { retry } = this
    retry.send(now, this.requestKind, waitMs)
    return retry.fault === undefined ? Step.Send : this.fail(retry.fault as QueryError)
  }

  private receiveDamaged(error: DecodeError, now: number): Step {
    return this.retry.onDamaged(error) ? this.send(now) : this.finish(Result.fail(error))
  }

  private finish(result: Result.Result<A, QueryError>): Step {
    this.current = "done"
    this.result = result
    this.retry.end()
    this.fragments?.release()
    this.fragments = undefined
    return Step.Done
  }

  private askAlternate(alternate: Alternate, now: number, waitMs?: number): Step {
    this.packet = alternate.packet
    this.requestKind = alternate.answers === undefined ? RequestKind.Opening : RequestKind.Alternate
    return this.send(now, waitMs)
  }

  /** Turns to the request that opens the query, or to the one with the challenge in use. */
  private turnToRequest(): void {
    const { challenged, opening } = this.query
    const { inUse } = this.challenges
    const isChallenged = challenged !== undefined && inUse !== undefined
    this.packet = isChallenged ? withChallenge(challenged, inUse) : opening
    this.requestKind = isChallenged ? RequestKind.Challenged : RequestKind.Opening
  }

  /** The request that a reply of this type belongs to. A server that uses challenges replies to no request without one. */
  private answeredBy(type: number): number {
    if (this.query.alternate?.answers?.includes(type) === true) return RequestKind.Alternate
    return this.challenges.isGiven ? RequestKind.Challenged : RequestKind.Opening | RequestKind.Challenged
  }

  /** Whether nothing but a reply of another kind has come since the last transmission. */
  private get isAnsweredByOthers(): boolean {
    return this.other?.after === this.sent
  }

  private get hasSucceeded(): boolean {
    return this.result !== undefined && Result.isSuccess(this.result)
  }

  private whyNothing(): QueryError {
    const { challenges, other, query, received, retry, sent, settings } = this
    if (retry.damage !== undefined) return retry.damage
    if (this.isAnsweredByOthers) return failures.unexpectedReply(query.valve, other!.type)
    const phase = this.current === "joining" ? "split" : challenges.isGiven ? "challenge" : "request"
    return failures.timeout(query.valve, phase, settings.timeoutMs, sent, received)
  }
}

/**
 * Fragments to use again, by any query: they have no options of their own. Those of a reply come close together, so few are needed at a
 * time, however many queries are in flight.
 */
const idle: Array<Fragments> = []
const MAX_IDLE = 32

/** The number that all fragments of a reply share; any number if the datagram is too short for one. */
const readId = (fragment: Uint8Array): number =>
  fragment[4]! | (fragment[5]! << 8) | (fragment[6]! << 16) | (fragment[7]! << 24)

/** The fragments of replies that are not complete yet, and when they came. */
export class Fragments {
  /** When the first fragment came of the reply that the last one belongs to. */
  firstAt = 0
  /** That of each reply, by its id. */
  private readonly firsts = new Map<number, number>()
  private readonly reassembler = new Reassembler({ reuseMemory: true })

  /** Fragments that are not in use, or new ones. */
  static take(): Fragments {
    return idle.pop() ?? new Fragments()
  }

  /** Whether part of a reply is here. */
  get arePending(): boolean {
    return this.reassembler.received > 0
  }

  /** Adds a fragment. Returns the message if it is complete. Fragments that arrived before `sentAt` do not count as the first. */
  add(datagram: Uint8Array, now: number, sentAt: number): ReturnType<Reassembler["add"]> {
    const id = readId(datagram)
    const first = this.firsts.get(id)
    this.firstAt = first === undefined || first < sentAt ? now : first
    if (this.firstAt !== first) this.firsts.set(id, now)
    return this.reassembler.add(datagram)
  }

  /** Nothing waits for them: another query can use the memory. */
  release(): void {
    if (idle.length === MAX_IDLE) return
    this.reassembler.reset()
    this.firsts.clear()
    idle.push(this)
  }
}

/** Writes a challenge into a request, in its last four bytes or at `at`. A copy is far cheaper than encoding the request again. */
export const withChallenge = (request: Uint8Array, challenge: number, at = request.length - 4): Uint8Array => {
  const packet = request.slice()
  // A DataView for each would cost as much as all the rest.
  packet[at] = challenge
  packet[at + 1] = challenge >> 8
  packet[at + 2] = challenge >> 16
  packet[at + 3] = challenge >> 24
  return packet
}

/** A challenge that a server gave, and when: worth a round trip in the next query to it, for a while. */
export interface KeptChallenge {
  readonly challenge: number
  /** On the clock of the exchanges. */
  readonly givenAt: number
}

/**
 * The challenges of one query: which one to bring back, how often, and when to start over.
 *
 * - One that is kept from the query before is used while servers remember it. If silence follows, it has probably expired.
 * - One that comes is brought back at once, also if it is the same again, but only a few times.
 * - After silence it is sent once more, then the query starts over without it: caches drop requests whose challenge has expired.
 */
class Challenges {
  /** The one to send; absent before the first and after starting over. */
  inUse: number | undefined = undefined
  /** Whether the server has given one in this query. */
  isGiven = false
  /** That of the query before. */
  private before: KeptChallenge | undefined
  /** The last of this query, and when it came. */
  private last = 0
  private givenAt = 0
  private rounds = 0
  /** How often in a row the one in use has come again. */
  private sameAgain = 0
  /**
   * Whether the one in use may be sent once more after silence. Sending it again uses this up. One of the query before may not be sent
   * again: it has probably expired.
   */
  private mayRepeat = false

  constructor(before: KeptChallenge | undefined) {
    this.before = before
  }

  /** Makes it new, with the challenge of the query before. */
  reset(before: KeptChallenge | undefined): void {
    this.before = before
    this.inUse = undefined
    this.isGiven = this.mayRepeat = false
    this.last = this.givenAt = this.rounds = this.sameAgain = 0
  }

  /** The server's last one, for the next query to it. */
  get kept(): KeptChallenge | undefined {
    return this.isGiven ? { challenge: this.last, givenAt: this.givenAt } : this.before
  }

  /** The query begins: whether to use the one of the query before, because it is young enough. */
  begin(now: number): boolean {
    const { before } = this
    if (before === undefined || now - before.givenAt >= CHALLENGE_KEPT_MS) return false
    this.inUse = before.challenge
    return true
  }

  /** A challenge has arrived. Returns whether to send it at once, to send it when the next transmission is due, or to fail. */
  receive(challenge: number, now: number): "use" | "later" | "give up" {
    this.sameAgain = challenge === this.inUse ? this.sameAgain + 1 : 0
    if (this.sameAgain > MAX_SAME_CHALLENGES) return "later"
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) return "give up"
    this.isGiven = this.mayRepeat = true
    this.inUse = this.last = challenge
    this.givenAt = now
    return "use"
  }

  /** The request met silence. */
  onSilence(): void {
    if (this.inUse === undefined) return
    if (!this.mayRepeat) {
      this.inUse = undefined
      this.rounds = 0
    }
    this.mayRepeat = false
  }
}
