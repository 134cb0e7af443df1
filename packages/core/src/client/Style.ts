/**
 * The two APIs of a verb, of which it is declared once: `ClientVerbs<Effects>` are the verbs with Effects, `ClientVerbs<Promises>` the same
 * ones with promises. `promised` makes the second of the first. The declarations for promises do not import Effect's.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { withoutSignal } from "../edge.ts"
import type { Abortable } from "./Running.ts"

/** How verbs give what they give: {@link Effects} or {@link Promises}. The first three are set by each verb. */
export interface Style {
  readonly value: unknown
  readonly error: unknown
  readonly own: unknown
  /** A call that ends with the value, or the error. */
  readonly outcome: unknown
  /** A call that gives values one after the other. */
  readonly parts: unknown
  /** The options of a call, its own ones among them. */
  readonly options: unknown
}

/** Calls give Effects and streams. */
export interface Effects extends Style {
  readonly outcome: Effect.Effect<this["value"], this["error"]>
  readonly parts: Stream.Stream<this["value"], this["error"]>
  readonly options: this["own"]
}

/** Calls give promises, which reject with the error, and async iterables, which throw it. Each takes a signal. */
export interface Promises extends Style {
  readonly outcome: Promise<this["value"]>
  readonly parts: AsyncIterable<this["value"]>
  readonly options: this["own"] & Abortable
}

/** What a verb gives that ends with an `A`, or an `E`. */
export type Outcome<S extends Style, A, E> = (S & { readonly value: A; readonly error: E })["outcome"]

/** What a verb gives that gives many `A`, and may end with an `E`. */
export type Parts<S extends Style, A, E> = (S & { readonly value: A; readonly error: E })["parts"]

/** The options of a call. */
export type CallOptions<S extends Style, Options> = (S & { readonly own: Options })["options"]

/**
 * The same verbs with promises. `optionsAt` has the place of each verb's options among its parameters: a signal in them is for `run`,
 * which makes a promise of an Effect, or an async iterable of a stream.
 */
export const promised = <Name extends string>(
  verbs: Readonly<Record<NoInfer<Name>, unknown>>,
  optionsAt: Readonly<Record<Name, number>>,
  run: (call: never, options: Abortable | undefined) => unknown
): Readonly<Record<Name, (...given: ReadonlyArray<unknown>) => unknown>> => {
  const calls = Object.entries<number>(optionsAt).map(([name, at]) => {
    const verb = verbs[name as Name] as (...given: ReadonlyArray<unknown>) => never
    const call = (...given: ReadonlyArray<unknown>): unknown => {
      const options = given[at] as Abortable | undefined
      const others = Array.from({ length: at }, (_, i) => given[i])
      return run(verb(...others, withoutSignal(options)), options)
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls) as Record<Name, (typeof calls)[number][1]>
}
