/**
 * A client, with calls that look at what JavaScript may hand to them, besides addresses and the options of every query, which are looked
 * at where they are read.
 *
 * @module
 */
import type { InvalidOption } from "@sourcewire/protocol/machines"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { demand, isFunction, isObject, isWhole, oneOf, optional, readable } from "../edge.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { ClientShape } from "./Client.ts"
import type { Observe } from "./makeClient.ts"
import { makeClient } from "./makeClient.ts"
import type { ClientOptions } from "./Options.ts"
import { QUERIES } from "../query/Query.ts"

const KINDS: ReadonlyArray<unknown> = Object.keys(QUERIES)
const WAYS: ReadonlyArray<unknown> = ["auto", "ping", "info"]

const when = <A, E>(
  checked: Result.Result<unknown, InvalidOption>,
  call: () => Effect.Effect<A, E>
): Effect.Effect<A, E | InvalidOption> => Effect.flatMap(Effect.fromResult(checked), call)

const isExchange = (value: unknown): boolean =>
  isObject(value) && isFunction((value as { readonly start?: unknown }).start)

/** A client for the life of the scope, over the transport's UDP. Each call goes through `observe`, if that is given. */
export const checkedClient = (
  options?: ClientOptions,
  observe?: Observe
): Effect.Effect<ClientShape, InvalidOption, Datagrams | Scope.Scope> =>
  Effect.map(makeClient(options, observe), checkedCalls)

const checkedCalls = (client: ClientShape): ClientShape => ({
  ...client,
  ping: (address, options) =>
    when(
      readable(() => oneOf("via", WAYS, options?.via)),
      () => client.ping(address, options)
    ),
  handshake: (address, options) =>
    when(
      readable(() =>
        optional("challenge", "a whole number of 32 bits", isWhole(-(2 ** 31), 2 ** 32 - 1), options?.challenge)
      ),
      () => client.handshake(address, options)
    ),
  ask: (kind, address, options) => when(oneOf("kind", KINDS, kind ?? null), () => client.ask(kind, address, options)),
  run: (address, make, options) =>
    when(optional("make", "a function that gives an exchange", isFunction, make ?? null), () =>
      client.run(
        address,
        (roundTrip) => {
          const exchange = make(roundTrip)
          demand("make", "a function that gives an exchange", isExchange, exchange)
          return exchange
        },
        options
      )
    )
})
