/**
 * Passes results to the reader in batches, so that the reader wakes once for many results. A result waits for a few milliseconds at most.
 * The scan checks the length of `batch`, and pauses while the reader is slow.
 */
import type { Timing } from "../engine/Timing.ts"

/** A batch is delivered at once if it has this many results per ms that a result may wait. */
const FULL_BATCH_PER_MS = 3.2

/** The result of a read: a batch, or the end. After the end, every read returns the end. */
export type Taken<A, E> =
  | { readonly _tag: "Batch"; readonly results: ReadonlyArray<A> }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failure"; readonly error: E }
  /** A function of the caller threw this error. */
  | { readonly _tag: "Defect"; readonly error: unknown }

/** A buffer with one writer and one reader, which takes one batch at a time. */
export class ResultBuffer<A, E> {
  private readonly timing: Timing
  private readonly onTaken: () => void
  /** A batch that is not full waits at most this long for further results. */
  private readonly batchMs: number
  private readonly full: number
  /** Results that wait for the reader. Only this class writes it. */
  batch: Array<A> = []
  private reader: ((taken: Taken<A, E>) => void) | undefined = undefined
  private isOver = false
  private end: Taken<A, E> = { _tag: "End" }
  private cancelTimer: (() => void) | undefined = undefined

  /** `onTaken` is called after a batch was delivered. */
  constructor(timing: Timing, onTaken: () => void, batchMs: number) {
    this.timing = timing
    this.onTaken = onTaken
    this.batchMs = batchMs
    this.full = FULL_BATCH_PER_MS * batchMs
  }

  /** Adds a result. */
  push(result: A): void {
    this.batch.push(result)
    if (this.reader === undefined) return
    if (this.batch.length >= this.full) this.deliver()
    // The timer stays set if a full batch is delivered earlier, so that there is one timer every few milliseconds, and not one per batch.
    else this.cancelTimer ??= this.timing.schedule(this.batchMs, this.onTimer)
  }

  /** No more results will be added. The reader still gets the waiting ones. */
  finish(): void {
    this.isOver = true
    this.stopTimer()
    if (this.reader !== undefined) this.deliver()
  }

  /** Sets the end that the reader gets. */
  endWith(end: Taken<A, E>): void {
    this.end = end
  }

  /** Passes the next batch to `reader`. Only one reader at a time is allowed. */
  take(reader: (taken: Taken<A, E>) => void): void {
    this.reader = reader
    if (this.batch.length > 0 || this.isOver) this.deliver()
  }

  /** Removes the reader. */
  forget(): void {
    this.reader = undefined
    this.stopTimer()
  }

  private stopTimer(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
  }

  private readonly onTimer = (): void => {
    this.cancelTimer = undefined
    if (this.batch.length > 0) this.deliver()
  }

  private deliver(): void {
    const { batch, end, isOver, reader } = this
    if (reader === undefined) return
    this.reader = undefined
    if (batch.length > 0) {
      this.batch = []
      reader({ _tag: "Batch", results: batch })
      this.onTaken()
    } else if (isOver) reader(end)
  }
}
