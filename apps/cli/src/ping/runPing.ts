/** Runs `sourcewire ping`: measures round-trip times. */
import { Client, type QueryError } from "@sourcewire/core"
import { Limits, type MeasuredRoundTrip } from "@sourcewire/core/engine"
import { type ClientShape } from "@sourcewire/core/query"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ExitCode, Reported, recordFailure } from "../exitCode.ts"
import { errorJson, jsonLine } from "../output/json.ts"
import { canShow } from "../live/canShow.ts"
import { Output } from "../output/output.ts"
import { printFailure } from "../view/failureLine.ts"
import { milliseconds, plural, roundTrip, roundTripJson } from "../view/quantities.ts"
import { clientLayer, clientOptions, separate } from "../query/runQueries.ts"
import { parseTargets } from "../query/targets.ts"
import type { PingSettings } from "./flags.ts"
import type { Series } from "./series.ts"
import { type PingStatistics, PingTally } from "./statistics.ts"

const summaryLine = (statistics: PingStatistics): string => {
  const { avgMs, jitterMs, lossPercent, maxMs, minMs, rttAmbiguous, received, sent } = statistics
  const counts = `${plural(sent, "ping")} sent, ${plural(received, "reply", "replies")}, ${lossPercent} % lost`
  if (minMs === undefined) return counts
  const [min, avg, max] = [minMs, avgMs!, maxMs!].map((rttMs) =>
    roundTrip(rttAmbiguous === undefined ? { rttMs } : { rttMs, rttAmbiguous })
  )
  return `${counts}; min ${min}, avg ${avg}, max ${max}, jitter ${milliseconds(jitterMs!)}`
}

/** Formats a ping as JSON for endless mode: the result of the ping, and the statistics of all pings of the target until now. */
const pingJson = (address: string, { statistics }: PingTally, result: Parameters<AfterPing>[1]): string =>
  Result.isSuccess(result)
    ? jsonLine({ address, ok: true, ...roundTripJson(result.success), ...statistics })
    : jsonLine({ address, ok: false, ...statistics, error: errorJson(result.failure) })

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

/**
 * Records a ping without a reply. The ping counts as packet loss, except if this host sent no request, because the host name was not
 * resolved or sending failed.
 */
const lose = (series: Series, error: QueryError): void => {
  if (error._tag !== "Unresolved" && error._tag !== "SendFailed") series.tally.add(undefined)
  series.lastError = error
}

/**
 * Returns the kind of request with which the target is pinged: A2A_PING or A2S_INFO. If the user did not choose a kind, this function sends
 * a query to find out whether the server replies to A2A_PING or A2S_INFO. If the server replies to neither, the query counts as a ping
 * without a reply, and the result is `undefined`. If the server replies, the query is not part of the statistics, because the query can
 * send several datagrams.
 */
const answeredKind = Effect.fnUntraced(function* (client: ClientShape, series: Series, settings: PingSettings) {
  if (settings.via !== "auto") return settings.via
  const found = yield* separate(
    client.ping(series.target.address, { ...clientOptions(settings), retries: Limits.DEFAULT_RETRIES, via: "auto" })
  )
  if (Result.isSuccess(found)) return found.success.via
  lose(series, found.failure)
  return undefined
})

type AfterPing = (
  series: Series,
  result: Result.Result<MeasuredRoundTrip, NonNullable<Series["lastError"]>>
) => Effect.Effect<void>

/**
 * Pings a target as often as requested. If the query of {@link answeredKind} gets no reply, the function does not ping the target. In
 * endless mode, the function repeats this query at the interval of the pings until the server replies.
 */
const pingTarget = Effect.fnUntraced(function* (series: Series, settings: PingSettings, after: AfterPing) {
  if (series.target.notQueryable !== undefined) return
  const client = yield* Client
  const count = settings.count === 0 ? Infinity : settings.count
  let via: "ping" | "info" | undefined
  for (let number = 1; number <= count; number++) {
    const begun = yield* Clock.currentTimeMillis
    via ??= yield* answeredKind(client, series, settings)
    if (via === undefined) {
      if (settings.count > 0) return
      yield* after(series, Result.fail(series.lastError!))
    } else {
      const result = yield* separate(client.ping(series.target.address, { ...clientOptions(settings), via }))
      if (Result.isSuccess(result)) series.tally.add(result.success)
      else lose(series, result.failure)
      yield* after(series, result)
    }
    const left = settings.interval - ((yield* Clock.currentTimeMillis) - begun)
    if (number < count && left > 0) yield* Effect.sleep(left)
  }
})

/**
 * Pings targets in parallel. In endless mode, all targets are pinged at the same time. Otherwise, at most `concurrency` targets are pinged
 * at the same time.
 */
const forEach = <E, R>(
  all: ReadonlyArray<Series>,
  { concurrency, count }: PingSettings,
  ping: (series: Series) => Effect.Effect<void, E, R>
) => Effect.forEach(all, ping, { concurrency: count === 0 ? "unbounded" : concurrency, discard: true })

/**
 * Pings targets without a live view, and prints the result of each target after the last ping. If there is only one target and `--json` is
 * absent, this function also prints each ping. In endless mode with `--json`, this function prints each ping as JSON, but not the results
 * of the targets.
 */
const pingPlainly = Effect.fnUntraced(function* (all: ReadonlyArray<Series>, settings: PingSettings) {
  const { out } = yield* Output
  const isEndless = settings.count === 0
  const after: AfterPing = ({ tally, target }, result) => {
    if (settings.json) return isEndless ? out.line(pingJson(target.name, tally, result)) : Effect.void
    if (all.length > 1) return Effect.void
    const outcome = Result.isSuccess(result) ? roundTrip(result.success) : result.failure._tag
    return out.line(`${out.palette.faint(`${target.name}  #${tally.sent}`)}  ${outcome}`)
  }
  const reportOn = (series: Series) => (isEndless && settings.json ? Effect.void : report(series, settings))
  const one = (series: Series) =>
    pingTarget(series, settings, after).pipe(
      Effect.onInterrupt(() => (series.tally.sent > 0 ? reportOn(series) : Effect.void)),
      Effect.tap(() => Effect.sync(() => series.tally.received === 0 && recordFailure())),
      Effect.andThen(Effect.suspend(() => reportOn(series)))
    )
  yield* forEach(all, settings, one)
})

/** Shows the pings in a live view, and prints the result of each target when the view closes. */
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

/**
 * Pings all targets. Fails with `Reported` if at least one target never replied. If the user interrupts the command, the results of the
 * pings so far are printed.
 */
export const runPing = Effect.fnUntraced(function* (settings: PingSettings) {
  const targets = yield* parseTargets(settings.addresses, settings.file)
  const all = targets.map((target): Series => ({ target, tally: new PingTally(), lastError: target.notQueryable }))
  const ping = isLive(settings) ? pingLive : pingPlainly
  yield* ping(all, settings).pipe(Effect.provide(clientLayer(settings.trace)))
  const failed = all.filter(({ tally }) => tally.received === 0)
  const isRefused = failed.every(({ lastError }) => lastError?._tag === "Refused")
  if (failed.length > 0) return yield* new Reported(isRefused ? ExitCode.Refused : ExitCode.Failure)
})
