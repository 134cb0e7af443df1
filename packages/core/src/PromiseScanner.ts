/**
 * Asks very many game servers: the door for programs that don't use Effect. Each transport package exports a `scan` made here.
 *
 * @example
 * import { scanWith } from "@sourcewire/core"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * const scan = scanWith(NodeDatagrams.layer) // what the transports export
 * for await (const results of scan(["127.0.0.1:27015"], "all").batches()) console.log(results.length)
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Datagrams } from "./Datagrams.ts"
import type { Abortable } from "./PromiseClient.ts"
import type { ScanOptions } from "./ScanOptions.ts"
import type { ScanTargets } from "./Scanner.ts"
import { Scanner } from "./Scanner.ts"
import type { ScanQuery, ScanResult } from "./ScanResult.ts"

/**
 * A scan, which begins when it is first read. Leaving the loop ends it and frees everything.
 *
 * @example
 * import { scan } from "@sourcewire/transport-node"
 * const addresses = ["127.0.0.1:27015", "127.0.0.1:27016"]
 * for await (const result of scan(addresses)) if (result._tag === "Answered") console.log(result.info.name)
 */
export interface Scan<Q extends ScanQuery> extends AsyncIterable<ScanResult<Q>> {
  /** The same, as many results at a time as have arrived: cheaper where there are very many. */
  readonly batches: () => AsyncIterable<ReadonlyArray<ScanResult<Q>>>
}

/** Fails with the signal's reason once it is given. */
const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const onAbort = (): void => resume(Effect.fail(signal.reason))
    if (signal.aborted) {
      onAbort()
      return undefined
    }
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

/** A `scan` over one runtime's UDP. Reading rejects with `InvalidOption`, `TargetsFailed`, or the signal's reason. */
export const scanWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  <Q extends ScanQuery = "info">(targets: ScanTargets, query?: Q, options?: ScanOptions & Abortable): Scan<Q> => {
    const results = Stream.unwrap(
      Effect.map(Scanner, (scanner) => scanner.scan(targets, query ?? ("info" as Q), options))
    ).pipe(Stream.provide(Layer.provide(Scanner.layer, datagrams)))
    const batches = (): AsyncIterable<ReadonlyArray<ScanResult<Q>>> =>
      Stream.toAsyncIterable(
        options?.signal === undefined ? results : Stream.interruptWhen(results, aborted(options.signal))
      )
    return {
      batches,
      async *[Symbol.asyncIterator]() {
        for await (const batch of batches()) yield* batch
      }
    }
  }
