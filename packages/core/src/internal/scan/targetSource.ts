/**
 * Where a scan's targets come from, one at a time and only when asked: an array, a generator, an endless asynchronous source.
 *
 * @module
 */
import type { AddressInput } from "../../Client.ts"

/** There is no target now. The source calls back when there is one, unless it {@link TargetSource.isOver | is over}. */
export const NONE: unique symbol = Symbol("none")

/** See the module. */
export class TargetSource {
  /** There will be no more. Written here only. */
  isOver = true
  private readonly sync: Iterator<AddressInput> | undefined
  private readonly async: AsyncIterator<AddressInput> | undefined
  private readonly onReady: () => void
  private readonly onError: (error: unknown) => void
  private arrived: AddressInput | undefined = undefined
  private isAsking = false

  constructor(
    targets: Iterable<AddressInput> | AsyncIterable<AddressInput>,
    onReady: () => void,
    onError: (error: unknown) => void
  ) {
    this.onReady = onReady
    this.onError = onError
    this.sync = Symbol.iterator in targets ? targets[Symbol.iterator]() : undefined
    this.async = Symbol.asyncIterator in targets ? targets[Symbol.asyncIterator]() : undefined
    // Written a second time: V8 takes a field that is not for a constant, and throws code away when it changes at the end of a scan.
    this.isOver = false
  }

  /** The next target. */
  next(): AddressInput | typeof NONE {
    if (this.isOver) return NONE
    return this.sync === undefined ? this.nextOfAsync() : this.nextOfSync(this.sync)
  }

  /** No more are wanted: the source may free what it holds. */
  close(): void {
    if (this.isOver) return
    this.isOver = true
    try {
      this.sync?.return?.()
      // A generator that waits for its own source gets to this when that has come; nobody waits for it, nor for its complaint.
      this.async?.return?.().catch(() => undefined)
    } catch {
      return
    }
  }

  private nextOfSync(iterator: Iterator<AddressInput>): AddressInput | typeof NONE {
    try {
      const { done, value } = iterator.next()
      if (done !== true) return value
    } catch (error) {
      this.onError(error)
    }
    this.isOver = true
    return NONE
  }

  private nextOfAsync(): AddressInput | typeof NONE {
    const { arrived } = this
    if (arrived !== undefined) {
      this.arrived = undefined
      return arrived
    }
    if (!this.isAsking) {
      this.isAsking = true
      this.async!.next().then(
        ({ done, value }) => this.take(done === true ? undefined : value),
        (error: unknown) => {
          this.onError(error)
          this.take(undefined)
        }
      )
    }
    return NONE
  }

  private take(value: AddressInput | undefined): void {
    this.isAsking = false
    this.arrived = value
    if (value === undefined) this.isOver = true
    this.onReady()
  }
}
