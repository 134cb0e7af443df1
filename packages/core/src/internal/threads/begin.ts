/**
 * The beginning of a scan: in this thread, or in as many as were asked for.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { Datagrams } from "../../Datagrams.ts"
import { InvalidOption } from "../../Options.ts"
import type { ScanOptions, ScanSettings } from "../../ScanOptions.ts"
import { scanSettingsOf } from "../../ScanOptions.ts"
import { ScanProgress } from "../../ScanProgress.ts"
import type { ScanTargets } from "../../Scanner.ts"
import type { ScanQuery } from "../../ScanResult.ts"
import type { ThreadHandler } from "../../Threads.ts"
import { Threads } from "../../Threads.ts"
import { timing } from "../../Timing.ts"
import { beginScan, iterableOf } from "../scan/beginScan.ts"
import { Names } from "../scan/names.ts"
import type { ScanRun } from "../scan/scanRun.ts"
import { Lane } from "./lane.ts"
import { ThreadedRun } from "./threadedRun.ts"
import type { Report, ThreadOptions } from "./wire.ts"

/** The part of a whole number that the thread of this index has. */
const shareOf = (whole: number, index: number, count: number): number =>
  Math.floor(whole / count) + (index < whole % count ? 1 : 0)

const optionsOf = (settings: ScanSettings, index: number, count: number): ThreadOptions => {
  const { concurrency, exchange, exclude, perHost, perNetwork, rate, sockets } = settings
  const { encoding, retries, timeoutMs } = exchange
  return {
    encoding,
    retries,
    timeoutMs,
    concurrency: shareOf(concurrency, index, count),
    rate: rate === undefined ? undefined : shareOf(rate, index, count),
    perHost,
    perNetwork,
    exclude,
    sockets: sockets === undefined ? undefined : Math.max(1, shareOf(sockets, index, count))
  }
}

const beginThreads = Effect.fnUntraced(function* (targets: ScanTargets, query: ScanQuery, options: ScanOptions) {
  const settings = yield* Effect.fromResult(scanSettingsOf(options))
  const found = yield* Effect.serviceOption(Threads)
  if (Option.isNone(found)) {
    return yield* new InvalidOption({ message: "threads: there are none on this transport.", option: "threads" })
  }
  const datagrams = yield* Datagrams
  const scope = yield* Effect.scope
  const forkAny = Effect.runForkWith(yield* Effect.context<never>())
  const fork = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): unknown =>
    forkAny(Effect.provideService(effect, Scope.Scope, scope))
  // Nobody has less than one target in flight, or one datagram a second.
  const count = Math.min(settings.threads, settings.concurrency, settings.rate ?? settings.threads)
  const lanes = Array.from({ length: count }, () => new Lane())
  // They end side by side, not one after the other.
  const threadScope = yield* Scope.fork(scope, "parallel")
  const { onDuplicate, progress = new ScanProgress(), stop } = options
  const run = new ThreadedRun({
    timing: yield* timing,
    names: new Names(datagrams.resolve, options.family, settings.exchange.timeoutMs, fork),
    lanes,
    progress,
    onDuplicate,
    targets: stop?.aborted === true ? [] : iterableOf(targets)
  })
  const handlerOf = (lane: Lane): ThreadHandler => ({
    onMessage: (message) => run.onReport(lane, message as Report),
    onEnd: (cause) => run.onThreadEnd(cause)
  })
  for (const [index, lane] of lanes.entries()) {
    const thread = yield* Effect.provideService(found.value.start(handlerOf(lane)), Scope.Scope, threadScope)
    lane.begin(thread, { _tag: "Begin", query, options: optionsOf(settings, index, count) })
  }
  run.start()
  const onStop = (): void => run.stop()
  stop?.addEventListener("abort", onStop)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      stop?.removeEventListener("abort", onStop)
      run.close()
    })
  )
  return run
})

/** A scan under way. */
export type BegunScan = ScanRun | ThreadedRun

/** A scan that has begun, for the life of the scope. */
export const begin = (targets: ScanTargets, query: ScanQuery, options: ScanOptions | undefined) =>
  Effect.gen(function* () {
    return options?.threads === undefined || options.threads === 1
      ? yield* beginScan(targets, query, options)
      : yield* beginThreads(targets, query, options)
  })
