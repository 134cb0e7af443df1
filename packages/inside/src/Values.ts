/**
 * Checks values that JavaScript can pass although TypeScript forbids them. This module is for code that must add few bytes to a bundle. An
 * invalid value causes an error that names the option. The checks for the options of servers are in `Checks.ts`.
 */
import { InvalidOption } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

const LONGEST_SHOWN = 60

/** Returns a short text that represents a value in an error message. */
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

/** Throws an `InvalidOption` whose message contains the value; `must` completes the message "must be …". */
export const refuse = (option: string, must: string, value: unknown): never => {
  throw new InvalidOption({ message: `${option} must be ${must}, not ${shown(value)}.`, option })
}

/**
 * Returns the value if `holds` accepts it, otherwise throws an `InvalidOption`. `must` can be a function, which is called only for an
 * invalid value.
 */
export const demand = <A>(
  option: string,
  must: string | (() => string),
  holds: (value: unknown) => boolean,
  value: A
): A => (holds(value) ? value : refuse(option, typeof must === "string" ? must : must(), value))

/** Like {@link demand}, but also accepts `undefined`. */
export const optional = <A>(
  option: string,
  must: string | (() => string),
  holds: (value: unknown) => boolean,
  value: A
): A => (value === undefined ? value : demand(option, must, holds, value))

/**
 * Returns the result of `look`, or the `InvalidOption` that `look` throws. If `look` throws any other error, for example in a getter or a
 * proxy, `readable` returns an `InvalidOption` with the message that the value cannot be read.
 */
export const readable = <A>(look: () => A, option = "options"): Result.Result<A, InvalidOption> => {
  try {
    return Result.succeed(look())
  } catch (error) {
    if (error instanceof InvalidOption) return Result.fail(error)
    return Result.fail(new InvalidOption({ message: `The value of ${option} cannot be read.`, option }))
  }
}

/** Returns the result of the condition `look`, or `false` if `look` throws, for example because a getter throws. */
export const tryCondition = (look: () => boolean): boolean => {
  try {
    return look()
  } catch {
    return false
  }
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

export const isText = (value: unknown): value is string => typeof value === "string"

export const isFunction = (value: unknown): boolean => typeof value === "function"
