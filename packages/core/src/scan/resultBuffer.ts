/**
 * Passes results to the reader in batches, so that the reader wakes once for many results. While the reader waits, a result is delayed by
 * `batchMs` at most. The scan checks the length of `batch`, and pauses while too many results wait for a slow reader.
 */
import type { Timing } from "../engine/Timing.ts"

/** A batch is full if it contains this many results for each ms of `batchMs`. A full batch is delivered at once. */
const FULL_BATCH_PER_MS = 3.2

/** The result of a read: a batch, or the end (`End`, `Failure` or `Defect`). After the last batch, every read returns the end. */
export type Taken<A, E> =
  | { readonly _tag: "Batch"; readonly results: ReadonlyArray<A> }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failure"; readonly error: E }
  /** A function of the caller threw this error. */
  | { readonly _tag: "Defect"; readonly error: unknown }

/** A buffer between one writer and one reader. The writer adds single results, and each read returns a batch. */
export class ResultBuffer<A, E> {
  private readonly timing: Timing
  private readonly onTaken: () => void
  /** Maximum time that a batch waits for further results, in ms. A full batch does not wait. */
  private readonly batchMs: number
  private readonly full: number
  /** Results that wait for the reader. Only this class changes this array. */
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

  push(result: A): void {
    this.batch.push(result)
    if (this.reader === undefined) return
    if (this.batch.length >= this.full) this.deliver()
    // If a full batch is delivered before the timer fires, the timer is not removed. Therefore a new timer is created only every few
    // milliseconds, and not for each batch.
    else this.cancelTimer ??= this.timing.schedule(this.batchMs, this.onTimer)
  }

  /** Called after the last result was added. The reader still gets the results that the buffer contains. */
  finish(): void {
    this.isOver = true
    this.stopTimer()
    if (this.reader !== undefined) this.deliver()
  }

  /** Sets the end, which the reader gets after the last batch. */
  endWith(end: Taken<A, E>): void {
    this.end = end
  }

  /** Passes the next batch or the end to `reader`. Only one reader at a time is allowed. */
  take(reader: (taken: Taken<A, E>) => void): void {
    this.reader = reader
    if (this.batch.length > 0 || this.isOver) this.deliver()
  }

  /** Removes the waiting reader: its function will not be called. */
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
