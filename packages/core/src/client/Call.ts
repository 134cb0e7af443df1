/**
 * A call of a client: one question to one server, for all who ask it at the same time. It is a request in flight that first waits for
 * its turn and its socket; no Effect runs in it.
 *
 * | state | what gets it further |
 * |---|---|
 * | waiting | its turn comes (`onTurn`) |
 * | opening | its socket is open, or another in its stead |
 * | asking | the engine tells that the exchange has ended (`onDone`) |
 * | done | |
 *
 * Whoever waits for it may give up in any state; with the last, everything that it holds is free at once.
 */
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { ExchangeSettings, Step } from "../engine/Exchange.ts"
import { InFlight } from "../engine/InFlight.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { clientClosed } from "../engine/QueryError.ts"
import { JOINABLE_SHARE } from "../Limits.ts"
import * as failures from "../query/failures.ts"
import { withLifeSigns } from "../query/lifeSigns.ts"
import type { Query } from "../query/Query.ts"
import { QueryExchange } from "../query/QueryExchange.ts"
import { copyOf } from "./copyOf.ts"
import type { Asking, QueryQuestion, Question } from "./Question.ts"
import type { Asker, Server, Socket } from "./Server.ts"
import type { Servers } from "./servers.ts"

type Tell<B, E> = (end: Exit.Exit<B, E | QueryError>) => void

/** One query, whose answer says how it came. */
export const questionOf = <A>(query: Query<A>): QueryQuestion<A> => ({
  name: query.name,
  joinsAs: `${query.name} ${query.valve}`,
  asked: query.asksForLife === true ? query.valve : undefined,
  make: (settings, roundTrip) => new QueryExchange(query, settings, roundTrip),
  read: (value, { legacy, received, rtt, sent }) => ({
    value,
    ...rtt!,
    ...(legacy === undefined ? {} : { legacy }),
    sent,
    received
  })
})

/** A question under way. */
export class Call<A, E, X extends Asking<A, E>, B> extends InFlight<Asking<A, E>> implements Asker {
  readonly server: Server
  /** Whoever asks what is called the same may join it. */
  readonly name: string | undefined
  turnAt = 0
  through: Socket | undefined = undefined
  private readonly servers: Servers
  private readonly question: Question<A, E, X, B>
  private readonly settings: ExchangeSettings
  private readonly whom: string
  /** The question's exchange, whose place another takes where it meets silence. */
  private readonly asks: X
  /** Who waits for the end. */
  private readonly waiting = new Set<Tell<B, E>>()

  /** `whom` is the server, for people. */
  constructor(
    servers: Servers,
    server: Server,
    question: Question<A, E, X, B>,
    settings: ExchangeSettings,
    whom: string,
    name: string | undefined
  ) {
    const asks = question.make(settings, server.roundTrip, servers)
    super(asks, server.remote.port, server.key, settings.timeoutMs)
    this.servers = servers
    this.server = server
    this.question = question
    this.settings = settings
    this.whom = whom
    this.name = name
    this.asks = asks
  }

  get address(): string {
    return this.server.remote.address
  }

  /** Whether others may still join it: they are to have their time too. */
  get isJoinable(): boolean {
    const mostMs = JOINABLE_SHARE * this.settings.timeoutMs
    return this.socket === undefined || this.servers.parts.timing.now() - this.startedAt <= mostMs
  }

  /** Calls `tell` at the end: all but the first with a copy of the outcome, so that each can do with it what he likes. */
  join(tell: Tell<B, E>): void {
    this.waiting.add(tell)
    if (this.waiting.size === 1) this.servers.enter(this)
  }

  /** No longer waits for the end. */
  leave(tell: Tell<B, E>): void {
    if (!this.waiting.delete(tell) || this.waiting.size > 0 || this.isDone) return
    this.servers.parts.engine.cancel(this)
    this.servers.leave(this)
  }

  onTurn(isOpen: boolean): void {
    if (isOpen) this.servers.connect(this)
    else this.servers.parts.engine.fail(this, clientClosed())
  }

  get outstanding(): number {
    return this.asks.outstanding ?? 0
  }

  override expire(now: number): Step {
    const { asked } = this.question
    if (asked !== undefined && this.exchange === this.asks) {
      this.exchange = withLifeSigns(this.asks, asked, this.settings, this.startedAt)
    }
    return super.expire(now)
  }

  onDone(): void {
    const { asks, question, servers } = this
    const isAnswered = this.defect === undefined && Result.isSuccess(asks.result!)
    if (isAnswered && question.tellsAnswers !== true) servers.onAnswer(this.startedAt, asks.repeated === true)
    servers.leave(this)
    const end = this.end()
    const [first, ...others] = this.waiting
    first?.(end)
    for (const tell of others) tell(Exit.map(end, copyOf))
  }

  private end(): Exit.Exit<B, E | QueryError> {
    const { asks, defect, whom } = this
    if (defect !== undefined) return Exit.die(defect.error)
    const result = asks.result!
    return Result.isSuccess(result)
      ? Exit.succeed(this.question.read(result.success, asks, whom))
      : Exit.fail(failures.about(result.failure, whom))
  }
}
