/** Asks many servers the same thing and prints each answer as it comes; the questions of `info`, `players` and `rules`. */
import { type Answer, Client, type ClientError, type QueryError, type QueryOptions } from "@sourcewire/core"
import type { ClientShape, MeasuredRoundTrip, Replies } from "@sourcewire/core/machines"
import type { Unaskable } from "@sourcewire/games"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Reported, UsageError, recordFailure } from "../exitCode.ts"
import { errorJson, jsonLine } from "../output/json.ts"
import type { QuerySettings, Settings, queryOfGame } from "../options.ts"
import { type Canvas, Output, progress, spinner, unmoving } from "../output/output.ts"
import { heading, infoCard } from "../view/card.ts"
import { failureLine } from "../view/failureLine.ts"
import { playersTable, rulesList, rulesWith } from "../view/lists.ts"
import { plural, roundTrip, roundTripJson } from "../view/quantities.ts"
import { type Target, targetsOf } from "./targets.ts"

export interface Question<A> {
  readonly ask: (client: ClientShape, target: Target, options: QueryOptions) => Effect.Effect<A, ClientError>
  /** What a result line has behind `address` and `ok`. */
  readonly json: (answer: A, target: Target) => Record<string, unknown>
  /** Lines for people. */
  readonly view: (answer: A, target: Target, canvas: Canvas) => ReadonlyArray<string>
}

/** What the command line says, as the client wants it. */
export const clientOptions = ({ encoding, retries, timeout }: QuerySettings): QueryOptions => ({
  timeoutMs: timeout,
  retries,
  encoding
})

/** The client of a command: Node's UDP, with its datagrams on standard error where `--trace` asks for them. */
export const clientLayer = (trace: boolean): Layer.Layer<Client, UsageError, Output> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { err } = yield* Output
      const options = trace
        ? { onDatagram: (yield* Effect.promise(() => import("../trace/tracer.ts"))).tracer(err) }
        : {}
      return Layer.provide(Client.layer(options), layer)
    })
  ).pipe(Layer.catch((error) => Layer.effect(Client, Effect.fail(new UsageError(error.message)))))

/** Addresses and options that make no sense are the user's, everything else is the target's. */
export const separate = <A>(
  answer: Effect.Effect<A, ClientError>
): Effect.Effect<Result.Result<A, QueryError>, UsageError> =>
  Effect.flatMap(Effect.result(answer), (result): Effect.Effect<Result.Result<A, QueryError>, UsageError> => {
    if (Result.isSuccess(result)) return Effect.succeed(Result.succeed(result.success))
    const error = result.failure
    return error._tag === "InvalidAddress" || error._tag === "InvalidOption"
      ? Effect.fail(new UsageError(error.message))
      : Effect.succeed(Result.fail(error))
  })

const printAnswer = Effect.fnUntraced(function* <A>(
  question: Question<A>,
  target: Target,
  result: Result.Result<A, QueryError | Unaskable>,
  settings: QuerySettings
) {
  const { err, out } = yield* Output
  const address = target.name
  if (settings.json) {
    return yield* out.line(
      Result.isSuccess(result)
        ? jsonLine({ address, ok: true, ...question.json(result.success, target) })
        : jsonLine({ address, ok: false, error: errorJson(result.failure) })
    )
  }
  if (Result.isSuccess(result)) {
    return yield* out.line(...question.view(result.success, target, out), "")
  }
  return yield* err.line(failureLine(address, result.failure, err))
})

/** Who answered, or failed first, and how that ended. */
type Asked<A> = readonly [Target, Result.Result<A, QueryError | Unaskable>]

/** Asks a target, and where nobody is heard there, at the other ports that its game may have. */
const askedOf = <A>(
  question: Question<A>,
  client: ClientShape,
  target: Target,
  options: QueryOptions
): Effect.Effect<Asked<A>, UsageError> => {
  if (target.unaskable !== undefined) return Effect.succeed([target, Result.fail(target.unaskable)])
  return Effect.flatMap(
    separate(question.ask(client, target, options)),
    (result): Effect.Effect<Asked<A>, UsageError> => {
      const [next, ...others] = target.others ?? []
      const unheard = Result.isFailure(result) && ["Timeout", "PortClosed"].includes(result.failure._tag)
      if (!unheard || next === undefined) return Effect.succeed([target, result])
      const again = askedOf(question, client, { ...next, others }, options)
      return Effect.map(again, (second): Asked<A> => (Result.isSuccess(second[1]) ? second : [target, result]))
    }
  )
}

/** What the command line says, of a game or not. */
type AskSettings = QuerySettings & Partial<Settings<typeof queryOfGame>>

/** Asks every target; fails with `Reported` when one of them did not answer. */
const runQueries = Effect.fnUntraced(function* <A>(question: Question<A>, settings: AskSettings) {
  const { err } = yield* Output
  const targets = yield* targetsOf(settings.addresses, settings.file, settings.game)
  let answered = 0
  let failed = 0
  const describe = () => `${answered + failed} of ${targets.length} done, ${failed} failed`

  const askAll = Effect.gen(function* () {
    const client = yield* Client
    const surface = settings.trace ? unmoving(err) : err
    const line = yield* targets.length === 1 ? spinner(surface, targets[0]!.name) : progress(surface, describe)
    const one = Effect.fnUntraced(function* (target: Target) {
      const [asked, result] = yield* askedOf(question, client, target, clientOptions(settings))
      if (Result.isSuccess(result)) answered++
      else failed += recordFailure()
      yield* line.around(printAnswer(question, asked, result, settings))
    })
    yield* Effect.forEach(targets, one, { concurrency: settings.concurrency, discard: true })
  })
  yield* Effect.scoped(askAll).pipe(Effect.provide(clientLayer(settings.trace)))
  if (failed > 0) return yield* new Reported()
})

/** The work of a command that asks one question. */
export const asking =
  <A>(question: Question<A>) =>
  (settings: AskSettings) =>
    runQueries(question, settings)

/** What stands at the right of an answer: who gave it, and how soon. */
export const asideOf = ({ name }: Target, answer: MeasuredRoundTrip): string => `${name} · ${roundTrip(answer)}`

const ask =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["ask"] =>
  (client: ClientShape, target, options) =>
    client.ask(kind, target.address, options)

const json =
  <K extends "info" | "players" | "rules">(kind: K): Question<Answer<Replies[K]>>["json"] =>
  ({ legacy, value, ...answer }) => ({ ...roundTripJson(answer), [kind]: value, legacyInfo: legacy })

export const info = asking<Answer<Replies["info"]>>({
  ask: ask("info"),
  json: json("info"),
  view: (answer, target, canvas) => infoCard(answer.value, asideOf(target, answer), canvas)
})

export const players = asking<Answer<Replies["players"]>>({
  ask: ask("players"),
  json: json("players"),
  view: (answer, target, canvas) => [
    heading(plural(answer.value.players.length, "player"), asideOf(target, answer), canvas),
    ...playersTable(answer.value, canvas)
  ]
})

/** A2S_RULES; of the answer, the rules with the text of `--grep` in their name or value. */
export const rules = ({ grep = "", ...settings }: AskSettings & { readonly grep: string | undefined }) =>
  runQueries<Answer<Replies["rules"]>>(
    {
      ask: ask("rules"),
      json: ({ value, ...answer }, target) =>
        json("rules")({ ...answer, value: { ...value, rules: rulesWith(value.rules, grep) } }, target),
      view: (answer, target, canvas) => {
        const all = plural(answer.value.rules.length, "rule")
        const title = grep === "" ? all : `${rulesWith(answer.value.rules, grep).length} of ${all}`
        return [heading(title, asideOf(target, answer), canvas), ...rulesList(answer.value, canvas, grep)]
      }
    },
    settings
  )
