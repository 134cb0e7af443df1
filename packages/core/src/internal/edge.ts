/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, at the edge, so that it ends in an error
 * that names the option, and not in a `TypeError` of some later timer.
 *
 * @module
 */
import * as Result from "effect/Result"
import { InvalidOption } from "../Options.ts"
import { shown } from "./shown.ts"

/** Refuses the value of an option that must be something else. */
export const wrong = (option: string, must: string, value: unknown): Result.Result<never, InvalidOption> =>
  Result.fail(new InvalidOption({ message: `${option} must be ${must}, not ${shown(value)}.`, option }))

/** Lets a value pass that is not given, or for which `holds`. */
export const optional = <A>(
  option: string,
  must: string,
  holds: (value: unknown) => boolean,
  value: A
): Result.Result<A, InvalidOption> =>
  value === undefined || holds(value) ? Result.succeed(value) : wrong(option, must, value)

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

export const isFunction = (value: unknown): boolean => typeof value === "function"

/** Whether a value can be listened to for an `abort`. */
export const isSignal = (value: unknown): value is AbortSignal =>
  isObject(value) && "aborted" in value && isFunction((value as Partial<AbortSignal>).addEventListener)
