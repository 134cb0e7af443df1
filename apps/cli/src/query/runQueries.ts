/** Queries servers, and prints each result as soon as it arrives, or in the order of the targets (`--ordered`). */
import {
  type Answer,
  Client,
  type ClientError,
  type ClientOptions,
  type InvalidAddress,
  type InvalidOption,
  type QueryError,
  type QueryOptions
} from "@sourcewire/core"
import type { MeasuredRoundTrip, OnDatagram } from "@sourcewire/core/engine"
import type { ClientShape, Replies } from "@sourcewire/core/query"
import type { NotQueryable } from "@sourcewire/games"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { ExitCode, Reported, recordFailure } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import type { QuerySettings, Settings, gameQueryFlags } from "../options.ts"
import { type Canvas, Output } from "../output/output.ts"
import { InOrder } from "../output/inOrder.ts"
import { NO_LINE, progress, spinner } from "../output/progress.ts"
import { infoCard } from "../view/card.ts"
import { printFailure } from "../view/failureLine.ts"
import { roundTrip, roundTripJson } from "../view/quantities.ts"
import type { Target } from "./target.ts"
import { parseTargets } from "./targets.ts"

export interface Question<A> {
  /**
   * The kinds of replies that the query requests, the most important kind first. If a server is behind Steam's relays, Sourcewire requests
   * these kinds of replies from Steam's Web API instead of the server. If the Web API does not support the query, this field is absent.
   */
  readonly parts?: ReadonlyArray<"info" | "players" | "rules">
  readonly run: (client: ClientShape, target: Target, options: QueryOptions) => Effect.Effect<A, ClientError>
  /** Converts a reply to the fields that follow `address` and `ok` in the JSON result. */
  readonly json: (answer: A, target: Target) => Record<string, unknown>
  /** Formats a reply as lines of text. The function can return a promise, so that modules are loaded only if the text needs them. */
  readonly view: (
    answer: A,
    target: Target,
    canvas: Canvas,
    settings: QueryCommandSettings
  ) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
  /** While the query is in flight, the spinner shows this text and the number of seconds (default: `No reply from NAME for`). */
  readonly waiting?: string
  /** Returns lines to print after the result or the error of a target. */
  readonly after?: (target: Target, canvas: Canvas, settings: QueryCommandSettings) => ReadonlyArray<string>
}

export const clientOptions = ({ encoding, retries, timeout }: QuerySettings): QueryOptions => ({
  timeoutMs: timeout,
  retries,
  encoding
})

/**
 * Provides the client with which a command queries its targets. The client uses Node's UDP sockets. With `--trace`, the datagrams of the
 * client are printed on standard error. `record` is called with each datagram of the client.
 */
export const clientLayer = (trace: boolean, record?: OnDatagram) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { err } = yield* Output
      const print = trace ? (yield* Effect.promise(() => import("../trace/tracer.ts"))).tracer(err) : undefined
      const all = [print, record].filter((one) => one !== undefined)
      const options: ClientOptions =
        all.length === 0 ? {} : { onDatagram: (...datagram) => all.forEach((each) => each(...datagram)) }
      return Layer.provide(Client.layer(options), layer)
    })
  )

type UsersError = InvalidAddress | InvalidOption

/** Runs a query, and returns its reply or its error as a result. If an address or an option is invalid, the effect fails instead. */
export const separate = Effect.fnUntraced(function* <A>(
  answer: Effect.Effect<A, ClientError>
): Effect.fn.Return<Result.Result<A, QueryError>, UsersError> {
  const result = yield* Effect.result(answer)
  if (Result.isSuccess(result)) return Result.succeed(result.success)
  const { failure } = result
  const isUsers = failure._tag === "InvalidAddress" || failure._tag === "InvalidOption"
  return isUsers ? yield* Effect.fail(failure) : Result.fail(failure)
})

/**
 * A target with its result. If Sourcewire queried several query ports of a server, and one of the queries succeeded, this pair contains the
 * target with the port of this query. If no query succeeded, this pair contains the target with the port that was queried first.
 */
type TargetResult<A> = readonly [Target, Result.Result<A, QueryError | NotQueryable | InvalidAddress>]

/**
 * Queries a target. If the target times out or its port is closed, this function queries the targets in `others`, one after another, until
 * one of them responds.
 */
const queryTarget = Effect.fnUntraced(function* <A>(
  question: Question<A>,
  client: ClientShape,
  target: Target,
  options: QueryOptions
): Effect.fn.Return<TargetResult<A>, UsersError> {
  if (target.notQueryable !== undefined) return [target, Result.fail(target.notQueryable)]
  const result = yield* separate(question.run(client, target, options))
  const [next, ...others] = target.others ?? []
  const isUnheard = Result.isFailure(result) && ["Timeout", "PortClosed"].includes(result.failure._tag)
  if (!isUnheard || next === undefined) return [target, result]
  const again = yield* queryTarget(question, client, { ...next, others }, options)
  return Result.isSuccess(again[1]) ? again : [target, result]
})

export type QueryCommandSettings = QuerySettings &
  Partial<Settings<typeof gameQueryFlags>> & {
    readonly allRules?: boolean
    readonly explain?: boolean
    readonly verdict?: number | undefined
    readonly rcon?: boolean
    readonly passwordFile?: string | undefined
  }

/** Creates a command that queries every target. The command fails with `Reported` if at least one target fails. */
export const queryCommand = <A>(question: Question<A>) =>
  Effect.fnUntraced(
    function* (settings: QueryCommandSettings) {
      const { notes, out } = yield* Output
      const { concurrency, json, ordered, trace } = settings
      const targets = yield* parseTargets(settings.addresses, settings.file, settings.game)
      const client = yield* Client
      let answered = 0
      let failed = 0
      let refused = 0
      const describe = () => `${answered + failed} of ${targets.length} done, ${failed} failed`
      const hasLine = notes.isTerminal && !trace
      const single = targets.length === 1 ? targets[0]!.name : undefined
      const shown = () => (single === undefined ? progress(notes, describe) : spinner(notes, single, question.waiting))
      const line = hasLine ? yield* shown() : NO_LINE
      const printResult = ([target, result]: TargetResult<A>) => {
        if (Result.isFailure(result)) return printFailure(target.name, result.failure, json)
        if (json)
          return out.line(jsonLine({ address: target.name, ok: true, ...question.json(result.success, target) }))
        const view = Effect.promise(async () => question.view(result.success, target, out, settings))
        return Effect.flatMap(view, (lines) => out.line(...lines, ""))
      }
      const print = (asked: TargetResult<A>) => {
        const { after } = question
        if (after === undefined) return printResult(asked)
        return Effect.andThen(
          printResult(asked),
          Effect.suspend(() => out.line(...after(asked[0], out, settings)))
        )
      }
      const order = new InOrder<TargetResult<A>>()
      const printAll = (all: ReadonlyArray<TargetResult<A>>) => Effect.forEach(all, print, { discard: true })
      const one = Effect.fnUntraced(function* (target: Target, place: number) {
        const { notQueryable } = target
        if (
          question.parts !== undefined &&
          notQueryable?._tag === "NotQueryable" &&
          notQueryable.reason === "relayed"
        ) {
          const { printRelayed } = yield* Effect.promise(() => import("../steam/relayed.ts"))
          const hasFailed = yield* line.around(printRelayed(target, question.parts, settings))
          if (hasFailed) failed += recordFailure()
          else answered++
          return
        }
        const asked = yield* queryTarget(question, client, target, clientOptions(settings))
        if (Result.isSuccess(asked[1])) answered++
        else {
          failed += recordFailure()
          // The server is up but refuses the query, because of a ban or a rate limit.
          if (asked[1].failure._tag === "Refused") refused++
        }
        yield* line.around(ordered ? printAll(order.take(place, asked)) : print(asked))
      })
      yield* Effect.forEach(targets, one, { concurrency, discard: true }).pipe(
        Effect.ensuring(Effect.suspend(() => printAll(order.rest())))
      )
      if (failed > 0) return yield* new Reported(refused === failed ? ExitCode.Refused : ExitCode.Failure)
    },
    Effect.scoped,
    (run, { trace }) => Effect.provide(run, clientLayer(trace))
  )

/** Returns the text on the right of a card's heading: the address and the round-trip time. */
export const formatAside = ({ name }: Target, answer: MeasuredRoundTrip): string => `${name} · ${roundTrip(answer)}`

/** Returns a `Question` without a view for one of the commands `info`, `players` and `rules`, which each request only one kind of reply. */
export const replyQuestion = <K extends "info" | "players" | "rules">(
  kind: K
): Omit<Question<Answer<Replies[K]>>, "view"> => ({
  parts: [kind],
  run: (client, target, options) => client.queryKind(kind, target.address, options),
  json: ({ legacy, value, ...answer }) => ({ ...roundTripJson(answer), [kind]: value, legacyInfo: legacy })
})

export const info = queryCommand<Answer<Replies["info"]>>({
  ...replyQuestion("info"),
  view: async (answer, target, canvas) => {
    // The games are loaded only here, because loading them takes a moment.
    const { summary } = await import("@sourcewire/games")
    const headline = summary(target.address, { info: answer.value }, target.game)
    return infoCard(answer.value, formatAside(target, answer), canvas, headline)
  }
})
