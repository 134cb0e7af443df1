/**
 * Reads command lines that leave no question: flags that there are, once, with values that they take. Of any other it says so, and
 * `full.ts` reads it, explains what is wrong, or prints help. That takes longer to load than a query takes, so most command lines do
 * without it. Both read by the same {@link Flags}, and a test holds that both understand the same.
 */
import type { Flag, Flags } from "../options.ts"

const isValue = (arg: string): boolean => arg === "-" || (arg !== "" && !arg.startsWith("-"))

// Behind a switch, these are its value.
const SWITCHED = /^(true|yes|on|1|y|false|no|off|0|n)$/i

type Given = ReadonlyMap<Flag<unknown>, ReadonlyArray<string>>

const sorted = (flags: Flags, args: ReadonlyArray<string>): Given | undefined => {
  const all = Object.values(flags)
  const given = new Map(all.map((flag): [Flag<unknown>, Array<string>] => [flag, []]))
  const operands: Array<string> = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (isValue(arg)) operands.push(arg)
    else {
      const [, name, inline] = /^--?([^=]+)(?:=([^]+))?$/.exec(arg) ?? []
      const flag = all.find(
        ({ alias, is, name: long }) => is !== "argument" && name === (arg.startsWith("--") ? long : (alias ?? ""))
      )
      if (flag === undefined || flag.is === "secret") return undefined
      if (flag.is === "switch") {
        if (inline !== undefined || SWITCHED.test(args[i + 1] ?? "")) return undefined
        given.get(flag)!.push(name!)
      } else {
        const value = inline ?? args[++i] ?? ""
        if (inline === undefined && !isValue(value)) return undefined
        given.get(flag)!.push(value)
      }
    }
  }
  for (const flag of all) {
    if (flag.is === "argument") given.get(flag)!.push(...operands.splice(0, flag.times === "one" ? 1 : operands.length))
  }
  return operands.length === 0 ? given : undefined
}

/** The value that a text stands for; `undefined` when it stands for none. */
const valueOf = ({ is, least, most, words }: Flag<unknown>, text: string): unknown => {
  if (is === "switch") return true
  if (is !== "whole") return words === undefined || words.includes(text) ? text : undefined
  const value = Number(text)
  return /^\d{1,15}$/.test(text) && value >= (least ?? 0) && value <= (most ?? value) ? value : undefined
}

/** What a flag is set to, which may be nothing, by the texts that it has; no list where they are not plain. */
const setting = (flag: Flag<unknown>, texts: ReadonlyArray<string>): readonly [unknown] | undefined => {
  const values = texts.map((text) => valueOf(flag, text))
  if (values.includes(undefined)) return undefined
  if (flag.times === "many") return [values]
  const [value = flag.otherwise, ...more] = values
  return more.length === 0 && (value !== undefined || flag.times === "maybe") ? [value] : undefined
}

/** What a command line says, without the command's name; `undefined` when that is not plain. */
export const readPlain = (flags: Flags, args: ReadonlyArray<string>): Record<string, unknown> | undefined => {
  const given = sorted(flags, args)
  if (given === undefined) return undefined
  const settings: Record<string, unknown> = {}
  for (const [key, flag] of Object.entries(flags)) {
    const set = setting(flag, given.get(flag)!)
    if (set === undefined) return undefined
    settings[key] = set[0]
  }
  return settings
}
