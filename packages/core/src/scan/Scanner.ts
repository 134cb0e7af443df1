/**
 * Queries many game servers over a few sockets, with bounded memory, at a rate that adapts to the network. The scan reads the next target
 * only when another query may start. Results arrive in batches, in the order of completion. If the program reads the results slowly, the
 * scan slows down.
 *
 * For a few servers, use a `Client` instead of a scan. The connected sockets of a `Client` report closed ports. The shared sockets of a
 * scan do not report closed ports.
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

/** The targets: {@link PlainTargets}, or a stream of addresses. */
export type ScanTargets = PlainTargets | Stream.Stream<AddressInput, unknown>

/** The errors that end a scan early. */
export type ScanError = InvalidOption | TargetsFailed

/** Returns the results of a run as a stream of batches. */
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

/** Starts a scan. When the scan has ended, this function adds the numbers of answered and failed targets to the metrics. */
const beginCounted = /* @__PURE__ */ Effect.fnUntraced(function* (
  targets: ScanTargets,
  query: ScanQuery,
  options?: ScanOptions
) {
  // The stream runs with the context of the scan, for example with its clock and its logger.
  const plain = isStream(targets) ? yield* Stream.toAsyncIterableEffect(targets) : targets
  const run = yield* beginScan(plain, query, options)
  yield* Effect.addFinalizer(() => Effect.suspend(() => countTargets(query, run.counted)))
  return streamBatches(run)
})

/**
 * Like {@link scan}, but returns the results in batches. If there are many targets, reading batches needs less CPU time than reading single
 * results.
 */
export const scanBatches = <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions
): Stream.Stream<ReadonlyArray<ScanResult<Q>>, ScanError, Datagrams> =>
  // The type assertion is needed, because TypeScript cannot derive from `query` which replies a result contains.
  Stream.unwrap(beginCounted(targets, query ?? "info", options)).pipe(
    Stream.withSpan("sourcewire.scan", { attributes: { "sourcewire.query": query ?? "info" } })
  ) as Stream.Stream<ReadonlyArray<ScanResult<Q>>, ScanError, Datagrams>

/**
 * Queries each target once. If several targets have the same address and port, only the first of these targets gets a result. Results
 * arrive in the order of completion. The default query is `info`. If you end the stream early, the scan releases all its resources at
 * once.
 */
export const scan = <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions
): Stream.Stream<ScanResult<Q>, ScanError, Datagrams> => Stream.flattenIterable(scanBatches(targets, query, options))
