/**
 * One query to one server as a machine: challenges, retransmissions, split replies, both dialects of INFO, and every way in which
 * it can fail. What a query asks and accepts is in `Query`, the rules of the challenge in `challenges.ts`, when to ask again in
 * `engine/retransmission.ts`.
 *
 * | state | a challenge | a fragment | the answer | silence |
 * |---|---|---|---|---|
 * | asking | challenged: asks with it | joining | done | asks again |
 * | challenged | asks with it | joining | done | asks with it once more, then without |
 * | joining | asks with it | waits for the rest | done | asks again, as before |
 * | holding | asks with it | waits for the rest | done | done, with what it holds |
 * | done | | | may tell the round trip | |
 *
 * Besides, in each state but the last, each rule being one that some real server needs:
 *
 * - A refusal ends it, and so does the end of the time allowed.
 * - An answer in the old dialect of INFO is held for a moment, since the new one may follow. The new one never waits for the old.
 * - Another kind of reply is never the answer. It only makes the next transmission come sooner, since filters in front of game
 *   servers answer the first PLAYER with an INFO, and late replies of the query before arrive here too.
 * - A damaged answer is asked for once more: a damaged datagram and a broken server look the same the first time.
 */
import type { DecodeError, GoldSourceInfoReply } from "@sourcewire/protocol"
import { challengeOf, FRAGMENT, kindOf, MessageType, messageType, Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { Asked, RepeatedQuestion } from "../engine/retransmission.ts"
import type { RoundTrip } from "../engine/RoundTrip.ts"
import { MAX_CHALLENGE_ROUNDS, MAX_TARGET_DATAGRAMS, SECOND_DIALECT_MS, WRONG_KIND_MS } from "../Limits.ts"
import type { KeptChallenge } from "./challenges.ts"
import { Challenges } from "./challenges.ts"
import * as failures from "./failures.ts"
import type { Query } from "./Query.ts"

/**
 * Reassemblers to be used again. The fragments of a reply come close together, so few are needed at a time, however many queries are under
 * way; each has memory for a usual reply.
 */
const idleReassemblers: Array<Reassembler> = []
const MAX_IDLE_REASSEMBLERS = 32

/** How far a query has got; what leads from one to the next is in the table above. */
type State = "asking" | "challenged" | "joining" | "holding" | "done"

/** What a timeout calls the states in which time can run out. */
const PHASES = { asking: "request", challenged: "challenge", joining: "split" } as const

/** One query. The fields that are not of `Exchange` are for reading when it is done. */
export class QueryExchange<A> extends RepeatedQuestion<A> {
  packet: Uint8Array
  /** The old dialect's INFO, where the result is the new one's and both came. */
  legacy: GoldSourceInfoReply | undefined = undefined
  /** Whether a datagram had to be repeated, because of silence. */
  repeated = false
  /** Whether the result was told by silence alone. */
  assumed = false
  readonly query: Query<A>

  private readonly challenges: Challenges
  private state: State = "asking"
  /** Whether it is the turn of `query.alternate`. */
  private alternateTurn = false
  /** Holds fragments, from the first on. */
  private reassembler: Reassembler | undefined = undefined
  /** When the first since a transmission came. */
  private firstFragmentAt = Number.NEGATIVE_INFINITY
  /** The answer in the old dialect, while it is held. */
  private held: A | undefined = undefined
  /** Type of the last reply of another kind, and how many datagrams had been sent when it came. */
  private wrongType = 0
  private wrongAfter = 0

  /** Without a `roundTrip` nothing is known of the server's. */
  constructor(query: Query<A>, settings: ExchangeSettings, roundTrip?: RoundTrip, kept?: KeptChallenge) {
    super(settings, roundTrip)
    this.query = query
    this.challenges = new Challenges(kept)
    this.packet = query.request.opening
  }

  /** Whether the server has answered, if only with a challenge. */
  get isKnownToLive(): boolean {
    return this.challenges.isGiven
  }

  /** Challenges that may still come, where the server gives any. They would look like replies to the next query. */
  get challengesOwed(): number {
    return this.keptChallenge === undefined ? 0 : this.outstanding
  }

  /** Last challenge of the server, for the next query to it. */
  get keptChallenge(): KeptChallenge | undefined {
    return this.challenges.kept
  }

  override reset(): void {
    super.reset()
    this.challenges.reset()
    this.packet = this.query.request.opening
    this.state = "asking"
    this.repeated = this.assumed = this.alternateTurn = false
    this.legacy = this.held = undefined
    this.firstFragmentAt = Number.NEGATIVE_INFINITY
    this.wrongType = this.wrongAfter = 0
  }

  override start(now: number): Step {
    const { withChallenge } = this.query.request
    if (withChallenge !== undefined) this.challenges.begin(now)
    const { current } = this.challenges
    if (current !== undefined) this.packet = withChallenge!(current)
    return super.start(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.state === "done") {
      if (Result.isSuccess(this.result!)) this.receiveLate(messageType(datagram), now)
      return Step.Done
    }
    if (++this.received > MAX_TARGET_DATAGRAMS) return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    const type = kindOf(datagram)
    if (type === FRAGMENT) return this.receiveFragment(datagram, now)
    return type === -1 ? Step.Wait : this.receiveWhole(type, datagram, now, now)
  }

  expire(now: number): Step {
    if (this.state === "done") return Step.Done
    if (this.state === "holding") {
      this.legacy = undefined
      return this.finish(Result.succeed(this.held!))
    }
    const { alternate, silence } = this.query
    if (silence !== undefined && this.isSilence()) {
      this.assumed = true
      return this.finish(Result.succeed(silence))
    }
    if (this.alternateIsDue && alternate?.instead === false && !this.isOver(now)) {
      this.alternateTurn = false
      this.packet = alternate.packet
      return this.ask(now, WRONG_KIND_MS)
    }
    switch (this.afterSilence(now)) {
      case "over":
        return this.finish(Result.fail(this.whyNothing()))
      case "wait":
        // Every transmission was met with the wrong kind of answer: waiting longer brings no other.
        return this.wrongAfter === this.sent ? this.finish(Result.fail(this.whyNothing())) : Step.Wait
      case "again":
        this.repeated = true
        this.packet = this.packetAfterSilence()
        return this.ask(now)
    }
  }

  /** Nothing has come that might be an answer, or stand in its place. */
  private isSilence(): boolean {
    return this.state !== "joining" && this.damage === undefined && this.wrongAfter !== this.sent
  }

  /** Whether the alternate is worth a try: the server has been silent for so long, and it is its turn. */
  private get alternateIsDue(): boolean {
    const { after } = this.query.alternate ?? { after: Number.POSITIVE_INFINITY }
    return this.alternateTurn && !this.challenges.isGiven && this.silences >= after
  }

  private packetAfterSilence(): Uint8Array {
    const { alternate, request } = this.query
    this.alternateTurn = !this.alternateTurn || alternate?.instead === false
    if (alternate?.instead === true && this.alternateIsDue) return alternate.packet
    const challenge = this.challenges.afterSilence()
    return challenge === undefined ? request.opening : request.withChallenge!(challenge)
  }

  private receiveFragment(datagram: Uint8Array, now: number): Step {
    if (this.state !== "holding") this.state = "joining"
    if (this.firstFragmentAt < this.sentAt) this.firstFragmentAt = now
    this.reassembler ??= idleReassemblers.pop() ?? new Reassembler({ reuseMemory: true })
    const joined = this.reassembler.add(datagram)
    if (Result.isFailure(joined)) return this.receiveDamaged(joined.failure, now)
    if (joined.success === undefined) {
      this.listen(now)
      return Step.Wait
    }
    const { bytes } = joined.success
    return this.receiveWhole(messageType(bytes), bytes, now, this.firstFragmentAt)
  }

  /** A message came, whole or joined of fragments, of which the first came at `firstAt`. */
  private receiveWhole(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    // Fragments can be joined to anything.
    if (type === -1) return this.waitLess(now)
    const challenge = type === MessageType.S2C_CHALLENGE ? challengeOf(datagram, type) : undefined
    if (this.query.accepts(type) && (type !== MessageType.S2C_CHALLENGE || challenge !== undefined)) {
      return this.receiveAnswer(type, datagram, now, firstAt)
    }
    if (challenge !== undefined) return this.receiveChallenge(challenge, now)
    if (type === MessageType.A2C_PRINT || type === MessageType.S2C_CONNREJECT) {
      return this.finish(Result.fail(failures.refused(datagram, this.settings.encoding)))
    }
    this.wrongType = type
    this.wrongAfter = this.sent
    return this.waitLess(now)
  }

  private receiveAnswer(type: number, datagram: Uint8Array, now: number, firstAt: number): Step {
    if (this.isOwed(now)) return Step.Wait
    const answer = this.query.decode(datagram, this.settings.encoding, type)
    // Of the two dialects' replies to one request the first tells the time.
    if (this.state !== "holding") this.measure(firstAt, this.answeredBy(type))
    if (Result.isFailure(answer)) return this.receiveDamaged(answer.failure, now)
    const legacy = this.query.legacyOf?.(answer.success)
    if (legacy === undefined) return this.finish(answer)
    this.state = "holding"
    this.held = answer.success
    this.legacy = legacy
    this.waitUntil(now + Math.max(SECOND_DIALECT_MS, 2 * this.rtt!.rttMs))
    return Step.Wait
  }

  private receiveChallenge(challenge: number, now: number): Step {
    const { challenges } = this
    const { withChallenge } = this.query.request
    if (withChallenge === undefined || this.isOwed(now)) return Step.Wait
    if (challenge === challenges.current) {
      this.receiveRepeated(now)
      if (this.isTooSoon(now)) return Step.Wait
    } else this.measure(now, Asked.Opening | Asked.Challenged)
    // The server lives: what was lost before its first challenge is no reason to give up sooner, or to wait longer.
    const isFirst = !challenges.isGiven
    switch (challenges.receive(challenge, now)) {
      case "later":
        return this.waitLess(now)
      case "give up":
        return this.finish(Result.fail(failures.tooManyChallenges(MAX_CHALLENGE_ROUNDS)))
      case "use":
        if (isFirst) this.silences = 0
        if (this.state === "asking") this.state = "challenged"
        this.packet = withChallenge(challenge)
        return this.ask(now)
    }
  }

  protected override receiveDamaged(error: DecodeError, now: number): Step {
    // An old-dialect answer in hand is better than a broken new one.
    return this.state === "holding" ? Step.Wait : super.receiveDamaged(error, now)
  }

  /** What came is not the answer, but the server lives. */
  private waitLess(now: number): Step {
    this.hasten(now)
    return Step.Wait
  }

  protected override get asked(): number {
    const { alternate, answersAlternate, request } = this.query
    if (this.packet === request.opening) return Asked.Opening
    if (this.packet !== alternate?.packet) return Asked.Challenged
    return answersAlternate === undefined ? Asked.Opening : Asked.Alternate
  }

  /** What an answer of this type can be a reply to. A server that gives challenges answers no request without one. */
  private answeredBy(type: number): number {
    if (this.query.answersAlternate?.(type) === true) return Asked.Alternate
    return this.challenges.isGiven ? Asked.Challenged : Asked.Opening | Asked.Challenged
  }

  private receiveLate(type: number, now: number): void {
    if (this.query.accepts(type)) this.measureLate(now, this.answeredBy(type))
    else if (type === MessageType.S2C_CHALLENGE) this.receiveRepeated(now)
  }

  private whyNothing(): QueryError {
    if (this.damage !== undefined) return this.damage
    if (this.wrongAfter === this.sent) return failures.unexpectedReply(this.query.valve, this.wrongType)
    const phase = PHASES[this.state as keyof typeof PHASES]
    return failures.timeout(this.query.valve, phase, this.settings.timeoutMs, this.sent, this.received)
  }

  protected override finish(result: Result.Result<A, QueryError>): Step {
    this.state = "done"
    const { reassembler } = this
    if (reassembler !== undefined && idleReassemblers.length < MAX_IDLE_REASSEMBLERS) {
      reassembler.reset()
      idleReassemblers.push(reassembler)
    }
    this.reassembler = undefined
    return super.finish(result)
  }
}
