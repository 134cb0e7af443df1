/**
 * What JavaScript may hand to a client's calls, besides addresses and the options of every query, which are looked at where they are read.
 *
 * @module
 */
import type { InvalidOption } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { ClientShape } from "./Client.ts"
import { demand, isFunction, isObject, optional, readable } from "../edge.ts"

const KINDS: ReadonlyArray<unknown> = ["info", "players", "rules", "challenge", "ping"]
const WAYS: ReadonlyArray<unknown> = ["auto", "ping", "info"]

const when = <A, E>(
  checked: Result.Result<unknown, InvalidOption>,
  call: () => Effect.Effect<A, E>
): Effect.Effect<A, E | InvalidOption> => Effect.flatMap(Effect.fromResult(checked), call)

const oneOf = (values: ReadonlyArray<unknown>): string => `one of ${values.join(", ")}`

const is32Bits = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32

const isExchange = (value: unknown): boolean =>
  isObject(value) && isFunction((value as { readonly start?: unknown }).start)

/** The client, with calls that look at what they are given. */
export const checkedCalls = (client: ClientShape): ClientShape => ({
  ...client,
  ping: (address, options) =>
    when(
      readable(() => optional("via", oneOf(WAYS), (via) => WAYS.includes(via), options?.via)),
      () => client.ping(address, options)
    ),
  handshake: (address, options) =>
    when(
      readable(() => optional("challenge", "a whole number of 32 bits", is32Bits, options?.challenge)),
      () => client.handshake(address, options)
    ),
  ask: (kind, address, options) =>
    when(
      optional("kind", oneOf(KINDS), (value) => KINDS.includes(value), kind ?? null),
      () => client.ask(kind, address, options)
    ),
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
