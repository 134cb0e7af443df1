/**
 * Results on their way to the reader, in batches: one wake-up for many, and none later than a few milliseconds. Whoever fills it
 * looks at `batch` and stops while the reader lags.
 */
import type { Timing } from "../engine/Timing.ts"

/** A batch goes out at once when it has so many for each ms that one may wait; for that of 5 ms see docs/adr/0005-scanner.md. */
const FULL_BATCH_PER_MS = 3.2

/** What a reader is given: a batch, or the end, which repeats. */
export type Taken<A, E> =
  | { readonly _tag: "Batch"; readonly results: ReadonlyArray<A> }
  | { readonly _tag: "End" }
  | { readonly _tag: "Failure"; readonly error: E }
  /** A function of the caller's has thrown. */
  | { readonly _tag: "Defect"; readonly error: unknown }

/** One writer and one reader, who takes a batch at a time. */
export class ResultBuffer<A, E> {
  private readonly timing: Timing
  private readonly onTaken: () => void
  /** A smaller batch waits for company for so long, or less. */
  private readonly batchMs: number
  private readonly full: number
  /** Results that wait for the reader. Written here only. */
  batch: Array<A> = []
  private reader: ((taken: Taken<A, E>) => void) | undefined = undefined
  private isOver = false
  private end: Taken<A, E> = { _tag: "End" }
  private cancelTimer: (() => void) | undefined = undefined

  /** `onTaken` is called after a batch has left. */
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
    // Left as it is when a full batch goes out before, so that there is one every few milliseconds and not one for each batch.
    else this.cancelTimer ??= this.timing.schedule(this.batchMs, this.onTimer)
  }

  /** Nothing more will come; what is here is still given. */
  finish(): void {
    this.isOver = true
    this.stopTimer()
    if (this.reader !== undefined) this.deliver()
  }

  /** This will be given in place of the end. */
  endWith(end: Taken<A, E>): void {
    this.end = end
  }

  /** Asks for a batch; one reader at a time. */
  take(reader: (taken: Taken<A, E>) => void): void {
    this.reader = reader
    if (this.batch.length > 0 || this.isOver) this.deliver()
  }

  /** The reader is gone. */
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
