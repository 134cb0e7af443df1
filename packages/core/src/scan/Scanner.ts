/**
 * Queries many game servers over a few sockets, with bounded memory, at a rate that adapts to the network. Targets are read when they can
 * be queried. Results arrive in batches in the order of the replies, and a slow reader slows down the scan.
 *
 * For a few servers, `Client` is the better choice: it detects closed ports, which a shared socket cannot.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { AddressInput } from "../client/ClientShape.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import { countTargets } from "../client/metrics.ts"
import { tryCondition } from "../edge.ts"
import { beginScan } from "./beginScan.ts"
import type { ScanRun } from "./scanRun.ts"
import type { InvalidOption } from "../client/Options.ts"
import type { PlainTargets, ScanOptions } from "./ScanOptions.ts"
import type { ScanQuery, ScanResult, TargetsFailed } from "./ScanResult.ts"

/** The targets, see {@link PlainTargets}; or a stream of addresses. */
export type ScanTargets = PlainTargets | Stream.Stream<AddressInput, unknown>

/** The errors that end a scan early. */
export type ScanError = InvalidOption | TargetsFailed

/** The results of a run as a stream of batches. */
const streamBatches = (run: ScanRun): Stream.Stream<ReadonlyArray<ScanResult<ScanQuery>>, ScanError> =>
  Stream.fromPull(
    Effect.succeed(
      Effect.callback<readonly [ReadonlyArray<ScanResult<ScanQuery>>], ScanError | Cause.Done>((resume) => {
        run.results.take((taken) => {
          if (taken._tag === "Batch") resume(Effect.succeed([taken.results]))
          else if (taken._tag === "End") resume(Cause.done())
          else resume(taken._tag === "Failure" ? Effect.fail(taken.error) : Effect.die(taken.error))
        })
      })
    )
  )

const isStream = (targets: ScanTargets): targets is Stream.Stream<AddressInput, unknown> =>
  tryCondition(() => Stream.isStream(targets))

/** Starts a scan. When it has ended, its targets are counted in the metrics. */
const beginCounted = /* @__PURE__ */ Effect.fnUntraced(function* (
  targets: ScanTargets,
  query: ScanQuery,
  options?: ScanOptions
) {
  const plain = isStream(targets) ? Stream.toAsyncIterable(targets) : targets
  const run = yield* beginScan(plain, query, options)
  yield* Effect.addFinalizer(() => Effect.suspend(() => countTargets(query, run.counted)))
  return streamBatches(run)
})

/** Like {@link scan}, but returns the results in batches, which takes less CPU time for many targets. */
export const scanBatches = <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions
): Stream.Stream<ReadonlyArray<ScanResult<Q>>, ScanError, Datagrams> =>
  // The kind of query determines which parts a result has.
  Stream.unwrap(beginCounted(targets, query ?? "info", options)).pipe(
    Stream.withSpan("sourcewire.scan", { attributes: { "sourcewire.query": query ?? "info" } })
  ) as Stream.Stream<ReadonlyArray<ScanResult<Q>>, ScanError, Datagrams>

/**
 * Queries each target once. Targets with the same address and port have one result. Results arrive in the order of the replies. The default
 * query is `info`. Ending the stream early releases everything at once.
 */
export const scan = <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions
): Stream.Stream<ScanResult<Q>, ScanError, Datagrams> => Stream.flattenIterable(scanBatches(targets, query, options))
