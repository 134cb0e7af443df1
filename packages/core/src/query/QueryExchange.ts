/**
 * One query to one server as a state machine: the request, the challenge, the request with the challenge, and the reply, complete or in
 * fragments. The input of the exchange is datagrams and the time; its output is datagrams to send and the deadline. `Query` describes each
 * kind of query as data. {@link Retry} decides when to retransmit, and measures the round-trip time.
 *
 * There is one method per event: `onChallenge`, `onFragment`, `onReply`, `onOther` and `onSilence`. Each method is a switch over the
 * {@link QueryState}. In every state except `done`, a refusal or the end of the time limit ends the query.
 */
import type { DecodeError, GoldSourceInfoReply } from "@sourcewire/protocol"
import { readChallenge, FRAGMENT, datagramKind, MessageType, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { RequestKind, Retry, type RoundTrip } from "../engine/Retry.ts"
import {
  CHALLENGE_CACHE_MS,
  MAX_CHALLENGE_ROUNDS,
  MAX_SAME_CHALLENGES,
  MAX_TARGET_DATAGRAMS,
  SECOND_DIALECT_MS,
  WRONG_KIND_MS
} from "../Limits.ts"
import * as failures from "./failures.ts"
import type { Alternate, Query } from "./Query.ts"

/**
 * The progress of a query. A query returns to an earlier state only in one case: the fragments that it has received belong to another
 * query. Facts that are possible in several states, for example that a reply was malformed, are stored in separate fields.
 *
 * - `requested`: the server has sent neither a challenge nor a part of the reply.
 * - `challenged`: the server has sent a challenge. If no reply follows, the query can send the request without a challenge again.
 * - `joining`: part of a split reply has arrived.
 * - `holding`: INFO in the old dialect has arrived. If INFO in the new dialect does not follow soon, INFO in the old dialect becomes the
 *   result.
 * - `done`: the result is set. A late reply can still show that a retransmission was unnecessary.
 */
export type QueryState = "requested" | "challenged" | "joining" | "holding" | "done"

/** Whether a message of this type is a refusal. */
export const isRefusal = (type: number): boolean =>
  type === MessageType.A2C_PRINT || type === MessageType.S2C_CONNREJECT

/** After this number of retransmissions without a reply, `Query.alternate` is also sent before each further retransmission. */
const SILENCES_BEFORE_ALTERNATE = 2

/** The exchange of one query. Before the query is done, read only the fields that `Exchange` declares. */
export class QueryExchange<A> implements Exchange<A> {
  query: Query<A>
  packet: Uint8Array
  result: Result.Result<A, QueryError> | undefined = undefined
  /** Datagrams received, of any kind. */
  received = 0
  /** If INFO arrived in both dialects, the reply in the old dialect. `result` then contains the reply in the new dialect. */
  legacy: GoldSourceInfoReply | undefined = undefined
  /** Whether a request was retransmitted. */
  repeated = false
  /** Whether the result is {@link Query.silence}, because no reply arrived. */
  assumed = false
  private current: QueryState = "requested"
  private readonly settings: ExchangeSettings
  private readonly retry: Retry
  private readonly challenges: Challenges
  /** The kind of the request in `packet`. */
  private requestKind: number = RequestKind.Opening
  /**
   * The fragments of the reply. Set from the arrival of the first fragment until the query ends, or until {@link takeFragments} passes the
   * fragments to the caller.
   */
  private fragments: Fragments | undefined = undefined
  /** In the state `holding`: the reply in the old dialect. */
  private held: A | undefined = undefined
  /** The type of the last message of an unexpected type, and the number of datagrams that were sent before this message arrived. */
  private other: { readonly type: number; readonly after: number } | undefined = undefined

  /** If `roundTrip` is absent, the server's round-trip time is unknown. */
  constructor(query: Query<A>, settings: ExchangeSettings, roundTrip?: RoundTrip, kept?: CachedChallenge) {
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

  /** When the query started. */
  get startedAt(): number {
    return this.retry.startedAt
  }

  /** The round-trip time, exact if possible. Absent before the first reply. */
  get rtt(): MeasuredRoundTrip | undefined {
    return this.retry.rtt
  }

  /** The challenge in the next request. Absent if the next request contains no challenge. */
  get challenge(): number | undefined {
    return this.challenges.inUse
  }

  /** Whether the server has sent a reply or a challenge. */
  get hasReplied(): boolean {
    return this.challenges.isGiven
  }

  /** The last challenge from the server, for the next query to the same server. */
  get cachedChallenge(): CachedChallenge | undefined {
    return this.challenges.kept
  }

  /** Prepares the object for another server, after the query has ended. */
  reset(): void {
    this.retry.reset()
    this.challenges.reset(undefined)
    this.current = "requested"
    this.received = 0
    this.result = undefined
    this.repeated = this.assumed = false
    this.legacy = this.held = this.other = undefined
    this.packet = this.query.opening
    this.requestKind = RequestKind.Opening
  }

  /** Sets the query, and the challenge from the previous query to the same server. Called before the query starts. */
  prepare(query: Query<A>, kept: CachedChallenge | undefined): void {
    this.query = query
    this.packet = query.opening
    this.challenges.reset(kept)
  }

  expectLateReplies(outstanding: number): void {
    this.retry.expectLateReplies(outstanding)
  }

  start(now: number): Step {
    if (this.challenges.begin(now)) this.setRequest()
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

  /**
   * Called when a fragment arrived that may belong to this query or to another query in flight to the same server. The caller joins the
   * fragments.
   */
  receivePart(now: number): Step {
    if (this.current === "done") return Step.Done
    if (++this.received > MAX_TARGET_DATAGRAMS) return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    if (this.current !== "holding") this.current = "joining"
    this.retry.waitUntil(Math.max(this.deadline, now + this.retry.roundTrip.restMs))
    return Step.Wait
  }

  /** Called when the caller has joined all received fragments into complete messages. The query leaves the state `joining`. */
  forgetParts(): void {
    if (this.current === "joining") this.current = this.challenges.isGiven ? "challenged" : "requested"
  }

  /** Passes the fragments to the caller. From now on, the caller joins the fragments of this query and of another query in flight. */
  takeFragments(): Fragments | undefined {
    const { fragments } = this
    this.fragments = undefined
    return fragments
  }

  /** Passes fragments to the exchange. From now on, the exchange joins fragments itself. */
  takeOverFragments(fragments: Fragments): void {
    this.fragments = fragments
  }

  /** Processes a complete message, whose first datagram arrived at `firstAt`. Calls the method for messages of this type. */
  receiveMessage(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    const { answers, challenged } = this.query
    if (type === MessageType.S2C_CHALLENGE) {
      const challenge = readChallenge(datagram, type)
      if (challenge === undefined) return this.onOther(type, datagram, now)
      if (challenged !== undefined) return this.onChallenge(challenge, now)
      // The challenge is a late reply to an earlier GETCHALLENGE. This query does not use challenges, so the challenge is ignored.
      if (!answers.includes(type)) return this.current === "done" ? Step.Done : Step.Wait
    } else if (!answers.includes(type)) return this.onOther(type, datagram, now)
    return this.onReply(type, datagram, now, firstAt)
  }

  private onChallenge(challenge: number, now: number): Step {
    switch (this.current) {
      case "requested":
      case "challenged":
      case "joining":
      case "holding":
        return this.retry.belongsToPrevious(now) ? Step.Wait : this.sendWithChallenge(challenge, now)
      case "done":
        if (this.hasSucceeded) this.retry.onRepeated(RequestKind.Opening)
        return Step.Done
    }
  }

  private onFragment(datagram: Uint8Array, now: number): Step {
    switch (this.current) {
      case "requested":
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

  private onReply(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    switch (this.current) {
      case "requested":
      case "challenged":
      case "joining": {
        if (this.retry.belongsToPrevious(now)) return Step.Wait
        const answer = this.query.decode(datagram, this.settings.encoding, type)
        // While two queries to the same server are in flight, their fragments are stored together. Therefore the first fragment can be
        // older than the last transmission of this query. If so, its time of arrival does not show the round-trip time.
        this.retry.measure(firstAt < this.retry.sentAt ? now : firstAt, this.answeredBy(type))
        if (Result.isFailure(answer)) return this.receiveDamaged(answer.failure, now)
        return type === this.query.oldAnswer ? this.hold(answer.success, now) : this.finish(answer)
      }
      case "holding": {
        if (this.retry.belongsToPrevious(now)) return Step.Wait
        const answer = this.query.decode(datagram, this.settings.encoding, type)
        // The reply in the old dialect is kept, because it is better than a malformed reply in the new dialect.
        if (Result.isFailure(answer)) return Step.Wait
        return type === this.query.oldAnswer ? this.hold(answer.success, now) : this.finish(answer)
      }
      case "done":
        if (this.hasSucceeded) this.retry.onRepeated(this.answeredBy(type))
        return Step.Done
    }
  }

  /**
   * Processes a message that is neither a challenge, a fragment nor a reply. A refusal ends the query. Any other message does not end the
   * query, but the exchange then retransmits earlier than planned. The message may come from a filter in front of the server: some filters
   * reply to the first PLAYER with INFO. The message may also be a late reply to the previous query.
   */
  private onOther(type: number, datagram: Uint8Array, now: number): Step {
    switch (this.current) {
      case "requested":
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

  private onSilence(now: number): Step {
    switch (this.current) {
      case "requested":
      case "challenged": {
        const { query, retry } = this
        if (query.silence === undefined || retry.damage !== undefined || this.isAnsweredByOthers)
          return this.retransmit(now)
        this.assumed = true
        return this.finish(Result.succeed(query.silence))
      }
      case "joining":
        return this.retransmit(now)
      case "holding": {
        this.legacy = undefined
        return this.finish(Result.succeed(this.held!))
      }
      case "done":
        return Step.Done
    }
  }

  /**
   * Sends the request with this challenge at once. If the server has sent the same challenge several times in a row, the request is sent
   * only when the next retransmission is due.
   */
  private sendWithChallenge(challenge: number, now: number): Step {
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
        if (this.current === "requested") this.current = "challenged"
        // The first challenge shows that the server responds. Earlier retransmissions no longer count towards the maximum, and no longer
        // make the next delay longer.
        if (isFirst) this.retry.onProgress()
        this.setRequest()
        return this.send(now)
    }
  }

  /** Adds a fragment. If the fragment completes a message, the message is passed to {@link receiveMessage}. */
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
    // The joined bytes are not a message of this protocol.
    this.retry.hasten(now)
    return Step.Wait
  }

  /** Stores a reply in the old dialect for a moment, because a reply in the new dialect may follow. */
  private hold(answer: A, now: number): Step {
    this.current = "holding"
    this.held = answer
    this.legacy = answer as A & GoldSourceInfoReply
    this.retry.waitUntil(now + Math.max(SECOND_DIALECT_MS, 2 * this.rtt!.rttMs))
    return Step.Wait
  }

  /** Called when no reply arrived. Retransmits the request, waits until the end of the time limit, or ends the query. */
  private retransmit(now: number): Step {
    const alternate = this.challenges.isGiven ? undefined : this.query.alternate
    const isBefore = alternate?.instead === false && this.retry.silences >= SILENCES_BEFORE_ALTERNATE
    if (isBefore && this.packet !== alternate.packet && !this.retry.isOver(now)) {
      return this.sendAlternate(alternate, now, WRONG_KIND_MS)
    }
    const verdict = this.retry.afterSilence(now)
    // If the server replied even to the last transmission only with a message of an unexpected type, waiting longer does not help.
    if (verdict === "over" || (verdict === "wait" && this.isAnsweredByOthers)) return this.fail(this.noReplyError())
    if (verdict === "wait") return Step.Wait
    this.repeated = true
    if (alternate?.instead === true && this.retry.silences % 2 === 1) return this.sendAlternate(alternate, now)
    this.challenges.onSilence()
    this.setRequest()
    return this.send(now)
  }

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

  private sendAlternate(alternate: Alternate, now: number, waitMs?: number): Step {
    this.packet = alternate.packet
    this.requestKind = alternate.answers === undefined ? RequestKind.Opening : RequestKind.Alternate
    return this.send(now, waitMs)
  }

  /** Sets the packet: the opening request, or the request with the challenge in use. */
  private setRequest(): void {
    const { challenged, opening } = this.query
    const { inUse } = this.challenges
    const isChallenged = challenged !== undefined && inUse !== undefined
    this.packet = isChallenged ? withChallenge(challenged, inUse) : opening
    this.requestKind = isChallenged ? RequestKind.Challenged : RequestKind.Opening
  }

  /**
   * Returns the kinds of requests that a reply of this type can belong to. After a server has sent a challenge, it replies to a request
   * without a challenge only by sending another challenge.
   */
  private answeredBy(type: number): number {
    if (this.query.alternate?.answers?.includes(type) === true) return RequestKind.Alternate
    return this.challenges.isGiven ? RequestKind.Challenged : RequestKind.Opening | RequestKind.Challenged
  }

  /** Whether a message of an unexpected type has arrived since the last transmission. */
  private get isAnsweredByOthers(): boolean {
    return this.other?.after === this.sent
  }

  private get hasSucceeded(): boolean {
    return this.result !== undefined && Result.isSuccess(this.result)
  }

  private noReplyError(): QueryError {
    const { challenges, other, query, received, retry, sent, settings } = this
    if (retry.damage !== undefined) return retry.damage
    if (this.isAnsweredByOthers) return failures.unexpectedReply(query.valve, other!.type)
    const phase = this.current === "joining" ? "split" : challenges.isGiven ? "challenge" : "request"
    return failures.timeout(query.valve, phase, settings.timeoutMs, sent, received)
  }
}

/**
 * Unused `Fragments`. Any query can reuse these objects, because they contain no fragments. The fragments of a reply arrive within a short
 * time, so few objects are in use at a time, even with many queries in flight.
 */
const idle: Array<Fragments> = []
const MAX_IDLE = 32

/**
 * Reads the id of a reply in one of the reply's fragments. If the fragment is too short to contain an id, the result is an arbitrary
 * number.
 */
const readId = (fragment: Uint8Array): number =>
  fragment[4]! | (fragment[5]! << 8) | (fragment[6]! << 16) | (fragment[7]! << 24)

/** The fragments of incomplete replies, with their times of arrival. */
export class Fragments {
  /** When the first fragment of the current reply arrived. The current reply is the reply to which the last received fragment belongs. */
  firstAt = 0
  /** When the first fragment of each reply arrived, by the id of the reply. */
  private readonly firsts = new Map<number, number>()
  private readonly reassembler = new Reassembler({ reuseMemory: true })

  /** Returns an unused object, or a new object. */
  static take(): Fragments {
    return idle.pop() ?? new Fragments()
  }

  /** Whether fragments of an incomplete reply are stored. */
  get arePending(): boolean {
    return this.reassembler.received > 0
  }

  /**
   * Adds a fragment. Returns the message if the fragment completes a message. `firstAt` is the time of the first fragment that arrived at
   * or after `sentAt`.
   */
  add(datagram: Uint8Array, now: number, sentAt: number): ReturnType<Reassembler["add"]> {
    const id = readId(datagram)
    const first = this.firsts.get(id)
    this.firstAt = first === undefined || first < sentAt ? now : first
    if (this.firstAt !== first) this.firsts.set(id, now)
    return this.reassembler.add(datagram)
  }

  /** Makes the object available to other queries. */
  release(): void {
    if (idle.length === MAX_IDLE) return
    this.reassembler.reset()
    this.firsts.clear()
    idle.push(this)
  }
}

/**
 * Copies a request and writes a challenge into the copy, in the last four bytes or at `at`. Copying costs much less than encoding the
 * request again.
 */
export const withChallenge = (request: Uint8Array, challenge: number, at = request.length - 4): Uint8Array => {
  const packet = request.slice()
  // Creating a DataView would take as long as all other operations of this function.
  packet[at] = challenge
  packet[at + 1] = challenge >> 8
  packet[at + 2] = challenge >> 16
  packet[at + 3] = challenge >> 24
  return packet
}

/**
 * A challenge that a server sent, and its time of arrival. If the next query to the server starts soon, its first request contains this
 * challenge, which saves a round trip.
 */
export interface CachedChallenge {
  readonly challenge: number
  /** When the challenge arrived, on the clock of the exchanges. */
  readonly givenAt: number
}

/**
 * The challenges of one query: which challenge to send, how often, and when to start over.
 *
 * - A challenge from the previous query is used only for a short time after its arrival, because servers accept it only for some time. If
 *   no reply follows, this challenge has probably expired.
 * - When a challenge arrives, it is sent back at once. If the same challenge arrives many times, only the first few copies are sent back at
 *   once. Later copies are sent back only with the next retransmission.
 * - If no reply follows, the same challenge is sent once more. After that, the query starts over without a challenge, because caches in
 *   front of servers drop requests with an expired challenge.
 */
class Challenges {
  /** The challenge to send. Absent before the first challenge, and after the query has started over. */
  inUse: number | undefined = undefined
  /** Whether the server has sent a challenge in this query. */
  isGiven = false
  /** The challenge from the previous query. */
  private before: CachedChallenge | undefined
  /** The last challenge in this query, and when it arrived. */
  private last = 0
  private givenAt = 0
  private rounds = 0
  /** How many times in a row the server has sent the challenge in use again. */
  private sameAgain = 0
  /**
   * Whether the challenge in use may be sent once more if the request gets no reply. After the challenge was sent once more, this field is
   * `false`. A challenge from the previous query is not sent again, because it has probably expired.
   */
  private mayRepeat = false

  constructor(before: CachedChallenge | undefined) {
    this.before = before
  }

  /** Prepares the object for another query, with the challenge from the previous query. */
  reset(before: CachedChallenge | undefined): void {
    this.before = before
    this.inUse = undefined
    this.isGiven = this.mayRepeat = false
    this.last = this.givenAt = this.rounds = this.sameAgain = 0
  }

  /** The last challenge from the server, for the next query to the same server. */
  get kept(): CachedChallenge | undefined {
    return this.isGiven ? { challenge: this.last, givenAt: this.givenAt } : this.before
  }

  /** If the challenge from the previous query is recent enough, sets `inUse` to this challenge and returns `true`. */
  begin(now: number): boolean {
    const { before } = this
    if (before === undefined || now - before.givenAt >= CHALLENGE_CACHE_MS) return false
    this.inUse = before.challenge
    return true
  }

  /**
   * Called when a challenge has arrived. Returns whether to send it back at once (`use`), to send it when the next retransmission is due
   * (`later`), or to fail (`give up`).
   */
  receive(challenge: number, now: number): "use" | "later" | "give up" {
    this.sameAgain = challenge === this.inUse ? this.sameAgain + 1 : 0
    if (this.sameAgain > MAX_SAME_CHALLENGES) return "later"
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) return "give up"
    this.isGiven = this.mayRepeat = true
    this.inUse = this.last = challenge
    this.givenAt = now
    return "use"
  }

  /** Called when the request got no reply. */
  onSilence(): void {
    if (this.inUse === undefined) return
    if (!this.mayRepeat) {
      this.inUse = undefined
      this.rounds = 0
    }
    this.mayRepeat = false
  }
}
