/**
 * What stands behind `Client`: addresses, sockets and exchanges brought together, one query after the other.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Address from "../Address.ts"
import type { AddressInput, Answer, ClientShape, Replies, ServerAnswer } from "../Client.ts"
import type { ResolvedAddress } from "../Datagrams.ts"
import { Datagrams } from "../Datagrams.ts"
import { Engine } from "../Engine.ts"
import type { Exchange } from "../Exchange.ts"
import type { ClientOptions, QueryOptions } from "../Options.ts"
import { settingsOf } from "../Options.ts"
import * as Query from "../Query.ts"
import type { KeptChallenge } from "../QueryExchange.ts"
import { QueryExchange } from "../QueryExchange.ts"
import type { QueryError } from "../QueryError.ts"
import { Unresolved } from "../QueryError.ts"
import type { RoundTrip } from "../RoundTrip.ts"
import { timing } from "../Timing.ts"
import { withLifeSigns } from "./lifeSigns.ts"
import { RoundTrips } from "./roundTrips.ts"
import { SocketPool } from "./socketPool.ts"

const QUERIES: { readonly [K in keyof Replies]: Query.Query<Replies[K]> } = {
  info: Query.info,
  players: Query.players,
  rules: Query.rules,
  challenge: Query.challenge,
  ping: Query.anyPing
}

const PINGS = { auto: Query.anyPing, ping: Query.ping, info: Query.infoPing }

/** The client over the `Datagrams` of the context, for the life of the scope. */
export const makeClient = Effect.fnUntraced(function* (clientOptions?: ClientOptions) {
  yield* Effect.fromResult(settingsOf(undefined, clientOptions))
  const datagrams = yield* Datagrams
  const clock = yield* timing
  const context = yield* Effect.context<never>()
  const engine = new Engine({
    timing: clock,
    ...(clientOptions?.onDatagram === undefined ? {} : { onDatagram: clientOptions.onDatagram })
  })
  const pool = new SocketPool(datagrams.open, engine, clock, Effect.runForkWith(context))
  yield* Effect.addFinalizer(() => pool.close)
  const roundTrips = new RoundTrips()

  const resolve = Effect.fnUntraced(function* (address: Address.Address, timeoutMs: number, options?: QueryOptions) {
    const { family, host } = address
    if (family !== undefined) return { address: host, family } satisfies ResolvedAddress
    return yield* datagrams.resolve(host, options?.family ?? clientOptions?.family).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () =>
          Effect.fail(new Unresolved({ message: `The name ${host} was not resolved within ${timeoutMs} ms.`, host }))
      })
    )
  })

  const run = Effect.fnUntraced(function* <E extends Exchange<unknown, unknown>>(
    input: AddressInput,
    makeExchange: (roundTrip: RoundTrip) => E,
    options?: QueryOptions
  ) {
    const { timeoutMs } = yield* Effect.fromResult(settingsOf(options, clientOptions))
    const address = yield* Effect.fromResult(Address.from(input))
    const resolved = yield* resolve(address, timeoutMs, options)
    const remote = { address: resolved.address, port: address.port }
    const exchange = makeExchange(roundTrips.of(remote))
    yield* pool.withSocket(
      remote,
      resolved.family,
      (socket) =>
        Effect.callback<void>((resume) => {
          const flight = engine.submit(socket, remote.address, remote.port, exchange, () => resume(Effect.void))
          return Effect.sync(() => engine.cancel(flight))
        }),
      () => exchange.outstanding ?? 0
    )
    return exchange
  })

  const exchangeOf = <A>(query: Query.Query<A>, address: AddressInput, options?: QueryOptions, kept?: KeptChallenge) =>
    Effect.flatMap(Effect.fromResult(settingsOf(options, clientOptions)), (settings) => {
      let exchange: QueryExchange<A>
      const make = (roundTrip: RoundTrip): Exchange<A> => {
        exchange = new QueryExchange(query, settings, roundTrip, kept)
        return query.asksForLife === true ? withLifeSigns(exchange, query.valve, settings) : exchange
      }
      return Effect.map(run(address, make, options), () => exchange)
    })

  const answerOf = <A>(exchange: QueryExchange<A>): Result.Result<Answer<A>, QueryError> =>
    Result.map(exchange.result!, (value) => ({
      value,
      ...exchange.rtt!,
      ...(exchange.legacy === undefined ? {} : { legacy: exchange.legacy }),
      sent: exchange.sent,
      received: exchange.received
    }))

  const askFor = <A>(query: Query.Query<A>, address: AddressInput, options?: QueryOptions) =>
    Effect.flatMap(exchangeOf(query, address, options), (exchange) => Effect.fromResult(answerOf(exchange)))

  const valueOf =
    <A>(query: Query.Query<A>) =>
    (address: AddressInput, options?: QueryOptions) =>
      Effect.map(askFor(query, address, options), ({ value }) => value)

  const query = Effect.fnUntraced(function* (input: AddressInput, options?: QueryOptions) {
    const parsed = yield* Effect.fromResult(Address.from(input))
    const settings = yield* Effect.fromResult(settingsOf(options, clientOptions))
    // Looked up once: the three must go to the same machine.
    const { address, family } = yield* resolve(parsed, settings.timeoutMs, options)
    const server: Address.Address = { host: address, port: parsed.port, family }
    const first = yield* exchangeOf(Query.info, server, options)
    const info = yield* Effect.fromResult(first.result!)
    const second = yield* exchangeOf(Query.playersAfter(info), server, options, first.keptChallenge)
    const third = yield* exchangeOf(Query.rules, server, options, second.keptChallenge ?? first.keptChallenge)
    return serverAnswer(info, [first, second, third])
  })

  return {
    info: valueOf(Query.info),
    players: valueOf(Query.players),
    rules: valueOf(Query.rules),
    challenge: valueOf(Query.challenge),
    ping: (address, options) =>
      Effect.flatMap(exchangeOf(PINGS[options?.via ?? "auto"], address, options), ({ result, rtt }) =>
        Effect.fromResult(Result.map(result!, (pong) => ({ ...pong, ...rtt! })))
      ),
    query,
    ask: (kind, address, options) => askFor(QUERIES[kind], address, options),
    run: (address, makeExchange, options) =>
      Effect.flatMap(run(address, makeExchange, options), (exchange) => Effect.fromResult(exchange.result!)),
    counters: engine.counters
  } satisfies ClientShape
})

const serverAnswer = (
  info: Replies["info"],
  asked: readonly [QueryExchange<Replies["info"]>, QueryExchange<Replies["players"]>, QueryExchange<Replies["rules"]>]
): ServerAnswer => {
  const [{ legacy, rtt }, { assumed: playersAssumed, result: players }, { result: rules }] = asked
  const failed = {
    ...(Result.isFailure(players!) ? { players: players.failure } : {}),
    ...(Result.isFailure(rules!) ? { rules: rules.failure } : {})
  }
  return {
    info,
    ...(legacy === undefined ? {} : { legacy }),
    ...(Result.isSuccess(players!) ? { players: players.success } : {}),
    ...(Result.isSuccess(rules!) ? { rules: rules.success } : {}),
    // By now a late reply to INFO may have told it, too.
    ...(asked.find((exchange) => exchange.rtt !== undefined && exchange.rtt.rttAmbiguous !== true)?.rtt ?? rtt!),
    ...(playersAssumed ? { playersAssumed } : {}),
    ...(Object.keys(failed).length === 0 ? {} : { errors: failed })
  }
}
