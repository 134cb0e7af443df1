/**
 * Reads the targets of a scan from an array, a generator, or an endless asynchronous source. Each target is read only when the scan needs
 * the target.
 */
import type { AddressInput } from "../client/ClientShape.ts"
import { isObject, shown } from "../edge.ts"

/**
 * {@link TargetSource.next} returns this value if no target is available now. If {@link TargetSource.isOver} is `false`, the source calls
 * `onReady` later: when it has a target, or when it has ended.
 */
export const NONE: unique symbol = Symbol("none")

/**
 * The name of an optional method of an asynchronous iterator. If the next step is already available, the method returns it without a
 * promise.
 */
export const nextIfAvailable: unique symbol = Symbol.for("@sourcewire/core/nextIfAvailable")

/** An asynchronous iterator that may have the method {@link nextIfAvailable}. */
export type Steps<A> = AsyncIterator<A> & { readonly [nextIfAvailable]?: () => IteratorResult<A> | undefined }

export class TargetSource {
  /** Whether there are no more targets. Only this class changes this field. */
  isOver = false
  private readonly sync: Iterator<AddressInput> | undefined = undefined
  private readonly async: Steps<AddressInput> | undefined = undefined
  private readonly onReady: () => void
  private readonly onError: (error: unknown) => void
  private arrived: AddressInput | typeof NONE = NONE
  /** Whether the source is waiting for a promise of the next target. */
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

  /** Returns the next target, or {@link NONE}. */
  next(): AddressInput | typeof NONE {
    if (this.isOver) return NONE
    if (this.sync === undefined) return this.nextAsync()
    try {
      const { done, value } = checkedStep(this.sync.next())
      if (done !== true) return value
    } catch (error) {
      this.onError(error)
    }
    this.isOver = true
    return NONE
  }

  /** Called when the scan needs no more targets, so that the source can release its resources. */
  close(): void {
    if (this.isOver) return
    this.isOver = true
    try {
      this.sync?.return?.()
      // If an async generator is waiting, for example for a file, the promise of `return()` stays pending. Therefore the scan does not wait
      // for this promise, and ignores its errors.
      this.async?.return?.().catch(() => undefined)
    } catch {
      return
    }
  }

  private nextAsync(): AddressInput | typeof NONE {
    const { arrived } = this
    if (arrived !== NONE) {
      this.arrived = NONE
      return arrived
    }
    if (this.isPending) return NONE
    try {
      const step = this.async![nextIfAvailable]?.()
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
  // The check does not call `isObject`, because the runtime would have to compile one more function that runs per target.
  if (typeof step === "object" && step !== null) return step
  throw new TypeError(`its iterator returned ${shown(step)} instead of { done, value }`)
}
