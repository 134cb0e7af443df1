/**
 * What stands behind `Client`: equal calls made one, names looked up, turns waited for, sockets and exchanges brought together.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import type { AddressInput, Answer, ClientError, ClientShape, Replies } from "./Client.ts"
import type { Endpoint, Family } from "../engine/Datagrams.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { Engine } from "../engine/Engine.ts"
import type { Exchange, ExchangeSettings } from "../engine/Exchange.ts"
import { HandshakeExchange } from "../handshake/HandshakeExchange.ts"
import { CallbackRequest } from "../engine/InFlight.ts"
import type { EngineSocket, InFlight } from "../engine/InFlight.ts"
import { demand, isFunction, isObject, isWhole, oneOf, optional, readable } from "../edge.ts"
import { JOINABLE_SHARE } from "../Limits.ts"
import type { ClientOptions, InvalidOption, QueryOptions } from "./Options.ts"
import { settingsOf } from "./Options.ts"
import * as Query from "../query/Query.ts"
import { QueryExchange } from "../query/QueryExchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { ServerExchange } from "../query/ServerExchange.ts"
import type { RoundTrip } from "../engine/RoundTrip.ts"
import { RoundTrips } from "../engine/RoundTrip.ts"
import { live } from "../engine/Timing.ts"
import { Admission } from "./admission.ts"
import * as failures from "../query/failures.ts"
import { HostLookup } from "../engine/lookup.ts"
import { routeKey } from "../address/ip.ts"
import { Joint } from "../engine/joint.ts"
import { withLifeSigns } from "../query/lifeSigns.ts"
import { SocketPool } from "../engine/socketPool.ts"

const QUERIES: { readonly [K in keyof Replies]: Query.Query<Replies[K]> } = Query.QUERIES
const PINGS = { auto: Query.anyPing, ping: Query.ping, info: Query.infoPing }
const KINDS: ReadonlyArray<unknown> = Object.keys(QUERIES)
const WAYS: ReadonlyArray<unknown> = Object.keys(PINGS)

const isExchange = (value: unknown): boolean =>
  isObject(value) && isFunction((value as { readonly start?: unknown }).start)

/**
 * A call that looks first at what JavaScript may hand to it. Addresses, and the options of every query, are looked at where they are
 * read.
 */
const checked = <A, E>(look: () => unknown, call: () => Effect.Effect<A, E>): Effect.Effect<A, E | InvalidOption> =>
  Effect.suspend(() => Effect.flatMap(Effect.fromResult(readable(look)), call))

const unguessable = (): number => crypto.getRandomValues(new Int32Array(1))[0]!

/** A call whose turn it is. */
interface Call {
  /** Whom it asks, for people. */
  readonly address: string
  readonly settings: ExchangeSettings
  readonly remote: Endpoint
  readonly family: Family
  readonly roundTrip: RoundTrip
  readonly onBegin: (request: InFlight) => void
}

/** What may look on as a call is made: `query` is its name. */
export type Observe = <A, E>(query: string, address: AddressInput, call: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The client over the `Datagrams` of the context, for the life of the scope. */
export const makeClient = /* @__PURE__ */ Effect.fnUntraced(function* (
  clientOptions?: ClientOptions,
  clock = live,
  observe: Observe = (_query, _address, call) => call
) {
  yield* Effect.fromResult(settingsOf(undefined, clientOptions))
  const datagrams = yield* Datagrams
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const engine = new Engine({ timing: clock, onDatagram: clientOptions?.onDatagram })
  const pool = new SocketPool({ open: datagrams.open, engine, timing: clock, fork })
  const admission = new Admission(clock, () => pool.room)
  let names: HostLookup | undefined
  const calls = new Joint(fork)
  const roundTrips = new RoundTrips()
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.sync(() => admission.close()),
      pool.close
    )
  )

  /**
   * Makes a call of `ask`: looks the name up, waits for its turn. Calls that join under the same name, to the same address with the same
   * options, are made once.
   */
  const call = <A, E>(
    verb: string,
    input: AddressInput,
    options: QueryOptions | undefined,
    joinsAs: string | undefined,
    ask: (call: Call) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ClientError> => {
    const whole = Effect.suspend((): Effect.Effect<A, E | ClientError> => {
      const checked = Result.all([settingsOf(options, clientOptions), Address.from(input)])
      if (Result.isFailure(checked)) return Effect.fail(checked.failure)
      const [settings, parsed] = checked.success
      const { family: numeric, host, port } = parsed
      const address = Address.format(parsed)
      const { encoding, retries, timeoutMs } = settings
      const family = options?.family ?? clientOptions?.family
      const lookedUp =
        numeric === undefined
          ? (names ??= new HostLookup(datagrams.resolve, clock, fork)).of(host, timeoutMs, family)
          : Effect.succeed({ address: host, family: numeric })
      let begun: InFlight | undefined
      const onBegin = (request: InFlight): void => {
        begun = request
      }
      const work = Effect.flatMap(lookedUp, (found) => {
        const remote = { address: found.address, port }
        const made: Call = {
          address,
          settings,
          remote,
          family: found.family,
          roundTrip: roundTrips.of(remote),
          onBegin
        }
        return admission.inTurn(
          routeKey(remote.address, port),
          Effect.suspend(() => ask(made))
        )
      }).pipe(Effect.mapError((error) => failures.about(error, address)))
      if (joinsAs === undefined) return work
      const isOpen = (): boolean => clock.now() - (begun?.startedAt ?? clock.now()) <= JOINABLE_SHARE * timeoutMs
      return calls.join([joinsAs, host, port, family, encoding, retries, timeoutMs].join(" "), work, isOpen)
    })
    return observe(verb, input, whole)
  }

  /**
   * Brings an exchange to its end. Where it asks for something that has a name, and meets silence, signs of life are asked for too.
   * `isOne`: its answer is one answer, that tells how long a question takes.
   */
  const run = <A, E>(
    { family, onBegin, remote, settings }: Call,
    exchange: Exchange<A, E | QueryError> & { readonly received?: number; readonly repeated?: boolean },
    asked?: string,
    isOne = true
  ): Effect.Effect<A, E | QueryError> => {
    const { address, port } = remote
    const { timeoutMs } = settings
    const whenSilent =
      asked === undefined ? undefined : (startedAt: number) => withLifeSigns(exchange, asked, settings, startedAt)
    let startedAt = 0
    const end = (socket: EngineSocket) =>
      Effect.callback<A, E | QueryError>((resume) => {
        const onDone = (): void => {
          startedAt = request.startedAt
          resume(request.defect === undefined ? Effect.fromResult(exchange.result!) : Effect.die(request.defect.error))
        }
        const request = new CallbackRequest(exchange, address, port, onDone, timeoutMs, whenSilent)
        onBegin(request)
        engine.submit(socket, request)
        return Effect.sync(() => engine.cancel(request))
      })
    const outstanding = (): number => exchange.outstanding ?? 0
    return Effect.map(pool.withSocket(remote, family, end, outstanding, timeoutMs), (value) => {
      if (isOne) admission.onAnswer(startedAt, exchange.repeated === true)
      return value
    })
  }

  const askFor = <A>(query: Query.Query<A>, address: AddressInput, options?: QueryOptions) =>
    call(query.name, address, options, `${query.name} ${query.valve}`, (made) => {
      const exchange = new QueryExchange(query, made.settings, made.roundTrip)
      return Effect.map(
        run(made, exchange, query.asksForLife === true ? query.valve : undefined),
        (value): Answer<A> => ({
          value,
          ...exchange.rtt!,
          ...(exchange.legacy === undefined ? {} : { legacy: exchange.legacy }),
          sent: exchange.sent,
          received: exchange.received
        })
      )
    })

  const valueOf =
    <A>(query: Query.Query<A>) =>
    (address: AddressInput, options?: QueryOptions) =>
      Effect.map(askFor(query, address, options), ({ value }) => value)

  const queryAll = (made: Call) => {
    const { address, roundTrip, settings } = made
    const exchange = new ServerExchange(settings, roundTrip, ({ repeated, startedAt }) =>
      admission.onAnswer(startedAt, repeated)
    )
    return Effect.map(run(made, exchange, Query.info.valve, false), () => {
      const { received, replies, rtt, sent } = exchange
      for (const error of Object.values(replies.errors ?? {})) failures.about(error, address)
      return { ...replies, ...rtt!, sent, received }
    })
  }

  return {
    info: valueOf(Query.info),
    players: valueOf(Query.players),
    rules: valueOf(Query.rules),
    challenge: valueOf(Query.challenge),
    ping: (address, options) =>
      checked(
        () => oneOf("via", WAYS, options?.via),
        () =>
          Effect.map(askFor(PINGS[options?.via ?? "auto"], address, options), ({ value, ...traffic }) => ({
            ...value,
            ...traffic
          }))
      ),
    query: (address, options) => call("query", address, options, "query", queryAll),
    handshake: (address, options) =>
      checked(
        () => optional("challenge", "a whole number of 32 bits", isWhole(-(2 ** 31), 2 ** 32 - 1), options?.challenge),
        () =>
          call("handshake", address, options, undefined, (made) => {
            const exchange = new HandshakeExchange(options?.challenge ?? unguessable(), made.settings, made.roundTrip)
            return run(made, exchange, HandshakeExchange.asked)
          })
      ),
    ask: (kind, address, options) =>
      checked(
        () => oneOf("kind", KINDS, kind ?? null),
        () => askFor(QUERIES[kind], address, options)
      ),
    run: (address, makeExchange, options) =>
      checked(
        () => optional("make", "a function that gives an exchange", isFunction, makeExchange ?? null),
        () =>
          call("run", address, options, undefined, (made) => {
            const exchange = makeExchange(made.roundTrip)
            return run(made, demand("make", "a function that gives an exchange", isExchange, exchange))
          })
      ),
    counters: engine.counters
  } satisfies ClientShape
})
