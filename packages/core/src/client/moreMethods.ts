/** The methods of a client that are not a single A2S query. Each method first checks its own options. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { demand, duration, isFunction, isObject, isWhole, oneOf, optional, readable, refuse } from "../edge.ts"
import type { Exchange } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { RoundTrip } from "../engine/Retry.ts"
import { HANDSHAKE_FORMS } from "../handshake/forms.ts"
import { type HandshakeAnswer, HandshakeExchange } from "../handshake/HandshakeExchange.ts"
import * as failures from "../query/failures.ts"
import * as Query from "../query/Query.ts"
import { PARTS, ServerExchange } from "../query/ServerExchange.ts"
import type { AddressInput, HandshakeOptions, PingOptions, Replies, ServerAnswer } from "./ClientShape.ts"
import type { InvalidOption, QueryOptions, ServerQueryOptions } from "./Options.ts"
import { MAX_TIMEOUT_MS } from "./settings.ts"
import type { RunQuery, SingleQuery } from "./ClientQuery.ts"

const isExchange = (value: unknown): boolean =>
  isObject(value) && isFunction((value as { readonly start?: unknown }).start)

/**
 * Checks the arguments of a call, and then runs the call. The checks are necessary, because callers in JavaScript can pass values of any
 * type. `check` checks the arguments that only this method has. `call` checks the address and the options that all queries have.
 */
const checked = <A, E>(check: () => unknown, call: () => Effect.Effect<A, E>): Effect.Effect<A, E | InvalidOption> =>
  Effect.suspend(() => Effect.flatMap(Effect.fromResult(readable(check)), call))

const randomChallenge = (): number => crypto.getRandomValues(new Int32Array(1))[0]!

const isParts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((part) => PARTS.includes(part))

export const query = (runQuery: RunQuery, address: AddressInput, options?: ServerQueryOptions) =>
  checked(
    () => {
      optional("parts", `an array of ${PARTS.join(", ")}`, isParts, options?.parts)
      duration("totalTimeoutMs", MAX_TIMEOUT_MS, options?.totalTimeoutMs)
    },
    () =>
      runQuery<Replies["info"], never, ServerExchange, ServerAnswer>(
        {
          name: "query",
          joinKey: "query",
          ownOptions: ["parts", "totalTimeoutMs"],
          lifeSignsFor: Query.info.valve,
          make: (settings, roundTrip, observer) =>
            new ServerExchange(settings, roundTrip, {
              parts: options?.parts,
              totalTimeoutMs: options?.totalTimeoutMs,
              isConcurrent: true,
              onReply: ({ repeated, startedAt }) => observer.onReply(startedAt, repeated)
            }),
          reportsReplies: true,
          read: (_info, { received, replies, rtt, sent }, server) => {
            for (const error of Object.values(replies.errors ?? {})) failures.about(error, server)
            return { ...replies, ...rtt!, sent, received }
          }
        },
        address,
        options
      )
  )

/** Measures the round-trip time of one request. `queries` contains the query for each value of `via`. */
export const ping = (
  runQuery: RunQuery,
  queries: Readonly<Record<NonNullable<PingOptions["via"]>, SingleQuery<Query.Pong>>>,
  address: AddressInput,
  options?: PingOptions
) =>
  checked(
    () => oneOf("via", Object.keys(queries), options?.via),
    () =>
      Effect.map(runQuery(queries[options?.via ?? "auto"], address, options), ({ value, ...traffic }) => ({
        ...value,
        ...traffic
      }))
  )

export const handshake = (runQuery: RunQuery, address: AddressInput, options?: HandshakeOptions) =>
  checked(
    () => {
      optional("challenge", "a whole number of 32 bits", isWhole(-(2 ** 31), 2 ** 32 - 1), options?.challenge)
      oneOf("form", HANDSHAKE_FORMS, options?.form)
    },
    () =>
      runQuery<HandshakeAnswer, never, HandshakeExchange, HandshakeAnswer>(
        {
          name: "handshake",
          ownOptions: ["challenge", "form"],
          make: (settings, roundTrip) =>
            new HandshakeExchange(options?.challenge ?? randomChallenge(), settings, roundTrip, options?.form),
          read: identity
        },
        address,
        options
      )
  )

/** Runs the caller's own exchange. */
export const run = <A, E>(
  runQuery: RunQuery,
  address: AddressInput,
  make: (roundTrip: RoundTrip) => Exchange<A, E | QueryError>,
  options?: QueryOptions
) =>
  checked(
    () => optional("make", "a function that returns an exchange", isFunction, make ?? null),
    () =>
      runQuery<A, E, Exchange<A, E | QueryError>, A>(
        {
          name: "run",
          make: (_settings, roundTrip) =>
            demand("make", "a function that returns an exchange", isExchange, make(roundTrip)),
          read: identity
        },
        address,
        options
      )
  )

/** The error for an unknown kind of query. */
export const unknown = (kind: unknown, kinds: ReadonlyArray<unknown>) =>
  Effect.fromResult(readable(() => refuse("kind", `one of ${kinds.join(", ")}`, kind ?? null)))
