/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, at the edge, so that it ends in an error
 * that names the option, and not in a `TypeError` of some later timer.
 *
 * @module
 */
import { InvalidOption } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"

const LONGEST_SHOWN = 60

/** A value in a few words, whatever it is. */
export const shown = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value)
    case "function":
    case "symbol":
      return `a ${typeof value}`
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object"
    default:
      return String(value)
  }
}

/** Refuses the value of an option that must be something else. */
export const wrong = (option: string, must: string, value: unknown): Result.Result<never, InvalidOption> =>
  Result.fail(new InvalidOption({ message: `${option} must be ${must}, not ${shown(value)}.`, option }))

/** {@link wrong} for a function without a `Result`: throws it, unless `holds`. */
export const demand = (option: string, must: string, holds: (value: unknown) => boolean, value: unknown): void => {
  if (!holds(value)) Result.getOrThrow(wrong(option, must, value))
}

/** The properties of an object that is given; throws where it is none, or cannot be read. */
export const partsOf = <A extends object>(option: string, value: A): A => {
  demand(option, "an object", isObject, value)
  return Result.getOrThrow(readable(() => Result.succeed({ ...value }), option))
}

/** What looking at options gives. Where it throws, as getters and proxies may, that is wrong with them. */
export const readable = <A, E>(
  look: () => Result.Result<A, E>,
  option = "options"
): Result.Result<A, E | InvalidOption> => {
  try {
    return look()
  } catch {
    return Result.fail(new InvalidOption({ message: `What is given as ${option} cannot be read.`, option }))
  }
}

/** Lets a value pass that is not given, or for which `holds`. What it must be may be a function, called where it is wrong. */
export const optional = <A>(
  option: string,
  must: string | (() => string),
  holds: (value: unknown) => boolean,
  value: A
): Result.Result<A, InvalidOption> =>
  value === undefined || holds(value)
    ? Result.succeed(value)
    : wrong(option, typeof must === "string" ? must : must(), value)

// Of these three the sentence is made where it is needed: they are asked for every query.

/** An option that is a whole number, if it is given. */
export const whole = <A>(option: string, least: number, most: number, value: A): Result.Result<A, InvalidOption> =>
  optional(option, () => `a whole number from ${least} to ${most}`, isWhole(least, most), value)

export const isWhole =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

/** An option that is a time, if it is given. */
export const duration = <A>(option: string, mostMs: number, value: A): Result.Result<A, InvalidOption> =>
  optional(
    option,
    () => `a number of ms above 0 and up to ${mostMs}`,
    (ms) => typeof ms === "number" && ms > 0 && ms <= mostMs,
    value
  )

/** An option with a few values, if it is given. */
export const oneOf = <A>(option: string, values: ReadonlyArray<unknown>, value: A): Result.Result<A, InvalidOption> =>
  optional(
    option,
    () => `one of ${values.join(", ")}`,
    (one) => values.includes(one),
    value
  )

/** Whether something holds of a value that perhaps cannot even be looked at. */
export const holdsOf = (look: () => boolean): boolean => {
  try {
    return look()
  } catch {
    return false
  }
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

export const isText = (value: unknown): value is string => typeof value === "string"

export const isFunction = (value: unknown): boolean => typeof value === "function"

const SIGNAL_METHODS = ["addEventListener", "removeEventListener", "throwIfAborted"] as const

/** Whether a value can be listened to for an `abort`. */
export const isSignal = (value: unknown): value is AbortSignal =>
  isObject(value) &&
  typeof (value as Partial<AbortSignal>).aborted === "boolean" &&
  SIGNAL_METHODS.every((method) => isFunction((value as Partial<AbortSignal>)[method]))

/** Options, where any are given, are an object; an array is none. */
export const optionsAre = (value: unknown): Result.Result<unknown, InvalidOption> =>
  optional("options", "an object", (given) => isObject(given) && !Array.isArray(given), value)

/** The signal that may end a call, when it is one. */
export const signalOf = (
  options: { readonly signal?: AbortSignal | undefined } | undefined
): Result.Result<AbortSignal | undefined, InvalidOption> =>
  readable(() =>
    Result.flatMap(optionsAre(options), () => optional("signal", "an AbortSignal", isSignal, options?.signal))
  )
