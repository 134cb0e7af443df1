/** Asks servers the same thing and prints each answer as it comes; the question of `info`. */
import {
  type Answer,
  Client,
  type ClientError,
  type InvalidAddress,
  type InvalidOption,
  type QueryError,
  type QueryOptions
} from "@sourcewire/core"
import type { ClientShape, MeasuredRoundTrip, Replies } from "@sourcewire/core/machines"
import type { Unaskable } from "@sourcewire/games"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Reported, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import type { QuerySettings, Settings, queryOfGame } from "../options.ts"
import { type Canvas, Output } from "../output/output.ts"
import { NO_LINE, progress, spinner } from "../output/progress.ts"
import { infoCard } from "../view/card.ts"
import { printFailure } from "../view/failureLine.ts"
import { roundTrip, roundTripJson } from "../view/quantities.ts"
import { type Target, targetsOf } from "./targets.ts"

export interface Question<A> {
  readonly ask: (client: ClientShape, target: Target, options: QueryOptions) => Effect.Effect<A, ClientError>
  /** What a result line has behind `address` and `ok`. */
  readonly json: (answer: A, target: Target) => Record<string, unknown>
  readonly view: (answer: A, target: Target, canvas: Canvas) => ReadonlyArray<string>
}

export const clientOptions = ({ encoding, retries, timeout }: QuerySettings): QueryOptions => ({
  timeoutMs: timeout,
  retries,
  encoding
})

/** The client of a command: Node's UDP, with its datagrams on standard error where `--trace` asks for them. */
export const clientLayer = (trace: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { err } = yield* Output
      const options = trace
        ? { onDatagram: (yield* Effect.promise(() => import("../trace/tracer.ts"))).tracer(err) }
        : {}
      return Layer.provide(Client.layer(options), layer)
    })
  )

type UsersError = InvalidAddress | InvalidOption

/** Addresses and options that make no sense are the user's, everything else is the target's. */
export const separate = Effect.fnUntraced(function* <A>(
  answer: Effect.Effect<A, ClientError>
): Effect.fn.Return<Result.Result<A, QueryError>, UsersError> {
  const result = yield* Effect.result(answer)
  if (Result.isSuccess(result)) return Result.succeed(result.success)
  const { failure } = result
  const isUsers = failure._tag === "InvalidAddress" || failure._tag === "InvalidOption"
  return isUsers ? yield* Effect.fail(failure) : Result.fail(failure)
})

/** Who answered, or failed first, and how that ended. */
type Asked<A> = readonly [Target, Result.Result<A, QueryError | Unaskable>]

/** Asks a target, and where nobody is heard there, at the other ports that its game may have. */
const askedOf = Effect.fnUntraced(function* <A>(
  question: Question<A>,
  client: ClientShape,
  target: Target,
  options: QueryOptions
): Effect.fn.Return<Asked<A>, UsersError> {
  if (target.unaskable !== undefined) return [target, Result.fail(target.unaskable)]
  const result = yield* separate(question.ask(client, target, options))
  const [next, ...others] = target.others ?? []
  const isUnheard = Result.isFailure(result) && ["Timeout", "PortClosed"].includes(result.failure._tag)
  if (!isUnheard || next === undefined) return [target, result]
  const again = yield* askedOf(question, client, { ...next, others }, options)
  return Result.isSuccess(again[1]) ? again : [target, result]
})

export type AskSettings = QuerySettings & Partial<Settings<typeof queryOfGame>>

/** The work of a command that asks every target one question; fails with `Reported` when one of them did not answer. */
export const asking = <A>(question: Question<A>) =>
  Effect.fnUntraced(
    function* (settings: AskSettings) {
      const { err, out } = yield* Output
      const { concurrency, json, trace } = settings
      const targets = yield* targetsOf(settings.addresses, settings.file, settings.game)
      const client = yield* Client
      let answered = 0
      let failed = 0
      const describe = () => `${answered + failed} of ${targets.length} done, ${failed} failed`
      const hasLine = err.isTerminal && !trace
      const single = targets.length === 1 ? targets[0]!.name : undefined
      const line = !hasLine ? NO_LINE : yield* single === undefined ? progress(err, describe) : spinner(err, single)
      const print = ([target, result]: Asked<A>) => {
        if (Result.isFailure(result)) return printFailure(target.name, result.failure, json)
        return json
          ? out.line(jsonLine({ address: target.name, ok: true, ...question.json(result.success, target) }))
          : out.line(...question.view(result.success, target, out), "")
      }
      const one = Effect.fnUntraced(function* (target: Target) {
        const asked = yield* askedOf(question, client, target, clientOptions(settings))
        if (Result.isSuccess(asked[1])) answered++
        else failed += recordFailure()
        yield* line.around(print(asked))
      })
      yield* Effect.forEach(targets, one, { concurrency, discard: true })
      if (failed > 0) return yield* new Reported()
    },
    Effect.scoped,
    (run, { trace }) => Effect.provide(run, clientLayer(trace))
  )

/** What stands at the right of an answer: who gave it, and how soon. */
export const asideOf = ({ name }: Target, answer: MeasuredRoundTrip): string => `${name} · ${roundTrip(answer)}`

/** What questions of one reply have in common. */
export const replyOf = <K extends "info" | "players" | "rules">(
  kind: K
): Omit<Question<Answer<Replies[K]>>, "view"> => ({
  ask: (client, target, options) => client.ask(kind, target.address, options),
  json: ({ legacy, value, ...answer }) => ({ ...roundTripJson(answer), [kind]: value, legacyInfo: legacy })
})

export const info = asking<Answer<Replies["info"]>>({
  ...replyOf("info"),
  view: (answer, target, canvas) => infoCard(answer.value, asideOf(target, answer), canvas)
})
