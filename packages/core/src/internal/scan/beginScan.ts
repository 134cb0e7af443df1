/**
 * The beginning of a scan: options checked, parts put together, everything freed with the scope.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AddressInput } from "../../Client.ts"
import { Datagrams } from "../../Datagrams.ts"
import { TokenBucket } from "../../Pacer.ts"
import type { ScanOptions } from "../../ScanOptions.ts"
import { scanSettingsOf } from "../../ScanOptions.ts"
import { ScanProgress } from "../../ScanProgress.ts"
import type { ScanTargets } from "../../Scanner.ts"
import type { ScanQuery } from "../../ScanResult.ts"
import { timing } from "../../Timing.ts"
import { Names } from "./names.ts"
import { ScanPatience } from "./patience.ts"
import { RangeSet } from "./rangeSet.ts"
import { ScanRun } from "./scanRun.ts"
import { ScanSockets } from "./scanSockets.ts"

/** Targets however given, to be read one by one. */
const iterableOf = (targets: ScanTargets): Iterable<AddressInput> | AsyncIterable<AddressInput> => {
  if (typeof targets === "string" || "host" in targets) return [targets]
  return Stream.isStream(targets) ? Stream.toAsyncIterable(targets) : targets
}

/** A scan that has begun, for the life of the scope. */
export const beginScan = Effect.fnUntraced(function* (
  targets: ScanTargets,
  query: ScanQuery,
  options: ScanOptions | undefined
) {
  const datagrams = yield* Datagrams
  const settings = yield* Effect.fromResult(scanSettingsOf(options))
  const scope = yield* Effect.scope
  const clock = yield* timing
  const forkAny = Effect.runForkWith(yield* Effect.context<never>())
  const fork = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): unknown =>
    forkAny(Effect.provideService(effect, Scope.Scope, scope))
  const { concurrency, exchange, exclude, perHost, perNetwork, rate, sockets } = settings
  const bucket = rate === undefined ? undefined : new TokenBucket(rate)
  const plan = { open: datagrams.open, query, concurrency, sockets, fork }
  const run = new ScanRun({
    timing: clock,
    sockets: (flights, onReady) => new ScanSockets(plan, flights, onReady),
    names: new Names(datagrams.resolve, options?.family, exchange.timeoutMs, fork),
    patience: new ScanPatience(exchange),
    query,
    concurrency,
    perHost,
    perNetwork,
    bucket,
    excluded: exclude.length === 0 ? undefined : new RangeSet(exclude),
    progress: options?.progress ?? new ScanProgress(),
    onDuplicate: options?.onDuplicate,
    targets: options?.stop?.aborted === true ? [] : iterableOf(targets)
  })
  const stop = (): void => run.stop()
  options?.stop?.addEventListener("abort", stop)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      options?.stop?.removeEventListener("abort", stop)
      run.close()
    })
  )
  return run
})
