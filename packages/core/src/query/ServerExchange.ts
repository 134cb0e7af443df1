/**
 * One exchange for all queries to a server: INFO, then PLAYER and RULES. It contains a `QueryExchange` for each of these queries.
 *
 * - If INFO fails, no further query is sent. If PLAYER or RULES fails, the result contains the error of this query.
 * - Each query uses the challenge of the previous query. If INFO reports no players, a missing reply to PLAYER means an empty list.
 * - If a late reply to an ended query arrives, the exchange only uses it to detect an unnecessary retransmission. The query in flight
 *   continues unchanged.
 *
 * If the option `isConcurrent` is set, PLAYER and RULES can be in flight together. If PLAYER has a challenge, RULES starts while PLAYER is
 * still in flight, and uses the same challenge. RULES also starts when PLAYER is retransmitted. Then a server that replies to neither query
 * causes one timeout instead of two. The type of a reply shows whether it belongs to PLAYER or to RULES. The type of a split reply is known
 * only after its fragments were joined. Other messages, for example challenges, can belong to either query, so these rules apply:
 *
 * | message while both queries are in flight | effect |
 * |---|---|
 * | a challenge while RULES has no challenge | RULES uses the challenge if PLAYER already has a challenge; otherwise PLAYER uses it |
 * | the challenge that RULES uses already | PLAYER processes the challenge as if only PLAYER were in flight |
 * | a challenge other than the challenge that RULES uses | RULES pauses, because a request of one query may invalidate the challenge of the other query; PLAYER uses the challenge |
 * | a refusal while RULES is not paused | RULES pauses; neither query ends |
 * | a refusal while RULES is paused | PLAYER ends |
 * | a message of an unexpected type, or a damaged split reply | RULES pauses; PLAYER continues as if only PLAYER were in flight |
 *
 * While RULES is paused, the exchange sends no request of RULES, but accepts a reply to RULES. If RULES is paused and has no reply when
 * PLAYER ends, RULES starts again.
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import {
  readChallenge,
  FRAGMENT,
  InvalidOption,
  datagramKind,
  messageType,
  MessageType
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Exchange, ExchangeSettings, MeasuredRoundTrip } from "../engine/Exchange.ts"
import { Step } from "../engine/Exchange.ts"
import type { RoundTrip } from "../engine/Retry.ts"
import { BESIDE_AFTER_MS } from "../Limits.ts"
import * as failures from "./failures.ts"
import { playersAfterInfo } from "./kinds/lists.ts"
import * as Query from "./Query.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { Fragments, isRefusal, QueryExchange } from "./QueryExchange.ts"

/** The names of the queries for {@link makeExchange}. */
export const SERVER_QUERIES = ["info", "players", "rules", "all"] as const

/** `info`, `players` or `rules` for a single query, or `all` for INFO, then PLAYER and RULES. */
export type ServerQuery = (typeof SERVER_QUERIES)[number]

/** A reply to INFO, PLAYER or RULES. */
export type ServerReply = InfoReply | GoldSourceInfoReply | PlayersReply | RulesReply

/** The parts of a server's data that an exchange can query. */
export const PARTS = ["info", "players", "rules"] as const

/** A part of a server's data: `info`, `players` or `rules`. */
export type ServerPart = (typeof PARTS)[number]

const QUERIES = { info: Query.info, players: Query.players, rules: Query.rules } as Readonly<
  Record<ServerPart, Query.Query<ServerReply>>
>

const ALL: ReadonlyArray<Query.Query<ServerReply>> = /* @__PURE__ */ PARTS.map((part) => QUERIES[part])

/** Options of a {@link ServerExchange}. */
export interface ServerExchangeOptions {
  /** The parts to query (default: all). INFO is always included, because the other parts are queried only if the server replies to INFO. */
  readonly parts?: ReadonlyArray<ServerPart> | undefined
  /** Time limit for all parts together, in ms. The result contains the parts that arrived in time. */
  readonly totalTimeoutMs?: number | undefined
  /** Whether PLAYER and RULES can be in flight together (default: false). */
  readonly isConcurrent?: boolean
  /** Called for each query that succeeded. PLAYER can succeed without a reply if INFO reports no players. */
  readonly onReply?: (exchange: QueryExchange<ServerReply>) => void
}

/** The replies of one server, by query. The error of a part that failed is in `errors`. */
export interface ServerReplies {
  readonly info: InfoReply | GoldSourceInfoReply
  /** INFO in the old dialect, if it arrived before INFO in the new dialect. */
  readonly legacy?: GoldSourceInfoReply
  readonly players?: PlayersReply
  /** Present if the server did not reply to PLAYER, and the list of players is empty because INFO reports no players. */
  readonly playersAssumed?: true
  readonly rules?: RulesReply
  /** The errors of missing parts. Absent if no part is missing. */
  readonly errors?: { readonly players?: QueryError; readonly rules?: QueryError }
}

/** Returns a function that checks whether a part is queried. INFO is always queried. */
const isIn =
  (parts: ReadonlyArray<ServerPart>) =>
  (part: ServerPart): boolean =>
    part === "info" || parts.includes(part)

/** Creates the exchange for a query. */
export const makeExchange = (
  query: ServerQuery,
  settings: ExchangeSettings,
  roundTrip: RoundTrip
): QueryExchange<ServerReply> | ServerExchange =>
  query === "all"
    ? new ServerExchange(settings, roundTrip)
    : new QueryExchange<ServerReply>(Query.QUERIES[query], settings, roundTrip)

/**
 * All queries to one server. `result` is the result of INFO, but is set only when all queries have ended. Read the other fields only after
 * `result` is set.
 */
export class ServerExchange implements Exchange<ServerReplies["info"]> {
  // The exchange copies `deadline` and `packet` of the query in flight to these fields, because the engine reads them several times per
  // datagram.
  deadline = Number.POSITIVE_INFINITY
  packet: Uint8Array
  result: Result.Result<ServerReplies["info"], QueryError> | undefined = undefined
  /** The round-trip time of INFO. If this time is ambiguous, the first exact round-trip time of a later query replaces it. */
  rtt: MeasuredRoundTrip | undefined = undefined
  /** Number of datagrams that the ended queries sent. */
  sent = 0
  /** Number of received datagrams of any kind. */
  received = 0
  /** Whether a request was retransmitted. */
  repeated = false
  legacy: GoldSourceInfoReply | undefined = undefined
  players: PlayersReply | undefined = undefined
  playersAssumed: true | undefined = undefined
  rules: RulesReply | undefined = undefined
  errors: { players?: QueryError; rules?: QueryError } | undefined = undefined

  private readonly settings: ExchangeSettings
  private readonly roundTrip: RoundTrip
  private readonly options: ServerExchangeOptions
  private readonly queries: ReadonlyArray<Query.Query<ServerReply>>
  /** The time at which the total time limit is over. The result contains the parts that arrived before this time. */
  private endsAt = Number.POSITIVE_INFINITY
  private info: Result.Result<ServerReplies["info"], QueryError> | undefined = undefined
  /** Index of the first query that has not ended. */
  private index = 0
  /** Number of queries without a result. */
  private left: number
  /** The exchanges of the queries that were started, in the order of the queries. They are reused for the next server. */
  private readonly exchanges: Array<QueryExchange<ServerReply>>
  private current: QueryExchange<ServerReply>
  /** The query that was started while `current` is in flight. This query can end before `current`. */
  private beside: QueryExchange<ServerReply> | undefined = undefined
  /** The time at which `beside` starts. The start is a separate step, because a step can send only one datagram. */
  private besideAt = Number.POSITIVE_INFINITY
  /** Whether `beside` only receives datagrams, and sends nothing. */
  private isPaused = false
  /** While two queries are in flight: fragments that may belong to either query. */
  private fragments: Fragments | undefined = undefined
  /** The last query that ended although replies to its requests may still arrive. */
  private lastOutstanding: QueryExchange<ServerReply> | undefined = undefined

  constructor(settings: ExchangeSettings, roundTrip: RoundTrip, options: ServerExchangeOptions = {}) {
    const { parts } = options
    this.settings = settings
    this.roundTrip = roundTrip
    this.options = options
    this.queries = parts === undefined ? ALL : PARTS.filter(isIn(parts)).map((part) => QUERIES[part])
    this.left = this.queries.length
    this.current = new QueryExchange<ServerReply>(Query.info, settings, roundTrip)
    this.packet = this.current.packet
    this.exchanges = [this.current]
  }

  /** Prepares the object for another server, after all queries have ended. Removes the replies from the object. */
  reset(): void {
    for (const exchange of this.exchanges) exchange.reset()
    this.current = this.exchanges[0]!
    this.packet = this.current.packet
    this.deadline = this.endsAt = this.besideAt = Number.POSITIVE_INFINITY
    this.sent = this.received = this.index = 0
    this.left = this.queries.length
    this.repeated = this.isPaused = false
    this.result = this.info = this.rtt = this.lastOutstanding = this.beside = this.fragments = undefined
    this.legacy = this.players = this.playersAssumed = this.rules = this.errors = undefined
  }

  get outstanding(): number {
    const exchanges = new Set([this.current, this.beside, this.lastOutstanding])
    let sum = 0
    for (const exchange of exchanges) sum += exchange?.outstanding ?? 0
    return sum
  }

  /** Whether the server has sent a reply or a challenge. */
  get hasReplied(): boolean {
    return this.index > 0 || this.current.hasReplied
  }

  expectLateReplies(outstanding: number): void {
    this.current.expectLateReplies(outstanding)
  }

  start(now: number): Step {
    const { totalTimeoutMs } = this.options
    if (totalTimeoutMs !== undefined) this.endsAt = now + totalTimeoutMs
    return this.follow(this.current.start(now), now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    const { beside, current, lastOutstanding } = this
    if (
      lastOutstanding !== undefined &&
      lastOutstanding.outstanding > 0 &&
      lastOutstanding.query.answers.includes(messageType(datagram))
    ) {
      this.received++
      lastOutstanding.receive(datagram, now)
      return this.result === undefined ? Step.Wait : Step.Done
    }
    if (this.result === undefined) this.received++
    if (beside !== undefined && beside.result === undefined) return this.receiveForTwo(beside, datagram, now)
    return this.follow(current.receive(datagram, now), now)
  }

  expire(now: number): Step {
    const { beside, current } = this
    if (now >= this.endsAt) return this.endAll((query, exchange) => this.totalTimeout(query, exchange))
    if (now >= this.besideAt) return this.startBeside(now)
    if (beside !== undefined && !this.isPaused && beside.deadline < current.deadline) {
      return this.followBeside(beside, beside.expire(now))
    }
    return this.follow(current.expire(now), now)
  }

  /** Ends all queries that have no result yet, with `error` as their result. */
  fail(error: QueryError): Step {
    return this.endAll(() => error)
  }

  /** The replies. Only valid if the result is a success. */
  get replies(): ServerReplies {
    const { errors, legacy, players, playersAssumed, result, rules } = this
    return {
      info: Result.getOrThrow(result!),
      ...(legacy === undefined ? {} : { legacy }),
      ...(players === undefined ? {} : { players }),
      ...(playersAssumed === undefined ? {} : { playersAssumed }),
      ...(rules === undefined ? {} : { rules }),
      ...(errors === undefined ? {} : { errors })
    }
  }

  private endAll(
    makeError: (query: Query.Query<ServerReply>, exchange?: QueryExchange<ServerReply>) => QueryError
  ): Step {
    for (const exchange of [this.current, this.beside]) {
      if (exchange === undefined || exchange.result !== undefined) continue
      exchange.fail(makeError(exchange.query, exchange))
      this.end(exchange)
    }
    const later = this.queries.slice(this.index + (this.beside === undefined ? 1 : 2))
    for (const query of later) if (this.result === undefined) this.add(query, Result.fail(makeError(query)))
    return this.finish()
  }

  private totalTimeout({ valve }: Query.Query<ServerReply>, exchange?: QueryExchange<ServerReply>): QueryError {
    const { hasReplied = false, received = 0, sent = 0 } = exchange ?? {}
    const phase = hasReplied ? "challenge" : "request"
    return failures.timeout(valve, phase, this.options.totalTimeoutMs!, sent, received)
  }

  /** Processes a step of the current query. */
  private follow(step: Step, now: number): Step {
    if (this.result !== undefined) return this.finish()
    if (step === Step.Done) return this.advance(now)
    if (this.isTimeForNext) this.besideAt = Math.min(this.besideAt, now + BESIDE_AFTER_MS)
    return this.take(this.current, step)
  }

  /** Processes a step of `beside`, the query that is in flight together with the current query. */
  private followBeside(beside: QueryExchange<ServerReply>, step: Step): Step {
    if (step !== Step.Done) return this.take(beside, step)
    this.end(beside)
    if (this.result !== undefined) return this.finish()
    this.moveFragmentsTo(this.current)
    return this.take(beside, Step.Wait)
  }

  private take({ packet, repeated }: QueryExchange<ServerReply>, step: Step): Step {
    const { beside, current } = this
    this.deadline = Math.min(current.deadline, this.endsAt, this.besideAt)
    if (beside !== undefined && !this.isPaused) this.deadline = Math.min(this.deadline, beside.deadline)
    if (step === Step.Send) {
      this.packet = packet
      if (repeated) this.repeated = true
    }
    return step
  }

  /** Called when the current query has ended. Continues with the next query, which may be in flight already. */
  private advance(now: number): Step {
    const { beside, current } = this
    this.end(current)
    if (this.result !== undefined) return this.finish()
    const isInFlight = beside !== undefined && !this.isPaused
    const next = isInFlight ? beside : this.next()
    // If the server uses challenges, a late challenge for the ended query would look like a reply to the next query.
    if (current.cachedChallenge !== undefined && this.lastOutstanding === current)
      next.expectLateReplies(current.outstanding)
    this.moveFragmentsTo(next)
    this.current = next
    this.index++
    this.beside = undefined
    this.isPaused = false
    this.besideAt = Number.POSITIVE_INFINITY
    return isInFlight ? this.take(next, Step.Wait) : this.follow(next.start(now), now)
  }

  /** Returns the exchange for the next query, with the challenge of the current query. */
  private next(): QueryExchange<ServerReply> {
    const at = this.index + 1
    const query = this.queries[at]!
    const chosen =
      query === Query.players && this.info?._tag === "Success" ? playersAfterInfo(this.info.success) : query
    const next = (this.exchanges[at] ??= new QueryExchange(chosen, this.settings, this.roundTrip))
    next.prepare(chosen, this.current.cachedChallenge)
    return next
  }

  /** Whether it is time to start RULES, although PLAYER is still in flight. */
  private get isTimeForNext(): boolean {
    const { beside, current, index, options, queries } = this
    if (options.isConcurrent !== true || beside !== undefined || index !== 1 || queries.length < 3) return false
    return current.challenge !== undefined || current.repeated
  }

  private startBeside(now: number): Step {
    this.besideAt = Number.POSITIVE_INFINITY
    const beside = (this.beside = this.next())
    this.fragments = this.current.takeFragments()
    return this.followBeside(beside, beside.start(now))
  }

  /** Passes the fragments to `exchange`, which joins them from now on, because only its query is still in flight. */
  private moveFragmentsTo(exchange: QueryExchange<ServerReply>): void {
    if (this.fragments !== undefined) exchange.takeOverFragments(this.fragments)
    this.fragments = undefined
  }

  /** Processes a datagram that arrived while two queries are in flight. */
  private receiveForTwo(beside: QueryExchange<ServerReply>, datagram: Uint8Array, now: number): Step {
    const type = datagramKind(datagram)
    if (type !== FRAGMENT) return this.assign(beside, type, datagram, now, (to) => to.receive(datagram, now))
    const { current } = this
    const fragments = (this.fragments ??= Fragments.take())
    const joined = fragments.add(datagram, now, Number.NEGATIVE_INFINITY)
    if (Result.isFailure(joined)) this.isPaused = true
    if (Result.isFailure(joined) || joined.success === undefined) {
      this.followBeside(beside, beside.receivePart(now))
      return this.follow(current.receivePart(now), now)
    }
    if (!fragments.arePending) for (const exchange of [current, beside]) exchange.forgetParts()
    const { firstAt } = fragments
    const { bytes } = joined.success
    const joinedType = datagramKind(bytes)
    return this.assign(beside, joinedType, bytes, now, (to) => to.receiveMessage(joinedType, bytes, now, firstAt))
  }

  /** Finds the query to which a message belongs, and passes the message to this query with `hand`. */
  private assign(
    beside: QueryExchange<ServerReply>,
    type: number,
    message: Uint8Array,
    now: number,
    hand: (to: QueryExchange<ServerReply>) => Step
  ): Step {
    const { current } = this
    const challenge = type === MessageType.S2C_CHALLENGE ? readChallenge(message, type) : undefined
    const isForBeside =
      challenge === undefined
        ? beside.query.answers.includes(type)
        : !this.isPaused && beside.challenge === undefined && current.challenge !== undefined
    if (challenge !== undefined) {
      if (beside.challenge !== undefined && beside.challenge !== challenge) this.isPaused = true
      // The challenge may be a reply to the other query in flight. Therefore the round-trip time is ambiguous while replies to the other
      // query are outstanding.
      if (isForBeside) beside.expectLateReplies(current.outstanding)
      else current.expectLateReplies(beside.outstanding)
    } else if (!isForBeside && type >= 0 && !current.query.answers.includes(type)) {
      const isFirst = !this.isPaused
      this.isPaused = true
      if (isFirst && isRefusal(type)) return this.take(current, Step.Wait)
    }
    return isForBeside ? this.followBeside(beside, hand(beside)) : this.follow(hand(current), now)
  }

  /** Called when a query has ended. Stores the result of the query. */
  private end(exchange: QueryExchange<ServerReply>): void {
    const { assumed, legacy, outstanding, query, result, sent } = exchange
    this.sent += sent
    if (outstanding > 0) this.lastOutstanding = exchange
    if (legacy !== undefined) this.legacy = legacy
    if (assumed) this.playersAssumed = true
    this.storeRoundTrip(exchange)
    if (Result.isSuccess(result!)) this.options.onReply?.(exchange)
    this.add(query, result!)
  }

  private add({ name }: Query.Query<ServerReply>, result: Result.Result<ServerReply, QueryError>): void {
    if (name === "info") this.info = result as typeof this.info
    // An invalid option is an error of the caller, so the exchange fails, even if INFO succeeded.
    else if (Result.isFailure(result) && result.failure instanceof InvalidOption)
      this.result = Result.fail(result.failure)
    else if (Result.isFailure(result)) {
      const error = Result.isSuccess(this.info!) ? failures.afterInfo(result.failure) : result.failure
      ;(this.errors ??= {})[name as "players" | "rules"] = error
    } else if (name === "rules") this.rules = result.success as RulesReply
    else this.players = result.success as PlayersReply
    if (--this.left === 0 || Result.isFailure(this.info!)) this.result ??= this.info
  }

  private finish(): Step {
    this.deadline = this.besideAt = Number.POSITIVE_INFINITY
    this.fragments?.release()
    this.fragments = undefined
    return Step.Done
  }

  /** Stores the round-trip time of a query, unless an exact round-trip time is already stored. */
  private storeRoundTrip(exchange: QueryExchange<ServerReply>): void {
    if (this.rtt !== undefined && this.rtt.rttAmbiguous === undefined) return
    const { rtt } = exchange
    if (rtt !== undefined && (this.rtt === undefined || rtt.rttAmbiguous === undefined)) this.rtt = rtt
  }
}
