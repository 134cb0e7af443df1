/**
 * Types that derive two forms of each method from one declaration: `ClientMethods<Effects>` contains the methods with Effects, and
 * `ClientMethods<Promises>` contains the same methods with promises. At run time, `promised` converts methods with Effects to methods with
 * promises. The types for promises do not use Effect's types.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { withoutSignal } from "../edge.ts"
import type { Abortable } from "./Running.ts"

/**
 * How methods return their results: as {@link Effects} or as {@link Promises}. Each method defines the types of its results (`value`), of
 * its errors (`error`), and of its own options (`own`).
 */
export interface Style {
  readonly value: unknown
  readonly error: unknown
  readonly own: unknown
  /** The return type of a method with one result. */
  readonly outcome: unknown
  /** The return type of a method that returns many results one after the other. */
  readonly parts: unknown
  /** The type of a call's options, including the method's own options (`own`). */
  readonly options: unknown
}

/** Methods return Effects and streams. */
export interface Effects extends Style {
  readonly outcome: Effect.Effect<this["value"], this["error"]>
  readonly parts: Stream.Stream<this["value"], this["error"]>
  readonly options: this["own"]
}

/** Methods return promises, which reject with the error, or async iterables, which throw the error. Each method accepts a signal. */
export interface Promises extends Style {
  readonly outcome: Promise<this["value"]>
  readonly parts: AsyncIterable<this["value"]>
  readonly options: this["own"] & Abortable
}

/** The return type of a method with one result of type `A` and errors of type `E`. */
export type Outcome<S extends Style, A, E> = (S & { readonly value: A; readonly error: E })["outcome"]

/** The return type of a method with many results of type `A` and errors of type `E`. */
export type Parts<S extends Style, A, E> = (S & { readonly value: A; readonly error: E })["parts"]

export type CallOptions<S extends Style, Options> = (S & { readonly own: Options })["options"]

/**
 * Converts methods with Effects to methods with promises. `optionsAt` contains the position of each method's options among its parameters.
 * `run` receives these options with the signal, and converts an Effect to a promise, or a stream to an async iterable.
 */
export const promised = <Name extends string>(
  methods: Readonly<Record<NoInfer<Name>, unknown>>,
  optionsAt: Readonly<Record<Name, number>>,
  run: (call: never, options: Abortable | undefined) => unknown
): Readonly<Record<Name, (...given: ReadonlyArray<unknown>) => unknown>> => {
  const calls = Object.entries<number>(optionsAt).map(([name, at]) => {
    const method = methods[name as Name] as (...given: ReadonlyArray<unknown>) => never
    const call = (...given: ReadonlyArray<unknown>): unknown => {
      const options = given[at] as Abortable | undefined
      const others = Array.from({ length: at }, (_, i) => given[i])
      return run(method(...others, withoutSignal(options)), options)
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls) as Record<Name, (typeof calls)[number][1]>
}
