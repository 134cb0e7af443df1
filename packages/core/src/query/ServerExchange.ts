/**
 * All that one server is asked: INFO, then PLAYER and RULES with its challenge kept. An exchange like any other, made of a `QueryExchange`
 * for each query.
 *
 * - INFO decides: a server that does not answer it is asked nothing more. A later query that fails is an error beside the answers.
 * - A challenge is used by the queries after it. PLAYER knows what INFO has said of the number of players.
 * - A late answer to an earlier query may tell that one's round trip. It does not disturb the query under way.
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { messageType } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { Exchange, ExchangeSettings, MeasuredRoundTrip } from "../engine/Exchange.ts"
import { Step } from "../engine/Exchange.ts"
import type { RoundTrip } from "../engine/retransmission.ts"
import { playersAfterInfo } from "./kinds/lists.ts"
import * as Query from "./Query.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { QueryExchange } from "./QueryExchange.ts"

/** What a server can be asked in one go. */
export const ASKED = ["info", "players", "rules", "all"] as const

/** One of {@link ASKED}; `all` is INFO, then PLAYER and RULES. */
export type ServerQuery = (typeof ASKED)[number]

/** What each query of a sequence is answered with. */
export type ServerReply = InfoReply | GoldSourceInfoReply | PlayersReply | RulesReply

const IN_ORDER = [Query.info, Query.players, Query.rules] as ReadonlyArray<Query.Query<ServerReply>>

/** Replies of one server, by what was asked. A part that failed is under `errors`. */
export interface ServerReplies {
  readonly info: InfoReply | GoldSourceInfoReply
  /** The old dialect's reply, where the server sent both and this one first. */
  readonly legacy?: GoldSourceInfoReply
  readonly players?: PlayersReply
  /** Present where the list of players is empty because INFO says that nobody plays, and PLAYER met silence. */
  readonly playersAssumed?: true
  readonly rules?: RulesReply
  /** Why a part is missing. Absent when none is. */
  readonly errors?: { readonly players?: QueryError; readonly rules?: QueryError }
}

/** The exchange that asks that. */
export const exchangeOf = (
  asked: ServerQuery,
  settings: ExchangeSettings,
  roundTrip: RoundTrip
): QueryExchange<ServerReply> | ServerExchange =>
  asked === "all"
    ? new ServerExchange(settings, roundTrip)
    : new QueryExchange<ServerReply>(Query.QUERIES[asked], settings, roundTrip)

/** The queries to one server. Its result is that of INFO, once all have ended; the other fields can be read then. */
export class ServerExchange implements Exchange<ServerReplies["info"]> {
  // These two of the query under way are fields, since the engine reads them several times per datagram.
  deadline = Number.POSITIVE_INFINITY
  packet: Uint8Array
  result: Result.Result<ServerReplies["info"], QueryError> | undefined = undefined
  /** Round trip of INFO. If that is a guess, and a later one's is known, the later one's. */
  rtt: MeasuredRoundTrip | undefined = undefined
  /** Datagrams sent by the queries that have ended. */
  sent = 0
  /** Datagrams received, of whatever kind. */
  received = 0
  /** Whether a question had to be repeated, because of silence. */
  repeated = false
  legacy: GoldSourceInfoReply | undefined = undefined
  players: PlayersReply | undefined = undefined
  playersAssumed: true | undefined = undefined
  rules: RulesReply | undefined = undefined
  errors: { players?: QueryError; rules?: QueryError } | undefined = undefined

  private readonly settings: ExchangeSettings
  private readonly roundTrip: RoundTrip
  private readonly onAnswer: ((exchange: QueryExchange<ServerReply>) => void) | undefined
  private info: Result.Result<ServerReplies["info"], QueryError> | undefined = undefined
  /** Of the query under way. */
  private index = 0
  /** One for each query that was begun, to be used again. */
  private readonly exchanges: Array<QueryExchange<ServerReply>>
  private current: QueryExchange<ServerReply>
  /** The last one that has ended with replies outstanding. */
  private owed: QueryExchange<ServerReply> | undefined = undefined

  /** `onAnswer` is told of each query that is answered. */
  constructor(
    settings: ExchangeSettings,
    roundTrip: RoundTrip,
    onAnswer?: (exchange: QueryExchange<ServerReply>) => void
  ) {
    this.settings = settings
    this.roundTrip = roundTrip
    this.onAnswer = onAnswer
    this.current = new QueryExchange<ServerReply>(Query.info, settings, roundTrip)
    this.packet = this.current.packet
    this.exchanges = [this.current]
  }

  /** As new, to ask another server, once it has ended. It holds no reply any more. */
  reset(): void {
    for (const exchange of this.exchanges) exchange.reset()
    this.current = this.exchanges[0]!
    this.packet = this.current.packet
    this.deadline = Number.POSITIVE_INFINITY
    this.sent = this.received = this.index = 0
    this.repeated = false
    this.result = this.info = this.rtt = this.owed = undefined
    this.legacy = this.players = this.playersAssumed = this.rules = this.errors = undefined
  }

  get outstanding(): number {
    return this.current.outstanding + (this.owed?.outstanding ?? 0)
  }

  /** Whether the server has answered, if only with a challenge. */
  get isKnownToLive(): boolean {
    return this.index > 0 || this.current.isKnownToLive
  }

  comeAfter(outstanding: number): void {
    this.current.comeAfter(outstanding)
  }

  start(now: number): Step {
    return this.follow(this.current.start(now), now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    const { current, owed } = this
    if (owed !== undefined && owed.outstanding > 0 && owed.query.answers.includes(messageType(datagram))) {
      this.received++
      owed.receive(datagram, now)
      this.learn(owed)
      return this.result === undefined ? Step.Wait : Step.Done
    }
    if (this.result === undefined) this.received++
    const step = current.receive(datagram, now)
    if (step !== Step.Wait) return this.follow(step, now)
    this.deadline = current.deadline
    return step
  }

  expire(now: number): Step {
    return this.follow(this.current.expire(now), now)
  }

  /** Ends the query under way and those after it. */
  fail(error: QueryError): Step {
    if (this.result === undefined) {
      this.current.fail(error)
      this.end(this.current)
      this.deadline = Number.POSITIVE_INFINITY
      while (this.result === undefined) this.add(Result.fail(error))
    }
    return Step.Done
  }

  /** What was answered. For a result that is a success. */
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

  private follow(step: Step, now: number): Step {
    const { current } = this
    this.deadline = current.deadline
    if (step === Step.Send) {
      this.packet = current.packet
      if (current.repeated) this.repeated = true
    }
    if (step !== Step.Done || this.result !== undefined) return step
    this.end(current)
    if (this.result !== undefined) return Step.Done
    const query = IN_ORDER[this.index]!
    const asked = query === Query.players && this.info?._tag === "Success" ? playersAfterInfo(this.info.success) : query
    const { keptChallenge } = current
    this.current = this.exchanges[this.index] ??= new QueryExchange(asked, this.settings, this.roundTrip)
    this.current.prepare(asked, keptChallenge)
    // Challenges that may still come, where the server gives any, would look like replies to this query.
    if (keptChallenge !== undefined && this.owed === current) this.current.comeAfter(current.outstanding)
    return this.start(now)
  }

  private end(exchange: QueryExchange<ServerReply>): void {
    const { assumed, legacy, outstanding, result, sent } = exchange
    this.sent += sent
    if (outstanding > 0) this.owed = exchange
    if (legacy !== undefined) this.legacy = legacy
    if (assumed) this.playersAssumed = true
    this.learn(exchange)
    if (Result.isSuccess(result!)) this.onAnswer?.(exchange)
    this.add(result!)
  }

  /** The query at `index` has this result. */
  private add(result: Result.Result<ServerReply, QueryError>): void {
    const { name } = IN_ORDER[this.index++]!
    if (name === "info") this.info = result as typeof this.info
    else if (Result.isFailure(result)) (this.errors ??= {})[name as "players" | "rules"] = result.failure
    else if (name === "rules") this.rules = result.success as RulesReply
    else this.players = result.success as PlayersReply
    if (this.index === IN_ORDER.length || Result.isFailure(this.info!)) this.result = this.info
  }

  /** Takes over the round trip that a query has told, unless one is known for sure. */
  private learn(exchange: QueryExchange<ServerReply>): void {
    if (this.rtt !== undefined && this.rtt.rttAmbiguous === undefined) return
    const { rtt } = exchange
    if (rtt !== undefined && (this.rtt === undefined || rtt.rttAmbiguous === undefined)) this.rtt = rtt
  }
}
