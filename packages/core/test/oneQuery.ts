/**
 * Runs one query in virtual time, against a server that a test defines.
 *
 * @module
 */
import * as Result from "effect/Result"
import { expect } from "vitest"
import type * as Query from "../src/query/Query.ts"
import type { ExchangeSettings } from "../src/engine/Exchange.ts"
import { type CachedChallenge, QueryExchange } from "../src/query/QueryExchange.ts"
import type { QueryError } from "../src/engine/QueryError.ts"
import type { RoundTrip } from "../src/engine/Retry.ts"
import type { Reply, Server } from "./drive.ts"
import { drive } from "./drive.ts"
import { challengeHex } from "./messages.ts"

export const settings: ExchangeSettings = { timeoutMs: 3000, retries: 8, encoding: "auto", random: () => 0.5 }

export const run = <A>(
  query: Query.Query<A>,
  server: Server,
  more: {
    readonly settings?: Partial<ExchangeSettings>
    readonly kept?: CachedChallenge
    readonly roundTrip?: RoundTrip
    readonly unsolicited?: ReadonlyArray<Reply>
  } = {}
) => {
  const exchange = new QueryExchange(query, { ...settings, ...more.settings }, more.roundTrip, more.kept)
  return { exchange, ...drive(exchange, server, more.unsolicited) }
}

export const reply = (hex: string, after = 10): Reply => ({ hex, after })
export const silent: Server = () => []

/** A server that replies with `answer` to a request that ends with the challenge, and with `challenge` to any other request. */
export const guarded =
  (answer: string, challenge: string): Server =>
  (request) => [reply(request.endsWith(challenge) ? answer : challengeHex(challenge))]

export const getValue = <A>(result: Result.Result<A, QueryError>): A => Result.getOrThrow(result)
export const getError = (result: Result.Result<unknown, QueryError>): QueryError =>
  Result.isFailure(result) ? result.failure : expect.unreachable("it should have failed")
