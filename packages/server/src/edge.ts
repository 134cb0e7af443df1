/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, at the edge, so that it ends in an error
 * that names the option, and not in a `TypeError` of some later datagram.
 */
import { shown } from "@sourcewire/core/machines"
import * as Result from "effect/Result"
import { InvalidServer } from "./InvalidServer.ts"

/** Looks at the value of an option; `undefined` when it is one that the option takes. */
export type Check = (value: unknown, option: string) => InvalidServer | undefined

/** A check that says what the value must be. */
export const must =
  (be: string, holds: (value: unknown) => boolean): Check =>
  (value, option) =>
    holds(value) ? undefined : new InvalidServer({ message: `${option} must be ${be}, not ${shown(value)}.`, option })

/** A check that lets pass what is not given. */
export const optional =
  (check: Check): Check =>
  (value, option) =>
    value === undefined ? undefined : check(value, option)

/** Any text. */
export const text = must("a text", (value) => typeof value === "string")
/** `true` or `false`. */
export const flag = must("true or false", (value) => typeof value === "boolean")
/** Any function. */
export const func = must("a function", (value) => typeof value === "function")
/** Any array. */
export const list = must("an array", Array.isArray)

/** A finite number in a range, both ends included. */
export const number = (least: number, most: number = Number.POSITIVE_INFINITY): Check =>
  must(
    most === Number.POSITIVE_INFINITY ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
    (value) => typeof value === "number" && value >= least && value <= most && value < Number.POSITIVE_INFINITY
  )

/** {@link number} without a fraction. */
export const whole = (least: number, most: number): Check =>
  must(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  )

/** One of a few values. */
export const oneOf = (values: ReadonlyArray<unknown>): Check =>
  must(`one of ${values.join(", ")}`, (value) => values.includes(value))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first that is wrong. */
const firstOf = (found: ReadonlyArray<InvalidServer | undefined>): InvalidServer | undefined =>
  found.find((wrong) => wrong !== undefined)

/** An object whose options pass these checks; others are let be. No options at all are none of them given. */
export const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, option) => {
    const isRoot = option === ""
    const given = isRoot && value === undefined ? {} : value
    if (!isObject(given)) return must("an object", () => false)(value, isRoot ? "options" : option)
    // Whoever copies them reads the others too.
    Object.values(given)
    return firstOf(Object.entries(checks).map(([key, check]) => check(given[key], isRoot ? key : `${option}.${key}`)))
  }

/** Each entry of an array, or each value of an object. */
export const each =
  (check: Check): Check =>
  (value, option) => {
    if (typeof value !== "object" || value === null) return must("a collection", () => false)(value, option)
    return firstOf(Object.entries(value).map(([key, one]) => check(one, `${option}.${key}`)))
  }

/** The first of the checks that finds something. */
export const all =
  (...checks: ReadonlyArray<Check>): Check =>
  (value, option) =>
    firstOf(checks.map((check) => check(value, option)))

/** The options of a public function, or an argument by its name, when there is nothing wrong with it. */
export const checked = <A>(check: Check, options: A, name = ""): Result.Result<A, InvalidServer> => {
  try {
    const wrong = check(options, name)
    return wrong === undefined ? Result.succeed(options) : Result.fail(wrong)
  } catch {
    // A getter or a proxy that throws.
    return Result.fail(
      new InvalidServer({ message: "The options have a property that cannot be read.", option: "options" })
    )
  }
}

/** {@link checked} for what has no `Result`: throws what is wrong. */
export const demand = (check: Check, options: unknown, name?: string): void => {
  Result.getOrThrow(checked(check, options, name))
}
