/**
 * Checks arguments, because JavaScript can pass values that TypeScript forbids. If a value is invalid, the call fails at once with an error
 * that contains the name of the option. Without these checks, an invalid value could cause a `TypeError` in a later callback. Later code
 * does not check the values again.
 */
import {
  demand,
  tryCondition,
  isFunction,
  isObject,
  isText,
  optional,
  readable,
  refuse,
  shown
} from "@sourcewire/inside/values"
import { InvalidOption, unknownOption } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

export { demand, tryCondition, isFunction, isObject, isText, optional, readable, refuse, shown }

/** Returns a copy of the properties of an object. Throws if the value is not an object, or if reading a property throws. */
export const copyProperties = <A extends object>(option: string, value: A): A =>
  Result.getOrThrow(readable(() => ({ ...demand(option, "an object", isObject, value) }), option))

export const isWhole =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

/** Checks an optional whole number. */
export const whole = <A>(option: string, least: number, most: number, value: A): A =>
  optional(option, () => `a whole number from ${least} to ${most}`, isWhole(least, most), value)

/** Checks an optional duration. */
export const duration = <A>(option: string, mostMs: number, value: A): A =>
  optional(
    option,
    () => `a number of ms above 0 and up to ${mostMs}`,
    (ms) => typeof ms === "number" && ms > 0 && ms <= mostMs,
    value
  )

/** Checks an optional value that must be one of `values`. */
export const oneOf = <A>(option: string, values: ReadonlyArray<unknown>, value: A): A =>
  optional(
    option,
    () => `one of ${values.join(", ")}`,
    (one) => values.includes(one),
    value
  )

/** Checks an optional boolean. */
export const flag = <A>(option: string, value: A): A =>
  optional(option, "true or false", (one) => typeof one === "boolean", value)

/** Checks an optional function. */
export const callable = <A>(option: string, value: A): A => optional(option, "a function", isFunction, value)

/** Returns a number from the random source. Throws an `InvalidOption` if the source throws. */
const readRandom = (random: () => number): number => {
  try {
    return random()
  } catch (error) {
    throw new InvalidOption({ message: `random must return a number, but threw: ${String(error)}`, option: "random" })
  }
}

/** Checks a random source by calling it once. */
export const demandRandom = (random: (() => number) | undefined): void => {
  callable("random", random)
  if (random !== undefined) readRandom(random)
}

/**
 * Returns the random source for jitter, with results in [0, 1) (default: `Math.random`). If the source returns a value outside this
 * interval, such as 1 or `NaN`, the result is 0.5, so that no deadline can become `NaN`. If the source throws during a query, the exchange
 * that called the source fails with `InvalidOption`.
 */
export const jitter = (random: (() => number) | undefined): (() => number) => {
  if (random === undefined) return Math.random
  return () => {
    const share = readRandom(random)
    return share >= 0 && share < 1 ? share : 0.5
  }
}

const SIGNAL_METHODS = ["addEventListener", "removeEventListener", "throwIfAborted"] as const

/** Whether a value can be used as an `AbortSignal`. */
export const isSignal = (value: unknown): value is AbortSignal =>
  isObject(value) &&
  typeof (value as Partial<AbortSignal>).aborted === "boolean" &&
  SIGNAL_METHODS.every((method) => isFunction((value as Partial<AbortSignal>)[method]))

/** Checks that the options are absent, or an object that is not an array. */
export const optionsAre = <A>(value: A): A =>
  optional("options", "an object", (given) => isObject(given) && !Array.isArray(given), value)

/** Like {@link optionsAre}, but also checks that `names` contains the name of each option. */
export const checkedOptions = <A>(names: ReadonlyArray<string>, value: A, path = ""): A => {
  const given = optionsAre(value) ?? {}
  // `unknownOption` copies all options. To save time, it is called only if there is an unknown name.
  if (tryCondition(() => Object.keys(given).every((name) => names.includes(name)))) return value
  const unknown = unknownOption(given, names, path)
  if (unknown !== undefined) throw unknown
  return value
}

/**
 * Returns the options of a call without the option `signal`, because only the Promise API accepts this option. If the value is not an
 * object, or reading its properties throws, the function returns the value unchanged.
 */
export const withoutSignal = <A extends { readonly signal?: unknown }>(
  options: A | undefined
): Omit<A, "signal"> | undefined =>
  // Most calls have no options, so `undefined` is checked first. For `undefined`, `Object.hasOwn` would throw an error, and creating this
  // error's stack would take a third of the time of a query.
  options !== undefined && tryCondition(() => Object.hasOwn(options, "signal"))
    ? Result.getOrElse(
        readable(() => {
          const { signal: _, ...others } = options
          return others
        }),
        () => options
      )
    : options

/** Returns the `AbortSignal` in the options. Throws if the value of `signal` is not an `AbortSignal`. */
export const readSignal = (
  options: { readonly signal?: AbortSignal | undefined } | undefined
): AbortSignal | undefined =>
  Result.getOrThrow(readable(() => optional("signal", "an AbortSignal", isSignal, optionsAre(options)?.signal)))
