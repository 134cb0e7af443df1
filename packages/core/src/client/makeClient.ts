/**
 * Queries game servers: the implementation of `Client`, and the Promise API for programs that do not use Effect. For each call, a client
 * checks the address and the options, and resolves the host name. If an equal call is in flight, the new call joins it. This module
 * contains the methods that send a single A2S query. `moreMethods.ts` contains all other methods.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import { ipv4Address } from "../address/ip.ts"
import { Datagrams, type Family } from "../engine/Datagrams.ts"
import { QueueEntry } from "../engine/Dispatcher.ts"
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
import type { ClientExchange, ClientQuery, RunQuery, SingleQuery } from "./ClientQuery.ts"
import type {
  AddressInput,
  Answer,
  ClientError,
  ClientShape,
  ClientMethods,
  PromiseClient,
  Replies
} from "./ClientShape.ts"
import { deepCopy } from "./deepCopy.ts"
import { handshake, ping, query, run, unknown } from "./moreMethods.ts"
import type { ClientOptions, QueryOptions } from "./Options.ts"
import { start } from "./Running.ts"
import { type Queued, type Server, Servers } from "./servers.ts"
import { checkedClientOptions, readSettings } from "./settings.ts"
import { promised, type Promises } from "./Style.ts"

/** Describes a query for the client. The result of the call includes the round-trip time and the number of datagrams sent. */
const describeQuery = <A>(query: Query.Query<A>): SingleQuery<A> => ({
  name: query.name,
  joinKey: `${query.name} ${query.valve}`,
  lifeSignsFor: query.checksLiveness === true ? query.valve : undefined,
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
const CLIENT_QUERIES = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(QUERIES).map(([kind, query]) => [kind, describeQuery<unknown>(query)])
) as { readonly [K in keyof Replies]: SingleQuery<Replies[K]> }
const KINDS: ReadonlyArray<unknown> = /* @__PURE__ */ Object.keys(QUERIES)
const describePing = (query: Query.Query<Query.Pong>): SingleQuery<Query.Pong> => ({
  ...describeQuery(query),
  ownOptions: ["via"]
})
const PINGS = {
  auto: /* @__PURE__ */ describePing(QUERIES.ping),
  ping: /* @__PURE__ */ describePing(Query.ping),
  info: /* @__PURE__ */ describePing(Query.infoPing)
}

type Resume<B, E> = (end: Exit.Exit<B, E | QueryError>) => void

interface AnyCall extends Queued {
  readonly isJoinable: boolean
}

/** The objects that all calls of a client share. */
interface CallParts {
  readonly engine: Engine
  readonly timing: Timing
  readonly servers: Servers
  /** Calls that further callers can join. Equal calls have the same key in this map. */
  readonly joinable: Map<string, AnyCall>
}

/**
 * A call of a client: one query to one server. Callers that make equal calls at the same time share one `Call`. Before a call sends a
 * request, the call waits for its turn and for its socket. The class is plain code without Effects.
 *
 * | state | ends when |
 * |---|---|
 * | waiting | the dispatcher admits the call (`onAdmitted`) |
 * | opening | the socket of the call, or a replacement for it, is open |
 * | in flight | the exchange has ended (`onDone`) |
 * | done | |
 *
 * Before a call is done, its callers can stop waiting. When no caller waits any more, the call is cancelled, and its resources are
 * released.
 */
class Call<A, E, X extends ClientExchange<A, E>, B> extends InFlight<ClientExchange<A, E>> implements Queued {
  private readonly server: Server
  private readonly parts: CallParts
  private readonly clientQuery: ClientQuery<A, E, X, B>
  private readonly settings: ExchangeSettings
  /** The address of the server, for errors. */
  private readonly label: string
  /** The key of this call in `joinable`; `undefined` if no other caller can join this call. */
  private readonly name: string | undefined
  /**
   * The exchange of the query. If the server does not reply, a check for signs of life replaces the value of `exchange`, but not the value
   * of this field.
   */
  private readonly queryExchange: X
  readonly entry: QueueEntry<Queued> = new QueueEntry<Queued>(this)
  /** The callers that wait for the result. */
  private readonly waiting = new Set<Resume<B, E>>()

  constructor(
    parts: CallParts,
    server: Server,
    clientQuery: ClientQuery<A, E, X, B>,
    settings: ExchangeSettings,
    label: string,
    name: string | undefined
  ) {
    const queryExchange = clientQuery.make(settings, server.roundTrip, parts.servers)
    super(queryExchange, server.remote.port, server.key, settings.timeoutMs)
    this.parts = parts
    this.server = server
    this.clientQuery = clientQuery
    this.settings = settings
    this.label = label
    this.name = name
    this.queryExchange = queryExchange
  }

  get address(): string {
    return this.server.remote.address
  }

  get family(): Family {
    return this.server.family
  }

  /** Whether another caller can still join. After the share {@link JOINABLE_SHARE} of the time limit, a new caller needs its own call. */
  get isJoinable(): boolean {
    const mostMs = JOINABLE_SHARE * this.settings.timeoutMs
    return this.socket === undefined || this.parts.timing.now() - this.startedAt <= mostMs
  }

  /**
   * Adds a caller. When the call ends, each caller except the first gets a copy of the result, because a caller can change the object that
   * it gets.
   */
  join(resume: Resume<B, E>): void {
    this.waiting.add(resume)
    if (this.waiting.size > 1) return
    if (this.name !== undefined) this.parts.joinable.set(this.name, this)
    this.parts.servers.dispatcher.enter(this)
  }

  /** Removes a caller. If no other caller waits for the result, the call is cancelled. */
  leave(resume: Resume<B, E>): void {
    if (!this.waiting.delete(resume) || this.waiting.size > 0 || this.isDone) return
    this.parts.engine.cancel(this)
    this.release()
  }

  onAdmitted(): void {
    this.parts.servers.sockets.acquire(this)
  }

  onClosed(): void {
    this.parts.engine.fail(this, clientClosed())
  }

  override expire(now: number): Step {
    const { lifeSignsFor } = this.clientQuery
    if (lifeSignsFor !== undefined && this.exchange === this.queryExchange) {
      this.exchange = withLifeSigns(this.queryExchange, lifeSignsFor, this.settings, this.startedAt)
    }
    return super.expire(now)
  }

  onDone(): void {
    const { clientQuery, queryExchange } = this
    const hasReply = this.defect === undefined && Result.isSuccess(queryExchange.result!)
    if (hasReply && clientQuery.reportsReplies !== true) {
      this.parts.servers.onReply(this.startedAt, queryExchange.repeated === true)
    }
    this.release()
    const end = this.end()
    const [first, ...others] = this.waiting
    first?.(end)
    for (const resume of others) resume(Exit.map(end, deepCopy))
  }

  private release(): void {
    const { joinable, servers } = this.parts
    if (this.name !== undefined && joinable.get(this.name) === this) joinable.delete(this.name)
    // Only outstanding replies to the query are considered, and not those to a check for signs of life. This suffices, because a reply to
    // the query is always outstanding when the client runs this check.
    servers.sockets.release(this, (this.queryExchange.outstanding ?? 0) > 0)
    servers.dispatcher.leave(this)
  }

  private end(): Exit.Exit<B, E | QueryError> {
    const { defect, label, queryExchange } = this
    if (defect !== undefined) return Exit.die(defect.error)
    const result = queryExchange.result!
    return Result.isSuccess(result)
      ? Exit.succeed(this.clientQuery.read(result.success, queryExchange, label))
      : Exit.fail(failures.about(result.failure, label))
  }
}

const takeValue = <A>({ value }: Answer<A>): A => value

/** The names of the settings that distinguish two queries. If a new setting is missing here, TypeScript reports an error. */
const SETTING_NAMES = /* @__PURE__ */ Object.keys({ timeoutMs: true, retries: true, encoding: true } satisfies Readonly<
  Record<Exclude<keyof ExchangeSettings, "random">, true>
>) as ReadonlyArray<Exclude<keyof ExchangeSettings, "random">>

/**
 * Returns the settings of a call, and the options that only its query has, as text. Two calls share a query only if these texts are equal.
 * `JSON.stringify` would take twice as long as this function.
 */
const settingsKey = (
  settings: ExchangeSettings,
  options: QueryOptions | undefined,
  ownOptions: ReadonlyArray<string> = []
): string => {
  let text = ""
  for (const name of SETTING_NAMES) text += ` ${settings[name]}`
  for (const name of ownOptions) text += ` ${String(options?.[name as keyof QueryOptions])}`
  return text
}

/** Wraps each call of a client, for example in a span. `query` is the name of the call. */
export type Observe = <A, E>(query: string, address: AddressInput, call: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Makes a client that uses the `Datagrams` service of the context. When the scope closes, the client closes. */
export const makeClient = /* @__PURE__ */ Effect.fnUntraced(function* (
  clientOptions?: ClientOptions,
  clock = live,
  observe: Observe = (_query, _address, call) => call
) {
  yield* Effect.fromResult(checkedClientOptions(clientOptions))
  // The settings of calls without options. Most calls have no options, and computing these settings again for each call would take a
  // twentieth of the call's time.
  const defaultSettings = readSettings(undefined, clientOptions)
  const defaultKey = settingsKey(yield* Effect.fromResult(defaultSettings), undefined)
  const { open, resolve } = yield* Datagrams
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const engine = new Engine({ timing: clock, onDatagram: clientOptions?.onDatagram })
  const servers = new Servers({ open, engine, timing: clock, fork })
  const parts: CallParts = { engine, timing: clock, servers, joinable: new Map() }
  let names: HostLookup | undefined
  yield* Effect.addFinalizer(() => servers.close)

  const runQuery: RunQuery = <A, E, X extends ClientExchange<A, E>, B>(
    clientQuery: ClientQuery<A, E, X, B>,
    input: AddressInput,
    options: QueryOptions | undefined
  ) => {
    const call = Effect.suspend((): Effect.Effect<B, E | ClientError> => {
      const read =
        options === undefined ? defaultSettings : readSettings(options, clientOptions, clientQuery.ownOptions ?? [])
      if (Result.isFailure(read)) return Effect.fail(read.failure)
      const settings = read.success
      const { timeoutMs } = settings
      const plain = ipv4Address(input, Address.DEFAULT_PORT)
      const parsed = plain === undefined ? Address.from(input) : Result.succeed(plain)
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const { family: numeric, host, port } = parsed.success
      const label = numeric === 4 ? `${host}:${port}` : Address.format(parsed.success)
      const queryAt = (address: string, family: Family) =>
        Effect.callback<B, E | QueryError>((resume) => {
          const server = servers.at({ address, port }, family)
          const name =
            clientQuery.joinKey &&
            clientQuery.joinKey +
              ` ${label} ${server.key}` +
              (options === undefined ? defaultKey : settingsKey(settings, options, clientQuery.ownOptions))
          const found = name === undefined ? undefined : parts.joinable.get(name)
          const call =
            found?.isJoinable === true
              ? (found as Call<A, E, X, B>)
              : new Call(parts, server, clientQuery, settings, label, name)
          call.join(resume)
          return Effect.sync(() => call.leave(resume))
        })
      if (numeric !== undefined) return queryAt(host, numeric)
      names ??= new HostLookup(resolve, clock, fork)
      return Effect.matchEffect(names.lookUp(host, timeoutMs, options?.family ?? clientOptions?.family), {
        onSuccess: ({ address, family }) => queryAt(address, family),
        onFailure: (error) => Effect.fail(failures.about(error, label))
      })
    })
    return observe(clientQuery.name, input, call)
  }

  /**
   * Makes the client's method for one query. The method returns only the reply, without the round-trip time and the number of datagrams.
   */
  const method =
    <K extends keyof Replies>(kind: K) =>
    (address: AddressInput, options?: QueryOptions): Effect.Effect<Replies[K], ClientError> =>
      Effect.map(runQuery(CLIENT_QUERIES[kind], address, options), takeValue)

  return {
    info: method("info"),
    players: method("players"),
    rules: method("rules"),
    challenge: method("challenge"),
    queryKind: (kind, address, options) =>
      KINDS.includes(kind) ? runQuery(CLIENT_QUERIES[kind], address, options) : unknown(kind, KINDS),
    ping: (address, options) => ping(runQuery, PINGS, address, options),
    query: (address, options) => query(runQuery, address, options),
    handshake: (address, options) => handshake(runQuery, address, options),
    run: (address, make, options) => run(runQuery, address, make, options),
    counters: engine.counters
  } satisfies ClientShape
})

/** The position of the options among the parameters of each method. */
const OPTIONS_AT = {
  info: 1,
  players: 1,
  rules: 1,
  challenge: 1,
  ping: 1,
  query: 1,
  queryKind: 2,
  handshake: 1
} as const satisfies Readonly<Record<Exclude<keyof PromiseMethods, "counters">, number>>

type PromiseMethods = ClientMethods<Promises>

/**
 * Makes the function `connect` of a runtime. `datagrams` provides the runtime's UDP sockets. `connect` rejects with `InvalidOption` if an
 * option is invalid.
 */
export const connectWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  async (options?: ClientOptions): Promise<PromiseClient> => {
    const { closable, run, value: client } = await start("The client", datagrams, makeClient(options))
    const methods = promised(client, OPTIONS_AT, run) as Omit<PromiseMethods, "counters">
    return { ...methods, counters: client.counters, ...closable }
  }
