/**
 * Targets that a thread was sent and has not begun with, as the source of its scan.
 *
 * @module
 */
import type { AddressInput } from "../../Client.ts"
import type { SentTarget } from "./wire.ts"

/** See the module. One reader. */
export class TargetQueue implements AsyncIterable<AddressInput>, AsyncIterator<AddressInput> {
  private readonly onRead: () => void
  private readonly messages: Array<ReadonlyArray<SentTarget>> = []
  private at = 0
  private isOver = false
  private waiting: ((next: IteratorResult<AddressInput>) => void) | undefined = undefined

  /** `onRead` is called for each target that is taken out. */
  constructor(onRead: () => void) {
    this.onRead = onRead
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Adds what a message brought. */
  add(targets: ReadonlyArray<SentTarget>): void {
    if (targets.length > 0) this.messages.push(targets)
    this.wake()
  }

  /** No others will come. */
  end(): void {
    this.isOver = true
    this.wake()
  }

  next(): Promise<IteratorResult<AddressInput>> {
    const next = this.take()
    return next === undefined ? new Promise((resolve) => (this.waiting = resolve)) : Promise.resolve(next)
  }

  return(): Promise<IteratorResult<AddressInput>> {
    this.messages.length = 0
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  private take(): IteratorResult<AddressInput> | undefined {
    const [first] = this.messages
    if (first === undefined) return this.isOver ? { done: true, value: undefined } : undefined
    const value = first[this.at++]!
    if (this.at === first.length) {
      this.messages.shift()
      this.at = 0
    }
    this.onRead()
    return { done: false, value }
  }

  private wake(): void {
    if (this.waiting === undefined) return
    const next = this.take()
    if (next === undefined) return
    this.waiting(next)
    this.waiting = undefined
  }
}
