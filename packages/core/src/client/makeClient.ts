/**
 * What stands behind `Client`: equal calls made one, names looked up, turns waited for, sockets and exchanges brought together.
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import type { AddressInput, Answer, ClientError, ClientShape, Replies, ServerAnswer } from "./Client.ts"
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
import { live } from "../engine/Timing.ts"
import type { Server } from "./servers.ts"
import { Servers } from "./servers.ts"
import * as failures from "../query/failures.ts"
import { HostLookup } from "../engine/lookup.ts"
import { Joint } from "../engine/joint.ts"
import { withLifeSigns } from "../query/lifeSigns.ts"

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

/** `repeated`: whether it had to ask again in silence. */
type Asking<A, E> = Exchange<A, E | QueryError> & { readonly repeated?: boolean }

/** What a call runs when it is its turn, and what it makes of the end. */
interface Question<A, E, X, B> {
  /** The call, as observers know it. */
  readonly name: string
  /** Calls that join under the same name, to the same address with the same options, are made once. */
  readonly joinsAs?: string
  /** What it asks for, where its silence is worth asking for signs of life. */
  readonly asked?: string | undefined
  readonly make: (settings: ExchangeSettings, roundTrip: RoundTrip) => X & Asking<A, E>
  /** The exchange itself tells how long each of its answers took. */
  readonly tellsAnswers?: boolean
  /** `address` is whom it has asked, for people. */
  readonly read: (value: A, exchange: X, address: string) => B
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
  const servers = new Servers({ open: datagrams.open, engine, timing: clock, fork })
  let names: HostLookup | undefined
  const calls = new Joint(fork)
  yield* Effect.addFinalizer(() => servers.close)

  /** Asks: looks the name up, waits for its turn, and brings the exchange to its end. */
  const ask = <A, E, X, B>(
    question: Question<A, E, X, B>,
    input: AddressInput,
    options: QueryOptions | undefined
  ): Effect.Effect<B, E | ClientError> => {
    const { asked, joinsAs, make, name, read, tellsAnswers } = question
    const whole = Effect.suspend((): Effect.Effect<B, E | ClientError> => {
      const checked = Result.all([settingsOf(options, clientOptions), Address.from(input)])
      if (Result.isFailure(checked)) return Effect.fail(checked.failure)
      const [settings, parsed] = checked.success
      const { family: numeric, host, port } = parsed
      const address = Address.format(parsed)
      const { encoding, retries, timeoutMs } = settings
      const family = options?.family ?? clientOptions?.family
      const found =
        numeric === undefined
          ? (names ??= new HostLookup(datagrams.resolve, clock, fork)).of(host, timeoutMs, family)
          : Effect.succeed({ address: host, family: numeric })
      let request: InFlight | undefined
      const inTurn = (server: Server): Effect.Effect<B, E | QueryError> => {
        const exchange = make(settings, server.roundTrip)
        const end = (socket: EngineSocket) =>
          Effect.callback<A, E | QueryError>((resume) => {
            const onDone = (): void =>
              resume(begun.defect === undefined ? Effect.fromResult(exchange.result!) : Effect.die(begun.defect.error))
            const begun = new CallbackRequest(
              exchange,
              server.remote.address,
              port,
              onDone,
              timeoutMs,
              asked === undefined ? undefined : (startedAt) => withLifeSigns(exchange, asked, settings, startedAt)
            )
            request = begun
            engine.submit(socket, begun)
            return Effect.sync(() => engine.cancel(begun))
          })
        return Effect.map(
          servers.withSocket(server, end, () => exchange.outstanding ?? 0, timeoutMs),
          (value) => {
            if (tellsAnswers !== true) servers.onAnswer(request!.startedAt, exchange.repeated === true)
            return read(value, exchange, address)
          }
        )
      }
      const work = Effect.flatMap(found, ({ address, family }) =>
        servers.inTurn({ address, port }, family, inTurn)
      ).pipe(Effect.mapError((error) => failures.about(error, address)))
      if (joinsAs === undefined) return work
      const isOpen = (): boolean => clock.now() - (request?.startedAt ?? clock.now()) <= JOINABLE_SHARE * timeoutMs
      return calls.join([joinsAs, host, port, family, encoding, retries, timeoutMs].join(" "), work, isOpen)
    })
    return observe(name, input, whole)
  }

  const askFor = <A>(query: Query.Query<A>, address: AddressInput, options?: QueryOptions) =>
    ask(
      {
        name: query.name,
        joinsAs: `${query.name} ${query.valve}`,
        asked: query.asksForLife === true ? query.valve : undefined,
        make: (settings, roundTrip) => new QueryExchange(query, settings, roundTrip),
        read: (value: A, { legacy, received, rtt, sent }): Answer<A> => ({
          value,
          ...rtt!,
          ...(legacy === undefined ? {} : { legacy }),
          sent,
          received
        })
      },
      address,
      options
    )

  const whole: Question<Replies["info"], never, ServerExchange, ServerAnswer> = {
    name: "query",
    joinsAs: "query",
    asked: Query.info.valve,
    make: (settings, roundTrip) =>
      new ServerExchange(settings, roundTrip, ({ repeated, startedAt }) => servers.onAnswer(startedAt, repeated)),
    tellsAnswers: true,
    read: (_info, { received, replies, rtt, sent }, address) => {
      for (const error of Object.values(replies.errors ?? {})) failures.about(error, address)
      return { ...replies, ...rtt!, sent, received }
    }
  }

  const valueOf =
    <A>(query: Query.Query<A>) =>
    (address: AddressInput, options?: QueryOptions) =>
      Effect.map(askFor(query, address, options), ({ value }) => value)

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
    query: (address, options) => ask(whole, address, options),
    handshake: (address, options) =>
      checked(
        () => optional("challenge", "a whole number of 32 bits", isWhole(-(2 ** 31), 2 ** 32 - 1), options?.challenge),
        () =>
          ask(
            {
              name: "handshake",
              asked: HandshakeExchange.asked,
              make: (settings, roundTrip) =>
                new HandshakeExchange(options?.challenge ?? unguessable(), settings, roundTrip),
              read: identity
            },
            address,
            options
          )
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
          ask(
            {
              name: "run",
              make: (_settings, roundTrip) =>
                demand("make", "a function that gives an exchange", isExchange, makeExchange(roundTrip)),
              read: identity
            },
            address,
            options
          )
      ),
    counters: engine.counters
  } satisfies ClientShape
})
