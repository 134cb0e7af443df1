/** The Promise API of scans, for programs that do not use Effect. */
import type * as Layer from "effect/Layer"
import { type Abortable, type Running, start } from "../client/Running.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import { readSignal, withoutSignal } from "../edge.ts"
import type { InvalidOption } from "../client/Options.ts"
import type { Taken } from "./resultBuffer.ts"
import type { ScanRun } from "./scanRun.ts"
import type { PlainTargets, ScanOptions } from "./ScanOptions.ts"
import type { ScanQuery, ScanResult, TargetsFailed } from "./ScanResult.ts"

/**
 * A scan. The scan starts when you first read a result. If you leave the `for await` loop, the scan ends and releases all its resources.
 */
export interface Scan<Q extends ScanQuery> extends AsyncIterable<ScanResult<Q>> {
  /**
   * Returns the results in batches, instead of one by one. Each batch contains all results since the previous batch. If there are many
   * results, reading batches needs less CPU time than reading single results.
   */
  readonly batches: () => AsyncIterable<ReadonlyArray<ScanResult<Q>>>
}

type Batch = ReadonlyArray<ScanResult<ScanQuery>>
type ScanTaken = Taken<ScanResult<ScanQuery>, InvalidOption | TargetsFailed>

/**
 * Reads the results of one run. The reader creates its promises without Effect, because with an Effect per batch, the garbage of all
 * earlier batches would stay in memory.
 */
const makeReader = (
  begin: () => Promise<Running<ScanRun, Datagrams>>,
  options: Abortable | undefined
): AsyncIterator<Batch> => {
  let ending: ScanTaken | undefined
  let onTaken: ((taken: ScanTaken) => void) | undefined
  /** Ends the pending read. If no read is pending, the next read ends. */
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
    // The generator's own `return` would first wait until the pending batch arrives.
    return: () => {
      endWith({ _tag: "End" })
      return batches.return(undefined)
    }
  }
}

/**
 * Creates the `scan` function of a runtime. `datagrams` opens the runtime's UDP sockets. Reading a result rejects with `InvalidOption`,
 * with `TargetsFailed`, or with the reason of the abort signal.
 */
export const scanWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  <Q extends ScanQuery = "info">(targets: PlainTargets, query?: Q, options?: ScanOptions & Abortable): Scan<Q> => {
    const begin = async () => {
      const { beginScan } = await import("./beginScan.ts")
      return start("The scan", datagrams, beginScan(targets, query ?? "info", withoutSignal(options)), options)
    }
    // The type assertion is needed, because TypeScript cannot derive from `query` which replies a result contains.
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
