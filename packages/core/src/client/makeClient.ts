/**
 * Asks game servers: what stands behind `Client`, and the Promise API for programs that don't use Effect. Of each call the address and
 * the options are read, names looked up, and a call that is under way and asks the same joined. The verbs that are not one query by name
 * are in `moreVerbs.ts`.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import { ipv4Address } from "../address/ip.ts"
import { Datagrams, type Family } from "../engine/Datagrams.ts"
import { Turn } from "../engine/Dispatcher.ts"
import { Engine, InFlight } from "../engine/Engine.ts"
import type { ExchangeSettings, Step } from "../engine/Exchange.ts"
import { HostLookup } from "../engine/lookup.ts"
import { clientClosed, type QueryError } from "../engine/QueryError.ts"
import { live, type Timing } from "../engine/Timing.ts"
import { JOINABLE_SHARE } from "../Limits.ts"
import * as failures from "../query/failures.ts"
import { withLifeSigns } from "../query/lifeSigns.ts"
import * as Query from "../query/Query.ts"
import { QueryExchange } from "../query/QueryExchange.ts"
import type {
  AddressInput,
  Answer,
  ClientError,
  ClientShape,
  ClientVerbs,
  PromiseClient,
  Replies
} from "./ClientShape.ts"
import { deepCopy } from "./deepCopy.ts"
import { handshake, ping, query, run, unknown } from "./moreVerbs.ts"
import type { ClientOptions, QueryOptions } from "./Options.ts"
import type { Ask, Asking, QueryQuestion, Question } from "./Question.ts"
import { start } from "./Running.ts"
import { type Queued, type Server, Servers } from "./servers.ts"
import { checkedClientOptions, readSettings } from "./settings.ts"
import { promised, type Promises } from "./Style.ts"

/** One query, whose answer says how it came. */
const describeQuery = <A>(query: Query.Query<A>): QueryQuestion<A> => ({
  name: query.name,
  joinsAs: `${query.name} ${query.valve}`,
  signsFor: query.asksForLife === true ? query.valve : undefined,
  make: (settings, roundTrip) => new QueryExchange(query, settings, roundTrip),
  read: (value, { legacy, received, rtt, sent }) => ({
    value,
    ...rtt!,
    ...(legacy === undefined ? {} : { legacy }),
    sent,
    received
  })
})

const QUERIES: { readonly [K in keyof Replies]: Query.Query<Replies[K]> } = Query.QUERIES
const QUESTIONS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(QUERIES).map(([kind, query]) => [kind, describeQuery<unknown>(query)])
) as { readonly [K in keyof Replies]: QueryQuestion<Replies[K]> }
const KINDS: ReadonlyArray<unknown> = /* @__PURE__ */ Object.keys(QUERIES)
const describePing = (query: Query.Query<Query.Pong>): QueryQuestion<Query.Pong> => ({
  ...describeQuery(query),
  takes: ["via"]
})
const PINGS = {
  auto: /* @__PURE__ */ describePing(QUERIES.ping),
  ping: /* @__PURE__ */ describePing(Query.ping),
  info: /* @__PURE__ */ describePing(Query.infoPing)
}

type Tell<B, E> = (end: Exit.Exit<B, E | QueryError>) => void

/** Any call, whatever it is answered with. */
interface AnyCall extends Queued {
  readonly isJoinable: boolean
}

/** What the calls of a client share. */
interface CallParts {
  readonly engine: Engine
  readonly timing: Timing
  readonly servers: Servers
  /** Calls that can be joined, by their names. */
  readonly joinable: Map<string, AnyCall>
}

/**
 * A call of a client: one query to one server, for all who make it at the same time. It is a request in flight that first waits for its
 * turn and its socket; no Effect runs in it.
 *
 * | state | what gets it further |
 * |---|---|
 * | waiting | its turn comes (`onTurn`) |
 * | opening | its socket is open, or another one instead |
 * | in flight | the exchange has ended (`onDone`) |
 * | done | |
 *
 * Each of those who wait for it can leave in any state. With the last one, everything that it holds is released at once.
 */
class Call<A, E, X extends Asking<A, E>, B> extends InFlight<Asking<A, E>> implements Queued {
  private readonly server: Server
  private readonly parts: CallParts
  private readonly question: Question<A, E, X, B>
  private readonly settings: ExchangeSettings
  /** The server, for people. */
  private readonly whom: string
  /** Calls of the same name can join it. */
  private readonly name: string | undefined
  /** The question's exchange. Another one takes its place if it meets silence. */
  private readonly asks: X
  readonly turn: Turn<Queued> = new Turn<Queued>(this)
  /** Who waits for the end. */
  private readonly waiting = new Set<Tell<B, E>>()

  constructor(
    parts: CallParts,
    server: Server,
    question: Question<A, E, X, B>,
    settings: ExchangeSettings,
    whom: string,
    name: string | undefined
  ) {
    const asks = question.make(settings, server.roundTrip, parts.servers)
    super(asks, server.remote.port, server.key, settings.timeoutMs)
    this.parts = parts
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

  get family(): Family {
    return this.server.family
  }

  /** Whether others can still join it: they are to have their time too. */
  get isJoinable(): boolean {
    const mostMs = JOINABLE_SHARE * this.settings.timeoutMs
    return this.socket === undefined || this.parts.timing.now() - this.startedAt <= mostMs
  }

  /** Calls `tell` at the end: all but the first with a copy of the outcome, so that each can do with it what he likes. */
  join(tell: Tell<B, E>): void {
    this.waiting.add(tell)
    if (this.waiting.size > 1) return
    if (this.name !== undefined) this.parts.joinable.set(this.name, this)
    this.parts.servers.dispatcher.enter(this)
  }

  /** No longer waits for the end. */
  leave(tell: Tell<B, E>): void {
    if (!this.waiting.delete(tell) || this.waiting.size > 0 || this.isDone) return
    this.parts.engine.cancel(this)
    this.release()
  }

  onTurn(): void {
    this.parts.servers.sockets.acquire(this)
  }

  onClosed(): void {
    this.parts.engine.fail(this, clientClosed())
  }

  override expire(now: number): Step {
    const { signsFor } = this.question
    if (signsFor !== undefined && this.exchange === this.asks) {
      this.exchange = withLifeSigns(this.asks, signsFor, this.settings, this.startedAt)
    }
    return super.expire(now)
  }

  onDone(): void {
    const { asks, question } = this
    const isAnswered = this.defect === undefined && Result.isSuccess(asks.result!)
    if (isAnswered && question.tellsAnswers !== true) {
      this.parts.servers.onAnswer(this.startedAt, asks.repeated === true)
    }
    this.release()
    const end = this.end()
    const [first, ...others] = this.waiting
    first?.(end)
    for (const tell of others) tell(Exit.map(end, deepCopy))
  }

  private release(): void {
    const { joinable, servers } = this.parts
    if (this.name !== undefined && joinable.get(this.name) === this) joinable.delete(this.name)
    // Signs of life are requested only if a request of `asks` has no reply, so it tells enough.
    servers.sockets.release(this, (this.asks.outstanding ?? 0) > 0)
    servers.dispatcher.leave(this)
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

const takeValue = <A>({ value }: Answer<A>): A => value

/** What tells two queries apart. TypeScript demands a new setting here. */
const CHOSEN = /* @__PURE__ */ Object.keys({ timeoutMs: true, retries: true, encoding: true } satisfies Readonly<
  Record<Exclude<keyof ExchangeSettings, "random">, true>
>) as ReadonlyArray<Exclude<keyof ExchangeSettings, "random">>

/** All that a call has chosen, as text: calls that differ in any option must not share an answer. `JSON.stringify` takes twice as long. */
const chosen = (
  settings: ExchangeSettings,
  options: QueryOptions | undefined,
  takes: ReadonlyArray<string> = []
): string => {
  let text = ""
  for (const name of CHOSEN) text += ` ${settings[name]}`
  for (const name of takes) text += ` ${String(options?.[name as keyof QueryOptions])}`
  return text
}

/** What may look on as a call is made: `query` is its name. */
export type Observe = <A, E>(query: string, address: AddressInput, call: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The client over the `Datagrams` of the context, for the life of the scope. */
export const makeClient = /* @__PURE__ */ Effect.fnUntraced(function* (
  clientOptions?: ClientOptions,
  clock = live,
  observe: Observe = (_query, _address, call) => call
) {
  yield* Effect.fromResult(checkedClientOptions(clientOptions))
  // What a call without options chooses, which is the usual one. To find it out again for each would be a twentieth of a query.
  const usual = readSettings(undefined, clientOptions)
  const chosenByDefault = chosen(yield* Effect.fromResult(usual), undefined)
  const { open, resolve } = yield* Datagrams
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const engine = new Engine({ timing: clock, onDatagram: clientOptions?.onDatagram })
  const servers = new Servers({ open, engine, timing: clock, fork })
  const parts: CallParts = { engine, timing: clock, servers, joinable: new Map() }
  let names: HostLookup | undefined
  yield* Effect.addFinalizer(() => servers.close)

  const ask: Ask = <A, E, X extends Asking<A, E>, B>(
    question: Question<A, E, X, B>,
    input: AddressInput,
    options: QueryOptions | undefined
  ) => {
    const call = Effect.suspend((): Effect.Effect<B, E | ClientError> => {
      const read = options === undefined ? usual : readSettings(options, clientOptions, question.takes ?? [])
      if (Result.isFailure(read)) return Effect.fail(read.failure)
      const settings = read.success
      const { timeoutMs } = settings
      const plain = ipv4Address(input, Address.DEFAULT_PORT)
      const parsed = plain === undefined ? Address.from(input) : Result.succeed(plain)
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const { family: numeric, host, port } = parsed.success
      const whom = numeric === 4 ? `${host}:${port}` : Address.format(parsed.success)
      const askAt = (address: string, family: Family) =>
        Effect.callback<B, E | QueryError>((resume) => {
          const server = servers.at({ address, port }, family)
          const name =
            question.joinsAs &&
            question.joinsAs +
              ` ${whom} ${server.key}` +
              (options === undefined ? chosenByDefault : chosen(settings, options, question.takes))
          const found = name === undefined ? undefined : parts.joinable.get(name)
          const call =
            found?.isJoinable === true
              ? (found as Call<A, E, X, B>)
              : new Call(parts, server, question, settings, whom, name)
          call.join(resume)
          return Effect.sync(() => call.leave(resume))
        })
      if (numeric !== undefined) return askAt(host, numeric)
      names ??= new HostLookup(resolve, clock, fork)
      return Effect.matchEffect(names.of(host, timeoutMs, options?.family ?? clientOptions?.family), {
        onSuccess: ({ address, family }) => askAt(address, family),
        onFailure: (error) => Effect.fail(failures.about(error, whom))
      })
    })
    return observe(question.name, input, call)
  }

  /** The verb that asks one query and gives its reply alone. */
  const verb =
    <K extends keyof Replies>(kind: K) =>
    (address: AddressInput, options?: QueryOptions): Effect.Effect<Replies[K], ClientError> =>
      Effect.map(ask(QUESTIONS[kind], address, options), takeValue)

  return {
    info: verb("info"),
    players: verb("players"),
    rules: verb("rules"),
    challenge: verb("challenge"),
    ask: (kind, address, options) =>
      KINDS.includes(kind) ? ask(QUESTIONS[kind], address, options) : unknown(kind, KINDS),
    ping: (address, options) => ping(ask, PINGS, address, options),
    query: (address, options) => query(ask, address, options),
    handshake: (address, options) => handshake(ask, address, options),
    run: (address, make, options) => run(ask, address, make, options),
    counters: engine.counters
  } satisfies ClientShape
})

/** Where the options of each verb are among its parameters. */
const OPTIONS_AT = {
  info: 1,
  players: 1,
  rules: 1,
  challenge: 1,
  ping: 1,
  query: 1,
  ask: 2,
  handshake: 1
} as const satisfies Readonly<Record<Exclude<keyof PromiseVerbs, "counters">, number>>

type PromiseVerbs = ClientVerbs<Promises>

/** A `connect` over one runtime's UDP. It rejects with `InvalidOption` when an option makes no sense. */
export const connectWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  async (options?: ClientOptions): Promise<PromiseClient> => {
    const { closable, run, value: client } = await start("The client", datagrams, makeClient(options))
    const verbs = promised(client, OPTIONS_AT, run) as Omit<PromiseVerbs, "counters">
    return { ...verbs, counters: client.counters, ...closable }
  }
