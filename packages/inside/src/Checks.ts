/**
 * Checks of the options of servers. A check is a function that tests a value. An invalid value causes an error that names the option.
 * Without the checks, an invalid value would cause a `TypeError` only when the next datagram arrives.
 */
import { InvalidOption, unknownOption } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { isObject as isAnyObject, shown } from "./Values.ts"

/** Tests the value of an option. Returns an error if the value is invalid, otherwise `undefined`. */
export type Check = (value: unknown, option: string) => InvalidOption | undefined

/** Creates a check from a condition. `be` completes the message "must be …". */
export const must =
  (be: string, holds: (value: unknown) => boolean): Check =>
  (value, option) =>
    holds(value) ? undefined : new InvalidOption({ message: `${option} must be ${be}, not ${shown(value)}.`, option })

/** Creates a check that accepts an absent value, and tests any other value with `check`. */
export const optional =
  (check: Check): Check =>
  (value, option) =>
    value === undefined ? undefined : check(value, option)

export const text = must("a text", (value) => typeof value === "string")
export const flag = must("true or false", (value) => typeof value === "boolean")
export const func = must("a function", (value) => typeof value === "function")
export const list = must("an array", Array.isArray)

/** Creates a check that accepts finite numbers from `least` to `most`, including `least` and `most`. */
export const number = (least: number, most: number = Number.POSITIVE_INFINITY): Check =>
  must(
    most === Number.POSITIVE_INFINITY ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
    (value) => typeof value === "number" && value >= least && value <= most && value < Number.POSITIVE_INFINITY
  )

/** Creates a check that accepts whole numbers from `least` to `most`, including `least` and `most`. */
export const whole = (least: number, most: number): Check =>
  must(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  )

export const oneOf = (values: ReadonlyArray<unknown>): Check =>
  must(`one of ${values.join(", ")}`, (value) => values.includes(value))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isAnyObject(value) && !Array.isArray(value)

const firstProblem = (found: ReadonlyArray<InvalidOption | undefined>): InvalidOption | undefined =>
  found.find((wrong) => wrong !== undefined)

/**
 * Creates a check of an object. The object may contain only the options in `checks`, and each option must pass its check. If the caller
 * passes an empty option name, the value is the options argument of a function, and may be `undefined`.
 */
export const shape = (checks: Readonly<Record<string, Check>>): Check => {
  const [known, names] = [part(checks), Object.keys(checks)]
  return (value, option) => known(value, option) ?? unknownOption(value ?? {}, names, option)
}

/**
 * Like {@link shape}, but also accepts options that are not in `checks`. The caller must test these additional options with another check.
 */
export const part =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, option) => {
    const isRoot = option === ""
    const given = isRoot && value === undefined ? {} : value
    if (!isObject(given)) return must("an object", () => false)(value, isRoot ? "options" : option)
    // Reads every option, even if no check tests it. If a getter throws an error, `checked` can then report the error.
    Object.values(given)
    return firstProblem(
      Object.entries(checks).map(([key, check]) => check(given[key], isRoot ? key : `${option}.${key}`))
    )
  }

/** Creates a check that tests each entry of an array, or each value of an object, with `check`. */
export const each =
  (check: Check): Check =>
  (value, option) => {
    if (typeof value !== "object" || value === null) return must("a collection", () => false)(value, option)
    return firstProblem(Object.entries(value).map(([key, one]) => check(one, `${option}.${key}`)))
  }

/** Combines several checks into one check. The combined check returns the first error of these checks. */
export const all =
  (...checks: ReadonlyArray<Check>): Check =>
  (value, option) =>
    firstProblem(checks.map((check) => check(value, option)))

/**
 * Checks the options of a public function. To check an argument that is not an options object, pass the name of this argument as `name`.
 * Returns the value of `options`, or the first error.
 */
export const checked = <A>(check: Check, options: A, name = ""): Result.Result<A, InvalidOption> => {
  try {
    const wrong = check(options, name)
    return wrong === undefined ? Result.succeed(options) : Result.fail(wrong)
  } catch {
    // A getter or a proxy of `options` threw an error.
    return Result.fail(
      new InvalidOption({ message: "The options have a property that cannot be read.", option: "options" })
    )
  }
}

/** Like {@link checked}, but throws the error instead of returning it. This function is for callers that do not return a `Result`. */
export const demand = (check: Check, options: unknown, name?: string): void => {
  Result.getOrThrow(checked(check, options, name))
}
