/**
 * What JavaScript may hand to this package where TypeScript would not let it: looked at once, at the edge, so that it ends in an error
 * that names the option, and not in a `TypeError` of some later timer.
 */
import { InvalidOption, unknownOption } from "@sourcewire/protocol/wire"
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

/** Refuses the value of an option that must be something else: throws an `InvalidOption`. */
export const refuse = (option: string, must: string, value: unknown): never => {
  throw new InvalidOption({ message: `${option} must be ${must}, not ${shown(value)}.`, option })
}

/** Gives the value, unless it is refused: then it throws an `InvalidOption`. What it must be may be a function, called where it is wrong. */
export const demand = <A>(
  option: string,
  must: string | (() => string),
  holds: (value: unknown) => boolean,
  value: A
): A => (holds(value) ? value : refuse(option, typeof must === "string" ? must : must(), value))

/** {@link demand}, of what may be left out. */
export const optional = <A>(
  option: string,
  must: string | (() => string),
  holds: (value: unknown) => boolean,
  value: A
): A => (value === undefined ? value : demand(option, must, holds, value))

/** What looking at options gives, or why they are refused. Where it throws, as getters and proxies may, they cannot be read. */
export const readable = <A>(look: () => A, option = "options"): Result.Result<A, InvalidOption> => {
  try {
    return Result.succeed(look())
  } catch (error) {
    if (error instanceof InvalidOption) return Result.fail(error)
    return Result.fail(new InvalidOption({ message: `What is given as ${option} cannot be read.`, option }))
  }
}

/** The properties of an object that is given; throws where it is none, or cannot be read. */
export const partsOf = <A extends object>(option: string, value: A): A =>
  Result.getOrThrow(readable(() => ({ ...demand(option, "an object", isObject, value) }), option))

export const isWhole =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most

/** An option that is a whole number, if it is given. */
export const whole = <A>(option: string, least: number, most: number, value: A): A =>
  optional(option, () => `a whole number from ${least} to ${most}`, isWhole(least, most), value)

/** An option that is a time, if it is given. */
export const duration = <A>(option: string, mostMs: number, value: A): A =>
  optional(
    option,
    () => `a number of ms above 0 and up to ${mostMs}`,
    (ms) => typeof ms === "number" && ms > 0 && ms <= mostMs,
    value
  )

/** An option with a few values, if it is given. */
export const oneOf = <A>(option: string, values: ReadonlyArray<unknown>, value: A): A =>
  optional(
    option,
    () => `one of ${values.join(", ")}`,
    (one) => values.includes(one),
    value
  )

/** An option that is `true` or `false`, if it is given. */
export const flag = <A>(option: string, value: A): A =>
  optional(option, "true or false", (one) => typeof one === "boolean", value)

/** An option that is a function, if it is given. */
export const callable = <A>(option: string, value: A): A => optional(option, "a function", isFunction, value)

/** A number of a source of jitter; throws an `InvalidOption` if the source throws. */
const drawn = (random: () => number): number => {
  try {
    return random()
  } catch (error) {
    throw new InvalidOption({ message: `random must return a number, but threw: ${String(error)}`, option: "random" })
  }
}

/** Refuses a source of jitter that throws. */
export const demandRandom = (random: (() => number) | undefined): void => {
  callable("random", random)
  if (random !== undefined) drawn(random)
}

/**
 * A source of jitter, if it is given. If it returns no number in [0, 1), it counts as 0.5: a deadline must be a number. If it throws later,
 * the exchange that called it fails with the `InvalidOption`.
 */
export const jitter = (random: (() => number) | undefined): (() => number) => {
  if (random === undefined) return Math.random
  return () => {
    const share = drawn(random)
    return share >= 0 && share < 1 ? share : 0.5
  }
}

/** Whether something holds of a value that perhaps cannot even be looked at. */
export const holdsOf = (look: () => boolean): boolean => {
  try {
    return look()
  } catch {
    return false
  }
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === "string"

export const isFunction = (value: unknown): boolean => typeof value === "function"

const SIGNAL_METHODS = ["addEventListener", "removeEventListener", "throwIfAborted"] as const

/** Whether a value can be listened to for an `abort`. */
export const isSignal = (value: unknown): value is AbortSignal =>
  isObject(value) &&
  typeof (value as Partial<AbortSignal>).aborted === "boolean" &&
  SIGNAL_METHODS.every((method) => isFunction((value as Partial<AbortSignal>)[method]))

/** Options, where any are given, are an object; an array is none. */
export const optionsAre = <A>(value: A): A =>
  optional("options", "an object", (given) => isObject(given) && !Array.isArray(given), value)

/** {@link optionsAre}, and have no other names than these. */
export const optionsOf = <A>(names: ReadonlyArray<string>, value: A, path = ""): A => {
  const given = optionsAre(value) ?? {}
  // To find out which name is wrong copies everything, which the usual call need not pay for.
  if (holdsOf(() => Object.keys(given).every((name) => names.includes(name)))) return value
  const unknown = unknownOption(given, names, path)
  if (unknown !== undefined) throw unknown
  return value
}

/** The options of a call without its signal, which only the Promise API takes. What is no object, or cannot be read, stays as it is. */
export const withoutSignal = <A extends { readonly signal?: unknown }>(
  options: A | undefined
): Omit<A, "signal"> | undefined =>
  // The usual call has no options. `hasOwn` would throw for it, and the stack of that error costs a third of a query.
  options !== undefined && holdsOf(() => Object.hasOwn(options, "signal"))
    ? Result.getOrElse(
        readable(() => {
          const { signal: _, ...others } = options
          return others
        }),
        () => options
      )
    : options

/** The signal that may end a call; throws where it is none. */
export const signalOf = (options: { readonly signal?: AbortSignal | undefined } | undefined): AbortSignal | undefined =>
  Result.getOrThrow(readable(() => optional("signal", "an AbortSignal", isSignal, optionsAre(options)?.signal)))
