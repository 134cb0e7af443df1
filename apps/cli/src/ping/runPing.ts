/** Measures round trips one after the other: the work of `sourcewire ping`. */
import { Client, type QueryError } from "@sourcewire/core"
import type { Unaskable } from "@sourcewire/games"
import { type ClientShape, Limits } from "@sourcewire/core/machines"

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Reported, recordFailure } from "../exitCode.ts"
import { errorJson, jsonLine } from "../output/json.ts"
import { canShow } from "../live/canShow.ts"
import { Output } from "../output/output.ts"
import { printFailure } from "../view/failureLine.ts"
import { milliseconds, plural, roundTrip } from "../view/quantities.ts"
import { clientLayer, clientOptions, separate } from "../query/runQueries.ts"
import { type Target, targetsOf } from "../query/targets.ts"
import type { PingSettings } from "./command.ts"
import { type PingStatistics, PingTally } from "./statistics.ts"

const summaryLine = (statistics: PingStatistics): string => {
  const { avgMs, jitterMs, lossPercent, maxMs, minMs, rttAmbiguous, received, sent } = statistics
  const counts = `${plural(sent, "ping")}, ${received} answered, ${lossPercent} % lost`
  if (minMs === undefined) return counts
  const [min, avg, max] = [minMs, avgMs!, maxMs!].map((rttMs) =>
    roundTrip(rttAmbiguous === undefined ? { rttMs } : { rttMs, rttAmbiguous })
  )
  return `${counts}; min ${min}, avg ${avg}, max ${max}, jitter ${milliseconds(jitterMs!)}`
}

export interface Series {
  readonly target: Target
  tally: PingTally
  /** Why the last ping that was lost was. */
  lastError: QueryError | Unaskable | undefined
}

const report = Effect.fnUntraced(function* ({ lastError, tally, target }: Series, settings: PingSettings) {
  const { out } = yield* Output
  const ok = tally.received > 0
  if (settings.json) {
    const error = ok || lastError === undefined ? undefined : errorJson(lastError)
    return yield* out.line(jsonLine({ address: target.name, ok, ...tally.statistics, error }))
  }
  yield* out.line(`${out.palette.strong(target.name)}  ${summaryLine(tally.statistics)}`)
  if (!ok && lastError !== undefined) yield* printFailure(target.name, lastError, false)
})

/** Which kind of ping the server answers; not counted, since it may take several datagrams to find out. `undefined` is silence. */
const answeredKind = Effect.fnUntraced(function* (client: ClientShape, series: Series, settings: PingSettings) {
  if (settings.via !== "auto") return settings.via
  const found = yield* separate(
    client.ping(series.target.address, { ...clientOptions(settings), retries: Limits.DEFAULT_RETRIES, via: "auto" })
  )
  if (Result.isSuccess(found)) return found.success.via
  series.tally.add(undefined)
  series.lastError = found.failure
  return undefined
})

/** What is done after each ping, with what it came to in a word or two. */
type AfterPing = (series: Series, outcome: string) => Effect.Effect<void>

/** Pings one target as often as it is to be; one that answers nothing at first is asked again only where there is no end. */
const pingTarget = Effect.fnUntraced(function* (series: Series, settings: PingSettings, after: AfterPing) {
  if (series.target.unaskable !== undefined) return
  const client = yield* Client
  const count = settings.count === 0 ? Infinity : settings.count
  let via: "ping" | "info" | undefined
  for (let number = 1; number <= count; number++) {
    const begun = yield* Clock.currentTimeMillis
    via ??= yield* answeredKind(client, series, settings)
    if (via === undefined) {
      if (settings.count > 0) return
      yield* after(series, series.lastError!._tag)
    } else {
      const result = yield* separate(client.ping(series.target.address, { ...clientOptions(settings), via }))
      series.tally.add(Result.getOrUndefined(result))
      if (Result.isFailure(result)) series.lastError = result.failure
      yield* after(series, Result.isSuccess(result) ? roundTrip(result.success) : result.failure._tag)
    }
    const left = settings.interval - ((yield* Clock.currentTimeMillis) - begun)
    if (number < count && left > 0) yield* Effect.sleep(left)
  }
})

/** Pings without end all go on at the same time. */
const forEach = <E, R>(
  all: ReadonlyArray<Series>,
  { concurrency, count }: PingSettings,
  ping: (series: Series) => Effect.Effect<void, E, R>
) => Effect.forEach(all, ping, { concurrency: count === 0 ? "unbounded" : concurrency, discard: true })

/** Each ping of a single target is told of as it comes; others when all of theirs are done, or when they are interrupted. */
const pingPlainly = Effect.fnUntraced(function* (all: ReadonlyArray<Series>, settings: PingSettings) {
  const { out } = yield* Output
  const chatty = !settings.json && all.length === 1
  const after: AfterPing = ({ tally, target }, outcome) =>
    chatty ? out.line(`${out.palette.faint(`${target.name}  #${tally.sent}`)}  ${outcome}`) : Effect.void
  const one = (series: Series) =>
    pingTarget(series, settings, after).pipe(
      Effect.onInterrupt(() => (series.tally.sent > 0 ? report(series, settings) : Effect.void)),
      Effect.tap(() => Effect.sync(() => series.tally.received === 0 && recordFailure())),
      Effect.andThen(Effect.suspend(() => report(series, settings)))
    )
  yield* forEach(all, settings, one)
})

/** Shows the pings as they come; what is known of each target is left on the terminal at the end, however that comes. */
const pingLive = Effect.fnUntraced(function* (all: ReadonlyArray<Series>, settings: PingSettings) {
  const { showPings } = yield* Effect.promise(() => import("./pingView.ts"))
  const reports = Effect.suspend(() =>
    Effect.forEach(
      all.filter(({ lastError, tally }) => tally.sent > 0 || lastError !== undefined),
      (series) => report(series, settings),
      { discard: true }
    )
  )
  const pings = (pause: Effect.Effect<void>) =>
    forEach(all, settings, (series) => pingTarget(series, settings, () => pause))
  yield* Effect.ensuring(showPings(all, pings), reports)
})

const isLive = ({ count, json, trace }: PingSettings): boolean => !json && !trace && count !== 1 && canShow()

/** Pings every target; fails with `Reported` when one of them never answered. Interrupted, it reports what it has. */
export const runPing = Effect.fnUntraced(function* (settings: PingSettings) {
  const targets = yield* targetsOf(settings.addresses, settings.file)
  const all = targets.map((target): Series => ({ target, tally: new PingTally(), lastError: target.unaskable }))
  const ping = isLive(settings) ? pingLive : pingPlainly
  yield* ping(all, settings).pipe(Effect.provide(clientLayer(settings.trace)))
  if (all.some(({ tally }) => tally.received === 0)) return yield* new Reported()
})
