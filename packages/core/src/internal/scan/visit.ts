/**
 * One target of a scan under way: one query, or INFO, PLAYER and RULES one after the other with the challenge kept between them. To
 * the engine it is an exchange like any other; the rules are those of `QueryExchange`.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { AddressInput } from "../../Client.ts"
import type { Exchange } from "../../Exchange.ts"
import { Step } from "../../Exchange.ts"
import type { KeptChallenge } from "../../QueryExchange.ts"
import { QueryExchange } from "../../QueryExchange.ts"
import * as Query from "../../Query.ts"
import type { QueryError } from "../../QueryError.ts"
import type { Answered, Failed, ScanQuery, ScanResult } from "../../ScanResult.ts"
import type { ScanPatience } from "./patience.ts"

type Reply = InfoReply | GoldSourceInfoReply | PlayersReply | RulesReply

/** The queries of a scan, in order. */
export const QUERIES: Readonly<Record<ScanQuery, ReadonlyArray<Query.Query<Reply>>>> = {
  info: [Query.info],
  players: [Query.players],
  rules: [Query.rules],
  all: [Query.info, Query.players, Query.rules]
}

/** A query that has ended, of several. */
type Ended = QueryExchange<Reply>

/** See the module. */
export class Visit implements Exchange<Reply> {
  readonly target: AddressInput
  readonly address: string
  readonly port: number
  /** `routeKey` of address and port. */
  readonly key: number | string
  private readonly queries: ReadonlyArray<Query.Query<Reply>>
  private readonly patience: ScanPatience
  private current: QueryExchange<Reply> | undefined = undefined
  /** The ones before `current`; absent in a scan of one query, to save the memory. */
  private ended: Array<Ended> | undefined = undefined

  constructor(
    queries: ReadonlyArray<Query.Query<Reply>>,
    patience: ScanPatience,
    target: AddressInput,
    address: string,
    port: number,
    key: number | string
  ) {
    this.queries = queries
    this.patience = patience
    this.target = target
    this.address = address
    this.port = port
    this.key = key
  }

  get deadline(): number {
    return this.current!.deadline
  }

  get packet(): Uint8Array {
    return this.current!.packet
  }

  get result(): Result.Result<Reply, QueryError> | undefined {
    return this.current?.result
  }

  start(now: number): Step {
    return this.ask(undefined, now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    return this.goOn(this.current!.receive(datagram, now), now)
  }

  expire(now: number): Step {
    return this.goOn(this.current!.expire(now), now)
  }

  fail(error: QueryError): Step {
    this.current ??= new QueryExchange(this.queries[0]!, this.patience, this.patience.roundTrip)
    return this.current.fail(error)
  }

  /** Whether a question met silence before it was answered. Call it when done. */
  get wasResent(): boolean {
    return this.current!.repeated || this.ended?.some(({ repeated }) => repeated) === true
  }

  /** What came of it. Call it when done. */
  outcome(): ScanResult<ScanQuery> {
    const { address, current, port, target } = this
    const all = this.ended === undefined ? [current!] : [...this.ended, current!]
    const [first] = all as [Ended]
    const sent = all.reduce((sum, one) => sum + one.sent, 0)
    const received = all.reduce((sum, one) => sum + one.received, 0)
    const result = first.result!
    if (Result.isFailure(result)) {
      return { _tag: "Failed", target, address, port, error: result.failure, sent, received } satisfies Failed
    }
    const answered = { _tag: "Answered", target, address, port, rttMs: first.rttMs!, sent, received } as const
    const [query] = this.queries
    if (query!.name === "players") return { ...answered, players: result.success } as Answered<"players">
    if (query!.name === "rules") return { ...answered, rules: result.success } as Answered<"rules">
    const legacy = first.legacy === undefined ? {} : { legacy: first.legacy }
    const info = { ...answered, info: result.success, ...legacy } as Answered<"info">
    return this.queries.length === 1 ? info : { ...info, ...restOf(all) }
  }

  private ask(kept: KeptChallenge | undefined, now: number): Step {
    const query = this.queries[this.ended?.length ?? 0]!
    this.current = new QueryExchange(query, this.patience, this.patience.roundTrip, kept)
    return this.current.start(now)
  }

  private goOn(step: Step, now: number): Step {
    if (step !== Step.Done || this.queries.length === 1) return step
    const { current } = this
    const ended = this.ended ?? []
    // A server that did not answer INFO is not asked for the rest.
    if (ended.length + 1 === this.queries.length || (ended.length === 0 && Result.isFailure(current!.result!)))
      return step
    this.ended = ended
    ended.push(current!)
    return this.ask(current!.keptChallenge ?? ended[0]!.keptChallenge, now)
  }
}

const restOf = (all: ReadonlyArray<Ended>): Pick<Answered<"all">, "players" | "rules" | "errors"> => {
  const [, players, rules] = all
  const failed = {
    ...(Result.isFailure(players!.result!) ? { players: players!.result.failure } : {}),
    ...(Result.isFailure(rules!.result!) ? { rules: rules!.result.failure } : {})
  }
  return {
    ...(Result.isSuccess(players!.result!) ? { players: players!.result.success as PlayersReply } : {}),
    ...(Result.isSuccess(rules!.result!) ? { rules: rules!.result.success as RulesReply } : {}),
    ...(Object.keys(failed).length === 0 ? {} : { errors: failed })
  }
}
