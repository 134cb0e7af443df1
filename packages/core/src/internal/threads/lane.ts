/**
 * One thread as seen from the one that was asked for the scan: what it may still be sent, and what it has said.
 *
 * @module
 */
import type { Thread } from "../../Threads.ts"
import type { Counts, Order, Report, SentTarget } from "./wire.ts"
import { FULL_MESSAGE, TARGETS_AHEAD } from "./wire.ts"

/** See the module. */
export class Lane {
  /** Its last numbers. */
  counts: Counts | undefined = undefined
  /** Whether it has given all its results. */
  isDone = false
  private thread: Thread | undefined = undefined
  private room = TARGETS_AHEAD
  private untaken = 0
  private leaving: Array<SentTarget> = []

  /** Gives it its thread, and its first order. */
  begin(thread: Thread, order: Order): void {
    this.thread = thread
    this.post(order)
  }

  /** Whether it wants no more targets for now. */
  get isFull(): boolean {
    return this.room === 0
  }

  /** Adds a target, which leaves with the next message. */
  add(target: SentTarget): void {
    this.room--
    this.leaving.push(target)
    if (this.leaving.length >= FULL_MESSAGE) this.flush()
  }

  /** Whether targets wait for {@link flush}. */
  get isLoaded(): boolean {
    return this.leaving.length > 0
  }

  /** Sends what has come together. */
  flush(): void {
    if (this.leaving.length === 0) return
    this.post({ _tag: "Targets", targets: this.leaving })
    this.leaving = []
  }

  /** There are no more targets. */
  end(): void {
    this.flush()
    this.post({ _tag: "End" })
  }

  /** End in good order, which a thread that has not said yet that it has begun has done already. */
  stop(): void {
    this.leaving = []
    this.post({ _tag: "Stop" })
    if (this.counts === undefined) this.isDone = true
  }

  /** It has gone on. */
  onReport({ counts, isLast, read, results }: Report & { readonly _tag: "Progress" }): void {
    this.counts = counts
    this.isDone ||= isLast
    this.room += read
    this.untaken += results.length
  }

  /** The reader has all results so far. */
  onTaken(): void {
    if (this.untaken === 0) return
    this.post({ _tag: "Taken", count: this.untaken })
    this.untaken = 0
  }

  private post(order: Order): void {
    this.thread?.post(order)
  }
}
