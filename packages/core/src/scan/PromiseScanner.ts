/** Queries many game servers: the Promise API, for programs that do not use Effect. */
import type * as Layer from "effect/Layer"
import { type Abortable, type Running, start } from "../client/Running.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import { readSignal, withoutSignal } from "../edge.ts"
import type { InvalidOption } from "../client/Options.ts"
import type { Taken } from "./resultBuffer.ts"
import type { ScanRun } from "./scanRun.ts"
import type { PlainTargets, ScanOptions } from "./ScanOptions.ts"
import type { ScanQuery, ScanResult, TargetsFailed } from "./ScanResult.ts"

/** A scan, which starts when it is first read. Leaving the loop ends it and releases everything. */
export interface Scan<Q extends ScanQuery> extends AsyncIterable<ScanResult<Q>> {
  /** The same results in batches: all that have arrived so far. Uses less CPU time if there are many. */
  readonly batches: () => AsyncIterable<ReadonlyArray<ScanResult<Q>>>
}

type Batch = ReadonlyArray<ScanResult<ScanQuery>>
type ScanTaken = Taken<ScanResult<ScanQuery>, InvalidOption | TargetsFailed>

/** Reads one run. It makes promises directly: an Effect per batch would keep the garbage of all earlier batches alive. */
const makeReader = (
  begin: () => Promise<Running<ScanRun, Datagrams>>,
  options: Abortable | undefined
): AsyncIterator<Batch> => {
  let ending: ScanTaken | undefined
  let onTaken: ((taken: ScanTaken) => void) | undefined
  /** Ends the current read, or the next one. */
  const endWith = (taken: ScanTaken): void => {
    ending ??= taken
    onTaken?.(taken)
  }
  const batches = (async function* (): AsyncGenerator<Batch, undefined> {
    const signal = readSignal(options)
    const { closable, value: run } = await begin()
    const onAbort = (): void => {
      run.abort()
      endWith({ _tag: "Defect", error: signal!.reason })
    }
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener("abort", onAbort, { once: true })
    try {
      for (;;) {
        const taken = await new Promise<ScanTaken>((resolve) => {
          onTaken = resolve
          if (ending === undefined) run.results.take(resolve)
          else resolve(ending)
        })
        if (taken._tag === "End") return
        if (taken._tag !== "Batch") throw taken.error
        yield taken.results
      }
    } finally {
      signal?.removeEventListener("abort", onAbort)
      await closable.close()
    }
  })()
  return {
    next: () => batches.next(),
    // If this were a generator, it would wait for the batch in progress.
    return: () => {
      endWith({ _tag: "End" })
      return batches.return(undefined)
    }
  }
}

/**
 * Makes the `scan` of one runtime from its UDP. Reading rejects with `InvalidOption`, `TargetsFailed`, or the reason of the abort signal.
 */
export const scanWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  <Q extends ScanQuery = "info">(targets: PlainTargets, query?: Q, options?: ScanOptions & Abortable): Scan<Q> => {
    const begin = async () => {
      const { beginScan } = await import("./beginScan.ts")
      return start("The scan", datagrams, beginScan(targets, query ?? "info", withoutSignal(options)), options)
    }
    // The kind of query determines which parts a result has.
    const batches = (): AsyncIterable<ReadonlyArray<ScanResult<Q>>> => ({
      [Symbol.asyncIterator]: () =>
        makeReader(begin, options) as AsyncIterator<ReadonlyArray<ScanResult<ScanQuery>>> as AsyncIterator<
          ReadonlyArray<ScanResult<Q>>
        >
    })
    return {
      batches,
      async *[Symbol.asyncIterator]() {
        for await (const batch of batches()) yield* batch
      }
    }
  }
