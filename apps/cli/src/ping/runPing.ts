/** Measures round trips one after the other: the work of `sourcewire ping`. */
import { Client, type QueryError } from "@sourcewire/core"
import type { Unaskable } from "@sourcewire/games"
import { type PingOptions, type ClientShape, Limits, type MeasuredRoundTrip } from "@sourcewire/core/machines"

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ExitCode, Reported, recordFailure } from "../exitCode.ts"
import { errorJson, jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { failureLine } from "../view/failureLine.ts"
import { milliseconds, plural, roundMs, roundTrip } from "../view/quantities.ts"
import { clientLayer, clientOptions, separate } from "../query/runQueries.ts"
import { type Target, targetsOf } from "../query/targets.ts"
import type { PingSettings } from "./command.ts"

/** What is known after so many pings. Times in ms, absent until one came back. */
export interface PingStatistics {
  readonly sent: number
  readonly received: number
  readonly lossPercent: number
  /** All times are guesses; where there is a round trip that is none, the guesses are left out of them. */
  readonly rttAmbiguous?: true
  readonly minMs?: number
  readonly avgMs?: number
  readonly maxMs?: number
  /** Mean difference between one round trip and the next. */
  readonly jitterMs?: number
}

/** The statistics of the round trips that came back, of so many pings. */
export const statisticsOf = (sent: number, rtts: ReadonlyArray<MeasuredRoundTrip>): PingStatistics => {
  const received = rtts.length
  const lossPercent = sent === 0 ? 0 : Math.round(((sent - received) / sent) * 1000) / 10
  if (received === 0) return { sent, received, lossPercent }
  const facts = rtts.filter(({ rttAmbiguous }) => rttAmbiguous !== true)
  const rttsMs = (facts.length > 0 ? facts : rtts).map(({ rttMs }) => rttMs)
  const mean = (values: ReadonlyArray<number>): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  const steps = rttsMs.slice(1).map((rtt, i) => Math.abs(rtt - rttsMs[i]!))
  return {
    sent,
    received,
    lossPercent,
    ...(facts.length > 0 ? {} : { rttAmbiguous: true }),
    minMs: roundMs(rttsMs.reduce((least, rtt) => Math.min(least, rtt))),
    avgMs: roundMs(mean(rttsMs)),
    maxMs: roundMs(rttsMs.reduce((most, rtt) => Math.max(most, rtt))),
    jitterMs: roundMs(mean(steps))
  }
}

const summaryLine = (statistics: PingStatistics): string => {
  const { avgMs, jitterMs, lossPercent, maxMs, minMs, rttAmbiguous, received, sent } = statistics
  const counts = `${plural(sent, "ping")}, ${received} answered, ${lossPercent} % lost`
  if (minMs === undefined) return counts
  const [min, avg, max] = [minMs, avgMs!, maxMs!].map((rttMs) =>
    roundTrip(rttAmbiguous === undefined ? { rttMs } : { rttMs, rttAmbiguous })
  )
  return `${counts}; min ${min}, avg ${avg}, max ${max}, jitter ${milliseconds(jitterMs!)}`
}

/** What is under way with one target. */
interface Series {
  readonly target: Target
  sent: number
  readonly rtts: Array<MeasuredRoundTrip>
  lastError: QueryError | Unaskable | undefined
}

const pingOnce = Effect.fnUntraced(function* (client: ClientShape, series: Series, options: PingOptions) {
  series.sent++
  const result = yield* separate(client.ping(series.target.address, options))
  if (Result.isSuccess(result)) series.rtts.push(result.success)
  else series.lastError = result.failure
  return result
})

const report = Effect.fnUntraced(function* (series: Series, settings: PingSettings) {
  const { err, out } = yield* Output
  const { lastError, rtts, sent, target } = series
  const statistics = statisticsOf(sent, rtts)
  const ok = rtts.length > 0
  if (settings.json) {
    const error = ok || lastError === undefined ? undefined : errorJson(lastError)
    return yield* out.line(jsonLine({ address: target.name, ok, ...statistics, error }))
  }
  yield* out.line(`${out.palette.strong(target.name)}  ${summaryLine(statistics)}`)
  if (!ok && lastError !== undefined) yield* err.line(failureLine(target.name, lastError, err))
})

/** Which kind of ping the server answers; not counted, since it may take several datagrams to find out. `undefined` is silence. */
const answeredKind = Effect.fnUntraced(function* (client: ClientShape, series: Series, settings: PingSettings) {
  if (settings.via !== "auto") return settings.via
  const found = yield* separate(
    client.ping(series.target.address, { ...clientOptions(settings), retries: Limits.DEFAULT_RETRIES, via: "auto" })
  )
  if (Result.isSuccess(found)) return found.success.via
  series.sent++
  series.lastError = found.failure
  return undefined
})

/** Pings one target so often, and says so each time where `chatty`. */
const pingTarget = Effect.fnUntraced(function* (series: Series, settings: PingSettings, chatty: boolean) {
  const client = yield* Client
  const { out } = yield* Output
  const via = yield* answeredKind(client, series, settings)
  if (via === undefined) return
  for (let number = 1; number <= settings.count; number++) {
    const begun = yield* Clock.currentTimeMillis
    const result = yield* pingOnce(client, series, { ...clientOptions(settings), via })
    if (chatty) {
      const text = Result.isSuccess(result) ? roundTrip(result.success) : result.failure._tag
      yield* out.line(`${out.palette.faint(`${series.target.name}  #${number}`)}  ${text}`)
    }
    const left = settings.interval - ((yield* Clock.currentTimeMillis) - begun)
    if (number < settings.count && left > 0) yield* Effect.sleep(left)
  }
})

/** Pings every target; fails with `Reported` when one of them never answered. Interrupted, it reports what it has. */
export const runPing = Effect.fnUntraced(function* (settings: PingSettings) {
  const targets = yield* targetsOf(settings.addresses, settings.file)
  const chatty = !settings.json && targets.length === 1
  let failed = 0
  const one = (target: Target) => {
    const series: Series = { target, sent: 0, rtts: [], lastError: target.unaskable }
    return (target.unaskable === undefined ? pingTarget(series, settings, chatty) : Effect.void).pipe(
      Effect.onInterrupt(() => (series.sent > 0 ? report(series, settings) : Effect.void)),
      Effect.tap(() => Effect.sync(() => void (failed += series.rtts.length === 0 ? recordFailure() : 0))),
      Effect.andThen(Effect.suspend(() => report(series, settings)))
    )
  }
  yield* Effect.forEach(targets, one, { concurrency: settings.concurrency, discard: true }).pipe(
    Effect.provide(clientLayer(settings.trace))
  )
  if (failed > 0) return yield* new Reported({ exitCode: ExitCode.Failure })
})
