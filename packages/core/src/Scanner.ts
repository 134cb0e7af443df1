/**
 * Asks very many game servers: over a few sockets, with bounded memory, as fast as network and targets bear. Targets are read as the
 * window opens, results come in batches in the order of arrival, and a slow reader slows the scan.
 *
 * For a handful of servers `Client` is the better choice: it notices closed ports, which a shared socket does not.
 *
 * @module
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AddressInput } from "./Client.ts"
import { Datagrams } from "./Datagrams.ts"
import { Names } from "./internal/scan/names.ts"
import { ScanPatience } from "./internal/scan/patience.ts"
import { RangeSet } from "./internal/scan/rangeSet.ts"
import { ScanRun } from "./internal/scan/scanRun.ts"
import { ScanSockets } from "./internal/scan/scanSockets.ts"
import type { InvalidOption } from "./Options.ts"
import { TokenBucket } from "./Pacer.ts"
import type { ScanOptions } from "./ScanOptions.ts"
import { scanSettingsOf } from "./ScanOptions.ts"
import { ScanProgress } from "./ScanProgress.ts"
import type { ScanQuery, ScanResult, TargetsFailed } from "./ScanResult.ts"
import { timing } from "./Timing.ts"

/** Where to ask: one address, or any number from an array, a generator, an endless source. Nothing is read ahead of need. */
export type ScanTargets =
  | AddressInput
  | Iterable<AddressInput>
  | AsyncIterable<AddressInput>
  | Stream.Stream<AddressInput, unknown>

/** What can end a scan before its targets do. */
export type ScanError = InvalidOption | TargetsFailed

/** What a {@link Scanner} does. */
export interface ScannerShape {
  /**
   * Asks each target once; targets that are the same address and port have one result. The query is `info` unless given. Ending the
   * stream early frees everything at once.
   */
  readonly scan: <Q extends ScanQuery = "info">(
    targets: ScanTargets,
    query?: Q,
    options?: ScanOptions
  ) => Stream.Stream<ReadonlyArray<ScanResult<Q>>, ScanError>
}

const iterableOf = (targets: ScanTargets): Iterable<AddressInput> | AsyncIterable<AddressInput> => {
  if (typeof targets === "string" || "host" in targets) return [targets]
  return Stream.isStream(targets) ? Stream.toAsyncIterable(targets) : targets
}

/** A scan that has begun, for the life of the scope. */
const begin = Effect.fnUntraced(function* (
  datagrams: typeof Datagrams.Service,
  targets: ScanTargets,
  query: ScanQuery,
  options: ScanOptions | undefined
) {
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
    targets: iterableOf(targets)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => run.close()))
  return run
})

/** Results of a run as a stream of batches. */
const batchesOf = (run: ScanRun): Stream.Stream<ReadonlyArray<ScanResult<ScanQuery>>, TargetsFailed> =>
  Stream.fromPull(
    Effect.succeed(
      Effect.callback<readonly [ReadonlyArray<ScanResult<ScanQuery>>], TargetsFailed | Cause.Done>((resume) => {
        run.outlet.take((taken) => {
          if (taken._tag === "Batch") resume(Effect.succeed([taken.results]))
          else resume(taken._tag === "End" ? Cause.done() : Effect.fail(taken.error))
        })
      })
    )
  )

/** See the module. */
export class Scanner extends Context.Service<Scanner, ScannerShape>()("@sourcewire/core/Scanner") {
  /** Over the transport's UDP. Each scan opens sockets of its own. */
  static readonly layer: Layer.Layer<Scanner, never, Datagrams> = Layer.effect(
    Scanner,
    Effect.map(Datagrams, (datagrams) => ({
      scan: <Q extends ScanQuery = "info">(targets: ScanTargets, query?: Q, options?: ScanOptions) =>
        Stream.unwrap(Effect.map(begin(datagrams, targets, query ?? "info", options), batchesOf)) as Stream.Stream<
          // The query decides which parts an answer has.
          ReadonlyArray<ScanResult<Q>>,
          ScanError
        >
    }))
  )
}
