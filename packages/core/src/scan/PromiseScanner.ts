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
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Datagrams } from "../engine/Datagrams.ts"
import { demandLayer, isSignal, signalOf } from "../edge.ts"
import { beginScan } from "./beginScan.ts"
import type { ScanRun } from "./scanRun.ts"
import type { Abortable } from "../client/PromiseClient.ts"
import type { ScanOptions } from "./ScanOptions.ts"
import type { ScanTargets } from "./Scanner.ts"
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

type Batch = ReadonlyArray<ScanResult<ScanQuery>>

/** Reads one run. Its promises are bare: an Effect for each batch would keep the young garbage of all batches before alive. */
class BatchReader implements AsyncIterator<Batch> {
  private readonly begin: Effect.Effect<ScanRun, unknown, Scope.Scope>
  private readonly signal: AbortSignal | undefined
  private readonly scope = Scope.makeUnsafe()
  private run: ScanRun | undefined = undefined
  private isOver = false
  /** The last that was asked for, while it is not there. */
  private reading: Promise<IteratorResult<Batch>> | undefined = undefined
  /** Ends the reading that is under way. */
  private fail: ((reason: unknown) => void) | undefined = undefined

  constructor(begin: Effect.Effect<ScanRun, unknown, Scope.Scope>, signal: AbortSignal | undefined) {
    this.begin = begin
    // What is none is refused with the other options.
    this.signal = isSignal(signal) ? signal : undefined
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
    return this.run === undefined ? this.first() : this.take(this.run)
  }

  private async first(): Promise<IteratorResult<Batch>> {
    try {
      this.run = await this.start()
    } catch (error) {
      return this.endWith(error)
    }
    return this.take(this.run)
  }

  private async start(): Promise<ScanRun> {
    this.signal?.throwIfAborted()
    this.signal?.addEventListener("abort", this.onAbort, { once: true })
    const exit = await Effect.runPromiseExit(Effect.provideService(this.begin, Scope.Scope, this.scope))
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    return exit.value
  }

  private take(run: ScanRun): Promise<IteratorResult<Batch>> {
    return new Promise((resolve) => {
      const fail = (error: unknown): void => resolve(this.endWith(error))
      if (this.signal?.aborted === true) {
        fail(this.signal.reason)
        return
      }
      this.fail = fail
      run.outlet.take((taken) => {
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
    this.run?.close()
    this.fail?.(this.signal!.reason)
  }

  private async end(): Promise<void> {
    this.isOver = true
    this.signal?.removeEventListener("abort", this.onAbort)
    await Effect.runPromise(Scope.close(this.scope, Exit.void))
  }
}

/** A `scan` over one runtime's UDP. Reading rejects with `InvalidOption`, `TargetsFailed`, or the signal's reason. */
export const scanWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  <Q extends ScanQuery = "info">(targets: ScanTargets, query?: Q, options?: ScanOptions & Abortable): Scan<Q> => {
    demandLayer("datagrams", datagrams)
    const begin = Effect.flatMap(Layer.build(datagrams), (context) =>
      Effect.provideContext(beginScan(targets, query ?? "info", options), context)
    )
    const signal = Result.getOrElse(signalOf(options), () => undefined)
    // The query decides which parts an answer has.
    const batches = (): AsyncIterable<ReadonlyArray<ScanResult<Q>>> => ({
      [Symbol.asyncIterator]: () =>
        new BatchReader(begin, signal) as AsyncIterator<ReadonlyArray<ScanResult<ScanQuery>>> as AsyncIterator<
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
