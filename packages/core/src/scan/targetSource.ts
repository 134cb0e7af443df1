/**
 * Reads the targets of a scan, one at a time and not ahead of need: from an array, a generator, or an endless asynchronous source.
 */
import type { AddressInput } from "../client/ClientShape.ts"
import { isObject, shown } from "../edge.ts"

/** There is no target now. The source calls `onReady` when there is one, unless {@link TargetSource.isOver} is set. */
export const NONE: unique symbol = Symbol("none")

/** A method of an asynchronous iterator that returns its next step without a promise, if there is one already. */
export const atHand: unique symbol = Symbol.for("@sourcewire/core/atHand")

/** An asynchronous iterator that may have it. */
export type Steps<A> = AsyncIterator<A> & { readonly [atHand]?: () => IteratorResult<A> | undefined }

/** Reads an iterator of either kind. */
export class TargetSource {
  /** There will be no more. Written here only. */
  isOver = false
  private readonly sync: Iterator<AddressInput> | undefined = undefined
  private readonly async: Steps<AddressInput> | undefined = undefined
  private readonly onReady: () => void
  private readonly onError: (error: unknown) => void
  private arrived: AddressInput | typeof NONE = NONE
  /** A promise of the next target is pending. */
  isPending = false

  constructor(
    targets: Iterable<AddressInput> | AsyncIterable<AddressInput>,
    onReady: () => void,
    onError: (error: unknown) => void
  ) {
    this.onReady = onReady
    this.onError = onError
    try {
      if (Symbol.iterator in targets) this.sync = checkedIterator(targets[Symbol.iterator]())
      else this.async = checkedIterator(targets[Symbol.asyncIterator]())
    } catch (error) {
      onError(error)
      this.isOver = true
    }
  }

  /** The next target. */
  next(): AddressInput | typeof NONE {
    if (this.isOver) return NONE
    if (this.sync === undefined) return this.nextOfAsync()
    try {
      const { done, value } = checkedStep(this.sync.next())
      if (done !== true) return value
    } catch (error) {
      this.onError(error)
    }
    this.isOver = true
    return NONE
  }

  /** The scan wants no more targets: the source may free its resources. */
  close(): void {
    if (this.isOver) return
    this.isOver = true
    try {
      this.sync?.return?.()
      // A generator that waits for its own source returns later. The scan does not wait for it, and ignores its errors.
      this.async?.return?.().catch(() => undefined)
    } catch {
      return
    }
  }

  private nextOfAsync(): AddressInput | typeof NONE {
    const { arrived } = this
    if (arrived !== NONE) {
      this.arrived = NONE
      return arrived
    }
    if (this.isPending) return NONE
    try {
      const step = this.async![atHand]?.()
      if (step?.done === false) return step.value
      void Promise.resolve(this.async!.next()).then(this.onStep, this.onRejected)
    } catch (error) {
      queueMicrotask(() => this.onRejected(error))
    }
    this.isPending = true
    return NONE
  }

  private readonly onStep = (step: IteratorResult<AddressInput>): void => {
    let next: AddressInput | typeof NONE = NONE
    try {
      const { done, value } = checkedStep(step)
      if (done !== true) next = value
    } catch (error) {
      this.onError(error)
    }
    this.arrive(next)
  }

  private readonly onRejected = (error: unknown): void => {
    this.onError(error)
    this.arrive(NONE)
  }

  private arrive(next: AddressInput | typeof NONE): void {
    this.isPending = false
    this.arrived = next
    if (next === NONE) this.isOver = true
    this.onReady()
  }
}

const checkedIterator = <A extends object>(iterator: A): A => {
  if (isObject(iterator)) return iterator
  throw new TypeError(`its iterator is ${shown(iterator)}`)
}

const checkedStep = <A>(step: IteratorResult<A>): IteratorResult<A> => {
  // Looked at here, since each function that runs for every target is one more to compile.
  if (typeof step === "object" && step !== null) return step
  throw new TypeError(`its iterator gives ${shown(step)} in place of { done, value }`)
}
