/**
 * Where a scan's targets come from, one at a time and only when asked: an array, a generator, an endless asynchronous source.
 *
 * @module
 */
import type { AddressInput } from "../../Client.ts"

/** No target yet; the source calls back when there is one. */
export const PENDING: unique symbol = Symbol("pending")
/** There are no more. */
export const END: unique symbol = Symbol("end")

/** See the module. */
export class TargetSource {
  private readonly sync: Iterator<AddressInput> | undefined
  private readonly async: AsyncIterator<AddressInput> | undefined
  private readonly onReady: () => void
  private readonly onError: (error: unknown) => void
  private arrived: AddressInput | undefined = undefined
  private isAsking = false
  private isOver = false

  constructor(
    targets: Iterable<AddressInput> | AsyncIterable<AddressInput>,
    onReady: () => void,
    onError: (error: unknown) => void
  ) {
    this.onReady = onReady
    this.onError = onError
    this.sync = Symbol.iterator in targets ? targets[Symbol.iterator]() : undefined
    this.async = Symbol.asyncIterator in targets ? targets[Symbol.asyncIterator]() : undefined
  }

  /** The next target. */
  next(): AddressInput | typeof PENDING | typeof END {
    if (this.isOver) return END
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

  private nextOfSync(iterator: Iterator<AddressInput>): AddressInput | typeof END {
    try {
      const { done, value } = iterator.next()
      if (done !== true) return value
    } catch (error) {
      this.onError(error)
    }
    this.isOver = true
    return END
  }

  private nextOfAsync(): AddressInput | typeof PENDING | typeof END {
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
    return PENDING
  }

  private take(value: AddressInput | undefined): void {
    this.isAsking = false
    this.arrived = value
    if (value === undefined) this.isOver = true
    this.onReady()
  }
}
