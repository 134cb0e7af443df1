/**
 * One query to one server as a machine: asked, challenged, answered. The rules of the challenge stand below. What a query
 * asks and accepts is in `Query`, when to ask again in `engine/retransmission.ts`; what an ordinary query does not meet is beside it, in
 * `fragments.ts`, `otherReplies.ts` and `silence.ts`.
 *
 * | state | a challenge | a fragment | the answer | silence |
 * |---|---|---|---|---|
 * | asking | challenged: asks with it | joining | done | asks again |
 * | challenged | asks with it | joining | done | asks with it once more, then without |
 * | joining | asks with it | waits for the rest | done | asks again, as before |
 * | holding | asks with it | waits for the rest | done | done, with what it holds |
 * | done | | | may tell the round trip | |
 *
 * It is done with a `result`, holding with an answer `held`, joining with `fragments`, challenged where the server has given a challenge.
 * Besides, in each state but the last, the end of the time allowed ends it, and so does a refusal. A damaged answer is asked for once
 * more. An answer in the old dialect of INFO is held for a moment, since the new one may follow; the new one never waits for the old.
 */
import type { DecodeError, GoldSourceInfoReply } from "@sourcewire/protocol"
import { challengeOf, FRAGMENT, kindOf, MessageType } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type ExchangeSettings, Step } from "../engine/Exchange.ts"
import { RepeatedQuestion, type RoundTrip } from "../engine/retransmission.ts"
import { Asked } from "../engine/unanswered.ts"
import {
  CHALLENGE_KEPT_MS,
  MAX_CHALLENGE_ROUNDS,
  MAX_SAME_CHALLENGES,
  MAX_TARGET_DATAGRAMS,
  SECOND_DIALECT_MS
} from "../Limits.ts"
import * as failures from "./failures.ts"
import { type Fragments, receiveFragment } from "./fragments.ts"
import { receiveLate, receiveOther, waitLess } from "./otherReplies.ts"
import type { Query } from "./Query.ts"
import { afterSilence } from "./silence.ts"

/** One query. The fields that are not of `Exchange` are for reading when it is done. */
export class QueryExchange<A> extends RepeatedQuestion<A> {
  query: Query<A>
  packet: Uint8Array
  /** The old dialect's INFO, where the result is the new one's and both came. */
  legacy: GoldSourceInfoReply | undefined = undefined
  /** Whether a datagram had to be repeated, because of silence. */
  repeated = false
  /** Whether the result was told by silence alone. */
  assumed = false
  /** @internal */
  readonly challenges: Challenges
  /** What the packet asks for. @internal */
  asked: number = Asked.Opening
  /** From the first one on. @internal */
  fragments: Fragments | undefined = undefined
  /** The answer in the old dialect, while it is held. @internal */
  held: A | undefined = undefined
  /** The last reply of another kind, and how many datagrams had been sent when it came. @internal */
  other: { readonly type: number; readonly after: number } | undefined = undefined

  /** Without a `roundTrip` nothing is known of the server's. */
  constructor(query: Query<A>, settings: ExchangeSettings, roundTrip?: RoundTrip, kept?: KeptChallenge) {
    super(settings, roundTrip)
    this.query = query
    this.packet = query.opening
    this.challenges = new Challenges(kept)
  }

  /** Whether the server has answered, if only with a challenge. */
  get isKnownToLive(): boolean {
    return this.challenges.isGiven
  }

  /** Last challenge of the server, for the next query to it. */
  get keptChallenge(): KeptChallenge | undefined {
    return this.challenges.kept
  }

  /** As new, to ask another server. */
  override reset(): void {
    super.reset()
    this.challenges.reset()
    this.repeated = this.assumed = false
    this.legacy = this.held = this.other = this.fragments = undefined
    this.packet = this.query.opening
    this.asked = Asked.Opening
  }

  /** Before it starts: what to ask, with the challenge of the query before. */
  prepare(query: Query<A>, kept: KeptChallenge | undefined): void {
    this.query = query
    this.packet = query.opening
    this.challenges.before = kept
  }

  override start(now: number): Step {
    if (this.challenges.before !== undefined) {
      this.challenges.begin(now)
      this.turnToRequest()
    }
    this.begin(now)
    return this.ask(now)
  }

  /** `firstAt`: the message is joined of fragments, of which the first came then. */
  receive(datagram: Uint8Array, now: number, firstAt?: number): Step {
    const type = kindOf(datagram)
    if (this.result !== undefined) return receiveLate(this, type, now)
    if (firstAt === undefined && ++this.received > MAX_TARGET_DATAGRAMS)
      return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    if (type === FRAGMENT && firstAt === undefined) return receiveFragment(this, datagram, now)
    // Fragments can be joined to anything.
    if (type < 0) return firstAt === undefined ? Step.Wait : waitLess(this, now)
    const { query } = this
    if (type === MessageType.S2C_CHALLENGE) {
      const challenge = challengeOf(datagram, type)
      if (challenge === undefined) return receiveOther(this, type, datagram, now)
      if (query.challenged !== undefined) return this.isOwed(now) ? Step.Wait : this.receiveChallenge(challenge, now)
      if (!query.answers.includes(type)) return Step.Wait
    } else if (!query.answers.includes(type)) return receiveOther(this, type, datagram, now)
    return this.isOwed(now) ? Step.Wait : this.receiveAnswer(type, datagram, now, firstAt ?? now)
  }

  private receiveChallenge(challenge: number, now: number): Step {
    const { challenges } = this
    if (challenge === challenges.current) {
      this.listed.repeated(now)
      if (this.isTooSoon(now)) return Step.Wait
    } else this.measure(now, Asked.Opening | Asked.Challenged)
    // The server lives: what was lost before its first challenge is no reason to give up sooner, or to wait longer.
    const isFirst = !challenges.isGiven
    switch (challenges.receive(challenge, now)) {
      case "later":
        this.hasten(now)
        return Step.Wait
      case "give up":
        return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
      case "use":
        if (isFirst) this.silences = 0
        this.turnToRequest()
        return this.ask(now)
    }
  }

  private receiveAnswer(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    const answer = this.query.decode(datagram, this.settings.encoding, type)
    // Of the two dialects' replies to one request the first tells the time.
    if (this.held === undefined) this.measure(firstAt, this.answeredBy(type))
    if (Result.isFailure(answer)) return this.receiveDamaged(answer.failure, now)
    if (type !== this.query.oldAnswer) return this.finish(answer)
    this.held = answer.success
    this.legacy = answer.success as A & GoldSourceInfoReply
    this.waitUntil(now + Math.max(SECOND_DIALECT_MS, 2 * this.rtt!.rttMs))
    return Step.Wait
  }

  override receiveDamaged(error: DecodeError, now: number): Step {
    // An old-dialect answer in hand is better than a broken new one.
    return this.held === undefined ? super.receiveDamaged(error, now) : Step.Wait
  }

  expire(now: number): Step {
    return this.result === undefined ? afterSilence(this, now) : Step.Done
  }

  /** Turns to the request as it opens the query, or with the challenge in use. @internal */
  turnToRequest(): void {
    const { challenged, opening } = this.query
    const { current } = this.challenges
    const isChallenged = challenged !== undefined && current !== undefined
    this.packet = isChallenged ? withChallenge(challenged, current) : opening
    this.asked = isChallenged ? Asked.Challenged : Asked.Opening
  }

  /** What an answer of this type can be a reply to. A server that gives challenges answers no request without one. @internal */
  answeredBy(type: number): number {
    if (this.query.alternate?.answers?.includes(type) === true) return Asked.Alternate
    return this.challenges.isGiven ? Asked.Challenged : Asked.Opening | Asked.Challenged
  }
}

/** A request that brings the challenge back, in its last four bytes or from `at` on. A copy is far cheaper than encoding anew. */
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
 * - One that is kept from the query before is used while servers remember it. If it meets silence it has probably expired.
 * - One that comes is brought back at once, also if it is the same again, but not for ever.
 * - Silence after one: once more with it, then without (caches drop requests whose challenge has expired).
 */
export class Challenges {
  /** The one in use; absent before the first and after starting over. */
  current: number | undefined = undefined
  /** Whether the server has given one in this query. */
  isGiven = false
  before: KeptChallenge | undefined
  /** The last of this query, and when it came. */
  private last = 0
  private givenAt = 0
  private rounds = 0
  /** How often in a row the one in use has come again. */
  private sameAgain = 0
  /** Since the one in use was last given. One that is kept has no second try. */
  private silences = 1

  /** With the one of the query before. */
  constructor(before: KeptChallenge | undefined) {
    this.before = before
  }

  /** As new, without any. */
  reset(): void {
    this.current = this.before = undefined
    this.isGiven = false
    this.last = this.givenAt = this.rounds = this.sameAgain = 0
    this.silences = 1
  }

  /** The last of the server, for the next query to it. */
  get kept(): KeptChallenge | undefined {
    return this.isGiven ? { challenge: this.last, givenAt: this.givenAt } : this.before
  }

  /** The query begins: takes up what is kept, if that is young enough. */
  begin(now: number): void {
    const { before } = this
    if (before !== undefined && now - before.givenAt < CHALLENGE_KEPT_MS) this.current = before.challenge
  }

  /** The server gave one. What to do with it: bring it back, at once or not before the next transmission is due, or give up. */
  receive(challenge: number, now: number): "use" | "later" | "give up" {
    this.sameAgain = challenge === this.current ? this.sameAgain + 1 : 0
    if (this.sameAgain > MAX_SAME_CHALLENGES) return "later"
    if (++this.rounds > MAX_CHALLENGE_ROUNDS) return "give up"
    this.isGiven = true
    this.current = this.last = challenge
    this.givenAt = now
    this.silences = 0
    return "use"
  }

  /** It was quiet. */
  afterSilence(): void {
    if (this.current === undefined || ++this.silences < 2) return
    this.current = undefined
    this.rounds = 0
  }
}
