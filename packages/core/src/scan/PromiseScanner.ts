/** Asks very many game servers: the Promise API, for programs that don't use Effect. */
import type * as Layer from "effect/Layer"
import { type Abortable, type Running, start } from "../client/Running.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import { signalOf } from "../edge.ts"
import type { ScanRun } from "./scanRun.ts"
import type { PlainTargets, ScanOptions } from "./ScanOptions.ts"
import type { ScanQuery, ScanResult } from "./ScanResult.ts"

/** A scan, which begins when it is first read. Leaving the loop ends it and frees everything. */
export interface Scan<Q extends ScanQuery> extends AsyncIterable<ScanResult<Q>> {
  /** The same, as many results at a time as have arrived: cheaper where there are very many. */
  readonly batches: () => AsyncIterable<ReadonlyArray<ScanResult<Q>>>
}

type ScanRunning = Running<ScanRun, Datagrams>
type Batch = ReadonlyArray<ScanResult<ScanQuery>>

/** Reads one run. Its promises are bare: an Effect for each batch would keep the young garbage of all batches before alive. */
class BatchReader implements AsyncIterator<Batch> {
  private readonly start: () => Promise<ScanRunning>
  private readonly options: Abortable | undefined
  private signal: AbortSignal | undefined = undefined
  private running: ScanRunning | undefined = undefined
  private isOver = false
  /** The last that was asked for, while it is not there. */
  private reading: Promise<IteratorResult<Batch>> | undefined = undefined
  /** Ends the reading that is under way. */
  private fail: ((reason: unknown) => void) | undefined = undefined

  constructor(start: () => Promise<ScanRunning>, options: Abortable | undefined) {
    this.start = start
    this.options = options
  }

  next(): Promise<IteratorResult<Batch>> {
    const { reading } = this
    // Whoever does not wait for a batch gets the next after it, as from any asynchronous generator.
    const next = reading === undefined ? this.advance() : reading.then(this.advance, this.advance)
    this.reading = next
    const onRead = (): void => {
      if (this.reading === next) this.reading = undefined
    }
    next.then(onRead, onRead)
    return next
  }

  async return(): Promise<IteratorResult<Batch>> {
    await this.end()
    return { done: true, value: undefined }
  }

  private readonly advance = (): Promise<IteratorResult<Batch>> => {
    if (this.isOver) return this.return()
    return this.running === undefined ? this.first() : this.take(this.running.value)
  }

  private async first(): Promise<IteratorResult<Batch>> {
    try {
      this.running = await this.start()
      this.signal = signalOf(this.options)
    } catch (error) {
      return this.endWith(error)
    }
    // It may have been ended while it began.
    if (this.isOver) return this.return()
    this.signal?.addEventListener("abort", this.onAbort, { once: true })
    return this.take(this.running.value)
  }

  private take(run: ScanRun): Promise<IteratorResult<Batch>> {
    return new Promise((resolve) => {
      const fail = (error: unknown): void => resolve(this.endWith(error))
      if (this.signal?.aborted === true) {
        fail(this.signal.reason)
        return
      }
      this.fail = fail
      run.results.take((taken) => {
        this.fail = undefined
        if (taken._tag === "Batch") resolve({ done: false, value: taken.results })
        else if (taken._tag === "End") resolve(this.return())
        else fail(taken.error)
      })
    })
  }

  private async endWith(error: unknown): Promise<never> {
    await this.end()
    throw error
  }

  private readonly onAbort = (): void => {
    this.running?.value.close()
    this.fail?.(this.signal!.reason)
  }

  private async end(): Promise<void> {
    this.isOver = true
    this.signal?.removeEventListener("abort", this.onAbort)
    await this.running?.closable.close()
  }
}

/** A `scan` over one runtime's UDP. Reading rejects with `InvalidOption`, `TargetsFailed`, or the signal's reason. */
export const scanWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  <Q extends ScanQuery = "info">(targets: PlainTargets, query?: Q, options?: ScanOptions & Abortable): Scan<Q> => {
    const begin = async () => {
      const { beginScan } = await import("./beginScan.ts")
      return start("The scan", datagrams, beginScan(targets, query ?? "info", options), options)
    }
    // The query decides which parts an answer has.
    const batches = (): AsyncIterable<ReadonlyArray<ScanResult<Q>>> => ({
      [Symbol.asyncIterator]: () =>
        new BatchReader(begin, options) as AsyncIterator<ReadonlyArray<ScanResult<ScanQuery>>> as AsyncIterator<
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
