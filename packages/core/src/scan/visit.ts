/**
 * One target of a scan under way: one query, or INFO, PLAYER and RULES one after the other with the challenge kept between them. An
 * exchange like any other: it sends nothing and reads no clock.
 *
 * A target that behaves (a challenge or none, then the answer, in fragments if need be) needs no more than the few fields here. The
 * first thing that is otherwise, silence included, brings a `QueryExchange` that takes over where the visit stands: all rules are there.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { CHALLENGE_BYTES, challengeOf, isSplit, MessageType, messageType } from "@sourcewire/protocol/machines"
import type { Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { AddressInput } from "../client/Client.ts"
import type { SocketFault } from "../engine/Datagrams.ts"
import type { Exchange } from "../engine/Exchange.ts"
import { Step } from "../engine/Exchange.ts"
import { CHALLENGE_KEPT_MS, MAX_TARGET_DATAGRAMS } from "../Limits.ts"
import { QueryExchange } from "../query/QueryExchange.ts"
import * as Query from "../query/Query.ts"
import type { QueryError } from "../query/QueryError.ts"
import type { Answered, ScanQuery, ScanResult } from "./ScanResult.ts"
import * as failures from "../query/failures.ts"
import type { FlightSocket } from "./flights.ts"
import type { ScanPatience } from "./timeouts.ts"
import type { Reassemblers } from "./reassemblers.ts"

/** What the queries of a scan are answered with. */
export type Reply = InfoReply | GoldSourceInfoReply | PlayersReply | RulesReply

/** The queries of a scan, in order. */
export const QUERIES: Readonly<Record<ScanQuery, ReadonlyArray<Query.Query<Reply>>>> = {
  info: [Query.info],
  players: [Query.players],
  rules: [Query.rules],
  all: [Query.info, Query.players, Query.rules]
}

/** What a visit is part of. */
export interface Scanning {
  readonly queries: ReadonlyArray<Query.Query<Reply>>
  readonly patience: ScanPatience
  readonly reassemblers: Reassemblers
}

const RULES_INDEX = 2

/** See the module. */
export class Visit implements Exchange<Reply> {
  deadline = Number.POSITIVE_INFINITY
  packet: Uint8Array
  readonly target: AddressInput
  readonly address: string
  readonly port: number
  /** `routeKey` of address and port. */
  readonly key: number | string
  /** Where its datagrams leave and arrive. */
  socket: FlightSocket | undefined = undefined
  /** What the system said about the way there, last. */
  fault: SocketFault | undefined = undefined
  /** When what this machine did not send is tried again, on the machine's clock. */
  resendAt = Number.POSITIVE_INFINITY
  /** Since when it has not left, on the flights' clock, and for how long it had not before it was tried again. */
  heldAt = 0
  heldMs = 0
  hostPlace = 0
  networkPlace = 0
  private readonly scan: Scanning
  /** Whether a question met silence before it was answered. */
  wasResent = false
  /** Which query is under way. */
  private index = 0
  private sent = 0
  private received = 0
  /** The same, of all queries. */
  private heard = 0
  private endsAt = Number.POSITIVE_INFINITY
  private sentAt = Number.POSITIVE_INFINITY
  private challenge: number | undefined = undefined
  private challengeGivenAt = 0
  /** The challenge came in the query under way, and took so long. */
  private isChallenged = false
  private challengeRttMs = Number.NaN
  /** Holds fragments, of the query under way like the two after it. */
  private reassembler: Reassembler | undefined = undefined
  private fragments = 0
  private firstFragmentAt = Number.NaN
  /** Has taken over. */
  private exchange: QueryExchange<Reply> | undefined = undefined
  private first: Reply | undefined = undefined
  private rttMs = Number.NaN
  private rttAmbiguous = false
  private error: QueryError | undefined = undefined
  private legacy: GoldSourceInfoReply | undefined = undefined
  private players: PlayersReply | undefined = undefined
  private playersAssumed: true | undefined = undefined
  private rules: RulesReply | undefined = undefined
  private errors: { players?: QueryError; rules?: QueryError } | undefined = undefined

  constructor(scan: Scanning, target: AddressInput, address: string, port: number, key: number | string) {
    this.scan = scan
    this.target = target
    this.address = address
    this.port = port
    this.key = key
    this.packet = scan.queries[0]!.request.opening
  }

  get result(): Result.Result<Reply, QueryError> | undefined {
    if (this.error !== undefined) return Result.fail(this.error)
    return this.index === this.scan.queries.length ? Result.succeed(this.first!) : undefined
  }

  /** Something was out of the ordinary: a `QueryExchange` decides now. */
  get isHandedOver(): boolean {
    return this.exchange !== undefined
  }

  /** It has answered before in this visit, if only with a challenge. */
  get isKnownToLive(): boolean {
    return this.isChallenged || this.index > 0
  }

  start(now: number): Step {
    this.endsAt = now + this.scan.patience.timeoutMs
    return this.transmit(now)
  }

  // One function for what nearly always comes: of a chain of them V8 compiles each with all that follow.
  receive(datagram: Uint8Array, now: number): Step {
    if (++this.heard > MAX_TARGET_DATAGRAMS) return this.fail(failures.tooManyDatagrams(MAX_TARGET_DATAGRAMS))
    if (this.exchange !== undefined) return this.follow(this.exchange.receive(datagram, now), now)
    let message = datagram
    let firstAt = now
    if (isSplit(datagram)) {
      const joined = this.join(datagram, now)
      if (typeof joined === "number") return joined
      message = joined
      firstAt = this.firstFragmentAt
    } else this.received++
    const query = this.scan.queries[this.index]!
    const type = messageType(message)
    if (query.accepts(type)) {
      const answer = query.decode(message, this.scan.patience.encoding)
      if (Result.isSuccess(answer) && type !== MessageType.S2A_INFO_DETAILED) {
        const rttMs = firstAt - this.sentAt
        this.scan.patience.roundTrip.sample(rttMs)
        if (this.index === 0 || this.rttAmbiguous) this.rttMs = rttMs
        this.rttAmbiguous = false
        return this.end(answer, now)
      }
    } else if (
      type === MessageType.S2C_CHALLENGE &&
      message.length === CHALLENGE_BYTES &&
      this.challenge === undefined
    ) {
      this.isChallenged = true
      this.challengeRttMs = now - this.sentAt
      this.scan.patience.roundTrip.sample(this.challengeRttMs)
      this.challengeGivenAt = now
      this.challenge = challengeOf(message)!
      this.packet = query.request.withChallenge!(this.challenge)
      return this.transmit(now)
    }
    if (message !== datagram) return this.follow(this.handOver().receiveWhole(message, now, firstAt), now)
    // The exchange counts it itself.
    this.received--
    return this.follow(this.handOver().receive(datagram, now), now)
  }

  expire(now: number): Step {
    return this.follow((this.exchange ?? this.handOver()).expire(now), now)
  }

  resend(now: number, lateMs: number): Step {
    if (this.exchange !== undefined) return this.follow(this.exchange.resend(now, lateMs), now)
    this.endsAt += lateMs
    return this.depart(now)
  }

  fail(error: QueryError): Step {
    if (this.exchange !== undefined) {
      this.sent += this.exchange.sent
      this.received += this.exchange.received
    }
    if (this.index === 0) this.error = error
    else for (; this.index < this.scan.queries.length; this.index++) this.add(Result.fail(error))
    return Step.Done
  }

  /** What came of it. Call it when done. */
  outcome(): ScanResult<ScanQuery> {
    const outcome = this.toldOutcome()
    return this.rttAmbiguous && outcome._tag === "Answered" ? { ...outcome, rttAmbiguous: true } : outcome
  }

  private toldOutcome(): ScanResult<ScanQuery> {
    const { address, error, errors, first, legacy, players, port, received, rttMs, rules, sent, target } = this
    const { playersAssumed } = this
    if (error !== undefined) return { _tag: "Failed", target, address, port, error, sent, received }
    const [{ name }] = this.scan.queries as [Query.Query<Reply>]
    const info = first as InfoReply
    // Nearly all are one of these two, and without a spread they take a third of the time.
    if (name === "info" && legacy === undefined && errors === undefined && playersAssumed === undefined) {
      if (players === undefined) {
        return { _tag: "Answered", target, address, port, rttMs, sent, received, info } satisfies Answered<"info">
      }
      return { _tag: "Answered", target, address, port, rttMs, sent, received, info, players, rules } as Answered<"all">
    }
    const answer = { _tag: "Answered", target, address, port, rttMs, sent, received } as const
    if (name === "players") return { ...answer, players: first } as Answered<"players">
    if (name === "rules") return { ...answer, rules: first } as Answered<"rules">
    const parts = { legacy, players, playersAssumed, rules, errors }
    return { ...answer, info, ...given(parts) } as Answered<"all">
  }

  /** Takes a fragment; gives the message that it completes. */
  private join(fragment: Uint8Array, now: number): Uint8Array | Step {
    this.received++
    this.fragments++
    if (Number.isNaN(this.firstFragmentAt)) this.firstFragmentAt = now
    this.reassembler ??= this.scan.reassemblers.take()
    const joined = this.reassembler.add(fragment)
    if (Result.isFailure(joined)) return this.follow(this.handOver().receiveDamaged(joined.failure, now), now)
    if (joined.success !== undefined) return joined.success.bytes
    const deadline = now + this.scan.patience.roundTrip.restMs
    this.deadline = deadline < this.endsAt ? deadline : this.endsAt
    return Step.Wait
  }

  private transmit(now: number): Step {
    this.sent++
    return this.depart(now)
  }

  private depart(now: number): Step {
    const deadline = now + this.scan.patience.drawnWaitMs()
    this.sentAt = now
    this.firstFragmentAt = Number.NaN
    this.deadline = deadline < this.endsAt ? deadline : this.endsAt
    return Step.Send
  }

  /** The query under way has ended: on to the next, if there is one and the server is alive. */
  private end(result: Result.Result<Reply, QueryError>, now: number): Step {
    const { queries, reassemblers } = this.scan
    this.fragments = 0
    if (this.reassembler !== undefined) {
      reassemblers.giveBack(this.reassembler)
      this.reassembler = undefined
    }
    if (this.index === 0) {
      if (Result.isFailure(result)) {
        // Of a way that is said to be closed silence is no surprise.
        this.error = this.fault !== undefined && this.received === 0 ? failures.ofSocket(this.fault) : result.failure
        return Step.Done
      }
      this.first = result.success
    } else this.add(result)
    if (++this.index === queries.length) return Step.Done
    this.exchange = undefined
    this.isChallenged = false
    if (now - this.challengeGivenAt >= CHALLENGE_KEPT_MS) this.challenge = undefined
    const { opening, withChallenge } = queries[this.index]!.request
    this.packet = this.challenge === undefined ? opening : withChallenge!(this.challenge)
    return this.start(now)
  }

  private add(result: Result.Result<Reply, QueryError>): void {
    const isRules = this.index === RULES_INDEX
    if (Result.isFailure(result)) {
      this.errors ??= {}
      this.errors[isRules ? "rules" : "players"] = result.failure
    } else if (isRules) this.rules = result.success as RulesReply
    else this.players = result.success as PlayersReply
  }

  private handOver(): QueryExchange<Reply> {
    const { patience, queries } = this.scan
    const { challenge, challengeGivenAt, deadline, endsAt, fragments, isChallenged, packet, reassembler, sentAt } = this
    const kept = challenge === undefined ? undefined : { challenge, givenAt: challengeGivenAt }
    const query = queries[this.index]!
    const asked = query === Query.players && this.index > 0 ? Query.playersAfter(this.first as InfoReply) : query
    const exchange = new QueryExchange<Reply>(asked, patience, patience.roundTrip, kept)
    const firstFragmentAt = Number.isNaN(this.firstFragmentAt) ? undefined : this.firstFragmentAt
    const held = { fragments, reassembler, firstFragmentAt }
    const challengeRttMs = isChallenged ? this.challengeRttMs : undefined
    exchange.resume({ isChallenged, challengeRttMs, packet, sentAt, deadline, endsAt, ...held })
    this.reassembler = undefined
    // It counts for its query; both are added when it is done.
    this.sent -= exchange.sent
    this.received -= exchange.received
    this.exchange = exchange
    return exchange
  }

  /** Does as the exchange says. */
  private follow(step: Step, now: number): Step {
    const exchange = this.exchange!
    if (step !== Step.Done) {
      this.deadline = exchange.deadline
      this.packet = exchange.packet
      return step
    }
    this.wasResent ||= exchange.repeated
    this.sent += exchange.sent
    this.received += exchange.received
    this.legacy ??= exchange.legacy
    if (exchange.assumed) this.playersAssumed = true
    this.challenge = exchange.keptChallenge?.challenge
    this.challengeGivenAt = exchange.keptChallenge?.givenAt ?? 0
    if (this.index === 0 && exchange.rtt !== undefined) {
      this.rttMs = exchange.rtt.rttMs
      this.rttAmbiguous = exchange.rtt.rttAmbiguous === true
    }
    return this.end(exchange.result!, now)
  }
}

/** Without what is `undefined`. */
const given = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
