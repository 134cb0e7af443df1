/**
 * What stands behind `Client`: of each call the address and the options are read, names looked up, and a call that is under way and
 * asks the same joined. The verbs that are not one query by name are in `moreVerbs.ts`.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Address from "../address/Address.ts"
import { ipv4Address } from "../address/ip.ts"
import { Datagrams, type Family } from "../engine/Datagrams.ts"
import { Engine } from "../engine/Engine.ts"
import { HostLookup } from "../engine/lookup.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { live } from "../engine/liveTiming.ts"
import * as failures from "../query/failures.ts"
import * as Query from "../query/Query.ts"
import { Call, questionOf } from "./Call.ts"
import type { AddressInput, Answer, ClientError, ClientShape, Replies } from "./ClientShape.ts"
import { handshake, ping, query, run, unknown } from "./moreVerbs.ts"
import type { ClientOptions, QueryOptions } from "./Options.ts"
import type { Ask, Asking, QueryQuestion, Question } from "./Question.ts"
import { Servers } from "./servers.ts"
import { DEFAULT_SETTINGS, settingsOf } from "./settings.ts"

const QUERIES: { readonly [K in keyof Replies]: Query.Query<Replies[K]> } = Query.QUERIES
const QUESTIONS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(QUERIES).map(([kind, query]) => [kind, questionOf<unknown>(query)])
) as { readonly [K in keyof Replies]: QueryQuestion<Replies[K]> }
const KINDS: ReadonlyArray<unknown> = /* @__PURE__ */ Object.keys(QUERIES)

const valueOf = <A>({ value }: Answer<A>): A => value

/** What may look on as a call is made: `query` is its name. */
export type Observe = <A, E>(query: string, address: AddressInput, call: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The client over the `Datagrams` of the context, for the life of the scope. */
export const makeClient = /* @__PURE__ */ Effect.fnUntraced(function* (
  clientOptions?: ClientOptions,
  clock = live,
  observe: Observe = (_query, _address, call) => call
) {
  const settingsFor = (options: QueryOptions | undefined) =>
    options === undefined && clientOptions === undefined ? DEFAULT_SETTINGS : settingsOf(options, clientOptions)
  yield* Effect.fromResult(settingsFor(undefined))
  const { open, resolve } = yield* Datagrams
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const engine = new Engine({ timing: clock, onDatagram: clientOptions?.onDatagram })
  const servers = new Servers({ open, engine, timing: clock, fork })
  let names: HostLookup | undefined
  yield* Effect.addFinalizer(() => servers.close)

  const ask: Ask = <A, E, X extends Asking<A, E>, B>(
    question: Question<A, E, X, B>,
    input: AddressInput,
    options: QueryOptions | undefined
  ) => {
    const call = Effect.suspend((): Effect.Effect<B, E | ClientError> => {
      const read = settingsFor(options)
      if (Result.isFailure(read)) return Effect.fail(read.failure)
      const settings = read.success
      const { encoding, retries, timeoutMs } = settings
      const plain = ipv4Address(input, Address.DEFAULT_PORT)
      const parsed = plain === undefined ? Address.from(input) : Result.succeed(plain)
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const { family: numeric, host, port } = parsed.success
      const whom = numeric === 4 ? `${host}:${port}` : Address.format(parsed.success)
      const askAt = (address: string, family: Family) =>
        Effect.callback<B, E | QueryError>((resume) => {
          const server = servers.at({ address, port }, family)
          const name = question.joinsAs && [question.joinsAs, whom, server.key, encoding, retries, timeoutMs].join(" ")
          const found = servers.underWay.get(name)
          const call =
            found?.isJoinable === true
              ? (found as Call<A, E, X, B>)
              : new Call(servers, server, question, settings, whom, name)
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

  return {
    info: (address, options) => Effect.map(ask(QUESTIONS.info, address, options), valueOf),
    players: (address, options) => Effect.map(ask(QUESTIONS.players, address, options), valueOf),
    rules: (address, options) => Effect.map(ask(QUESTIONS.rules, address, options), valueOf),
    challenge: (address, options) => Effect.map(ask(QUESTIONS.challenge, address, options), valueOf),
    ask: (kind, address, options) =>
      KINDS.includes(kind) ? ask(QUESTIONS[kind], address, options) : unknown(kind, KINDS),
    ping: (address, options) => ping(ask, address, options),
    query: (address, options) => query(ask, address, options),
    handshake: (address, options) => handshake(ask, address, options),
    run: (address, make, options) => run(ask, address, make, options),
    counters: engine.counters
  } satisfies ClientShape
})
