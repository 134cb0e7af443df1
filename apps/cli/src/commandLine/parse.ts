/**
 * Parses a command line according to the declared flags. If a flag that accepts one value is repeated, the last value applies. Flags and
 * arguments may be in any order, and every word after `--` is an argument. Errors name the flag, the value, and the values that the flag
 * accepts.
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { UsageError } from "../exitCode.ts"
import { plural } from "../view/quantities.ts"
import type { Flag, Flags } from "../options.ts"
import { didYouMean, nearest } from "./suggest.ts"

const stop = (message: string): never => {
  throw new UsageError(message)
}

const TRUE = /^(?:true|yes|on|1)$/i
const FALSE = /^(?:false|no|off|0)$/i

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

type Unit = keyof typeof UNIT_MS

/** For a flag whose value is optional: whether the argument after the flag is this value. */
const isOwnValue = ({ is, words }: Flag<unknown>, text: string): boolean =>
  words === undefined ? (is === "duration" ? DURATION : /^\d+$/).test(text) : words.includes(text)

const formatRange = ({ least = 0, most }: Flag<unknown>, unit = ""): string =>
  most === undefined ? `${least}${unit} or more` : `from ${least}${unit} to ${most}${unit}`

const isWithin = (value: number, { least = 0, most = Infinity }: Flag<unknown>): boolean =>
  value >= least && value <= most

const parseWhole = (flag: Flag<unknown>, text: string): number => {
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && isWithin(value, flag)) return value
  return stop(`--${flag.name} must be a whole number, ${formatRange(flag)}, not "${text}".`)
}

const parseDuration = (flag: Flag<unknown>, text: string): number => {
  const unit = flag.unit ?? "ms"
  const [, digits, given = unit] = DURATION.exec(text) ?? []
  const ms = Number(digits) * UNIT_MS[given as Unit]
  const value = unit === "ms" ? Math.round(ms) : ms / UNIT_MS[unit]
  if (digits !== undefined && isWithin(value, flag)) return value
  return stop(`--${flag.name} must be a duration such as 500ms, 5s or 1m, ${formatRange(flag, unit)}, not "${text}".`)
}

const parseValue = (flag: Flag<unknown>, text: string): unknown => {
  const { is, name, words } = flag
  if (is === "whole") return parseWhole(flag, text)
  if (is === "duration") return parseDuration(flag, text)
  if (is === "secret") return Redacted.make(text)
  if (is === "switch") {
    return TRUE.test(text) || (!FALSE.test(text) && stop(`--${name} accepts on or off, not "${text}".`))
  }
  if (words === undefined || words.includes(text)) return text
  return stop(`--${name} must be one of ${words.join(", ")}, not "${text}".${didYouMean(nearest(text, words))}`)
}

/** Formats a flag as the user would type it, for error messages. */
const spelled = ({ alias, name }: Flag<unknown>): string =>
  alias === undefined ? `--${name}` : `--${name} (-${alias})`

const unknownFlag = (arg: string, flags: ReadonlyArray<Flag<unknown>>): string => {
  const [, dashes = "", name = ""] = /^(--?)([^=]*)/.exec(arg)!
  if (dashes === "--") {
    const word = nearest(
      name,
      flags.map((flag) => flag.name)
    )
    return `There is no flag --${name}.${didYouMean(word === undefined ? undefined : `--${word}`)}`
  }
  const short = flags.filter(({ alias }) => alias !== undefined).map(spelled)
  return `There is no flag ${dashes}${name}. Flags of one letter: ${short.join(", ")}.`
}

/** A flag on the command line, with its value. `length` is the number of arguments that the flag and the value occupy. */
interface Site {
  readonly flag: Flag<unknown>
  readonly value: unknown
  readonly length: 1 | 2
}

const isFlag = (arg: string): boolean => arg.startsWith("-") && arg !== "-"

/**
 * Parses the flag in the first argument. The value of the flag can be in the first or the second argument. Returns `undefined` if the flag
 * is unknown.
 */
const parseFlag = (flags: ReadonlyArray<Flag<unknown>>, [arg = "", next]: ReadonlyArray<string>): Site | undefined => {
  const [, long, inlineLong, short, inlineShort] = /^(?:--([^=]+)(?:=([^]*))?|-([^-=])(?:=?([^]+))?)$/.exec(arg) ?? []
  const inline = inlineLong ?? inlineShort
  const negated = flags.find((one) => one.negated !== undefined && long === `no-${one.name}`)
  if (negated !== undefined && inline === undefined) return { flag: negated, value: negated.negated, length: 1 }
  const flag = flags.find(({ alias, name }) => (short === undefined ? name === long : alias === short))
  if (flag === undefined) return undefined
  if (inline !== undefined && inline !== "") return { flag, value: parseValue(flag, inline), length: 1 }
  if (inline === undefined && flag.is === "switch") return { flag, value: true, length: 1 }
  if (inline === undefined && flag.alone !== undefined && (next === undefined || !isOwnValue(flag, next))) {
    return { flag, value: flag.alone, length: 1 }
  }
  const isNumber = flag.is === "whole" || flag.is === "duration"
  if (inline === "" || next === undefined || next === "" || (isFlag(next) && !(isNumber && /^-\d/.test(next)))) {
    const hint =
      inline === "" || next === undefined || next === ""
        ? ""
        : ` ${next} is a flag; to use it as the value, write --${flag.name}=${next}.`
    return stop(`--${flag.name} requires a value${flag.metavar === undefined ? "" : ` (${flag.metavar})`}.${hint}`)
  }
  return { flag, value: parseValue(flag, next), length: 2 }
}

const chooseSetting = (flag: Flag<unknown>, values: ReadonlyArray<unknown>): unknown => {
  if (flag.times === "many") return values
  if (values.length > 0) return values.at(-1)
  if (flag.times === "maybe" || flag.otherwise !== undefined) return flag.otherwise
  return stop(`${flag.is === "argument" ? flag.name.toUpperCase() : `--${flag.name}`} is missing.`)
}

const parseSettings = (flags: Flags, args: ReadonlyArray<string>): Record<string, unknown> => {
  const all = Object.values(flags)
  const withDashes = all.filter(({ is }) => is !== "argument")
  const given = new Map(all.map((flag): [Flag<unknown>, Array<unknown>] => [flag, []]))
  const operands: Array<string> = []
  for (let i = 0; i < args.length;) {
    const arg = args[i]!
    if (arg === "--") {
      operands.push(...args.slice(i + 1))
      break
    }
    if (isFlag(arg)) {
      const site = parseFlag(withDashes, args.slice(i, i + 2)) ?? stop(unknownFlag(arg, withDashes))
      given.get(site.flag)!.push(site.value)
      i += site.length
    } else {
      operands.push(arg)
      i++
    }
  }
  for (const flag of all) {
    if (flag.is === "argument")
      given.get(flag)!.push(...operands.splice(0, flag.times === "many" ? operands.length : 1))
  }
  if (operands.length > 0) {
    const count = all.filter(({ is }) => is === "argument").length
    stop(
      `Unexpected argument "${operands[0]}". The command accepts ${count === 0 ? "no arguments" : plural(count, "argument")}.`
    )
  }
  return Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, chooseSetting(flag, given.get(flag)!)]))
}

/** Parses the settings from the arguments of a command. The arguments do not include the command's name. */
export const parse = (flags: Flags, args: ReadonlyArray<string>): Result.Result<Record<string, unknown>, UsageError> =>
  Result.try({ try: () => parseSettings(flags, args), catch: (error) => error as UsageError })

/**
 * Returns the indexes of the arguments before `--` that are neither flags nor values of flags. With these indexes, the program finds the
 * name of the command even if flags precede the name. This function does not check values. If a flag is unknown, this function assumes that
 * the flag has no value.
 */
export const operandsIn = (flags: ReadonlyArray<Flag<unknown>>, args: ReadonlyArray<string>): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let i = 0; i < args.length && args[i] !== "--"; i++) {
    const arg = args[i]!
    if (!isFlag(arg)) places.push(i)
    else {
      const flag = flags.find(({ alias, name }) => arg === `--${name}` || (alias !== undefined && arg === `-${alias}`))
      const takesNext =
        flag !== undefined && flag.is !== "switch" && (flag.alone === undefined || isOwnValue(flag, args[i + 1] ?? ""))
      if (takesNext) i++
    }
  }
  return places
}
