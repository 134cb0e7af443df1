/** A master server's filter as an object: conditions by name. */
import type * as Result from "effect/Result"
import type { InvalidOption } from "../client/Options.ts"
import { demand, isObject, isText, optionsOf, readable, refuse } from "../edge.ts"
import type { MasterFilter } from "./terms.ts"

/** Conditions by name, all of which must hold. */
export interface Conditions {
  /** The game, by its folder, as in `cstrike`. */
  readonly gamedir?: string | undefined
  readonly map?: string | undefined
  /** Steam app id. */
  readonly appId?: number | undefined
  /** Any Steam app id but this. */
  readonly notAppId?: number | undefined
  /** Name; `*` stands for any text. */
  readonly name?: string | undefined
  /** Version; `*` stands for any text. */
  readonly version?: string | undefined
  /** IP address, or IP address and port. */
  readonly gameAddress?: string | undefined
  /** All of these public tags (`sv_tags`). */
  readonly tags?: ReadonlyArray<string> | undefined
  /** All of these hidden tags. */
  readonly hiddenTags?: ReadonlyArray<string> | undefined
  /** Any of these hidden tags. */
  readonly anyHiddenTag?: ReadonlyArray<string> | undefined
  readonly dedicated?: boolean | undefined
  /** With VAC. */
  readonly secure?: boolean | undefined
  readonly linux?: boolean | undefined
  readonly withoutPassword?: boolean | undefined
  /** Somebody plays. */
  readonly notEmpty?: boolean | undefined
  /** There is room left. */
  readonly notFull?: boolean | undefined
  /** Nobody plays. */
  readonly noPlayers?: boolean | undefined
  /** Spectator proxies. */
  readonly proxy?: boolean | undefined
  /** On the master's white list. */
  readonly whitelisted?: boolean | undefined
  /** One server per IP address. */
  readonly oncePerAddress?: boolean | undefined
  /** None of these may hold; several objects where one would need a name twice. */
  readonly none?: Conditions | ReadonlyArray<Conditions> | undefined
  /** At least one of these may not hold. */
  readonly notAll?: Conditions | ReadonlyArray<Conditions> | undefined
  /** Other keys, for masters that know them. */
  readonly other?: Readonly<Record<string, string | number>> | undefined
}

type Flag = "0" | "1"
type Kind = "text" | "whole" | "texts" | Flag

/** Each condition's key, and what it takes: a flag its value on the wire. `empty` and `full` are what they are not. */
const KEYS: Readonly<Record<Exclude<keyof Conditions, "none" | "notAll" | "other">, readonly [key: string, Kind]>> = {
  gamedir: ["gamedir", "text"],
  map: ["map", "text"],
  appId: ["appid", "whole"],
  notAppId: ["napp", "whole"],
  name: ["name_match", "text"],
  version: ["version_match", "text"],
  gameAddress: ["gameaddr", "text"],
  tags: ["gametype", "texts"],
  hiddenTags: ["gamedata", "texts"],
  anyHiddenTag: ["gamedataor", "texts"],
  dedicated: ["dedicated", "1"],
  secure: ["secure", "1"],
  linux: ["linux", "1"],
  withoutPassword: ["password", "0"],
  notEmpty: ["empty", "1"],
  notFull: ["full", "1"],
  noPlayers: ["noplayers", "1"],
  proxy: ["proxy", "1"],
  whitelisted: ["white", "1"],
  oncePerAddress: ["collapse_addr_hash", "1"]
}

/** What a value of each kind must be, and its text; `undefined` where it is something else, `[]` where it adds nothing. */
const flag = (on: Flag) =>
  ["true or false", (value: unknown) => (value === true ? [on] : value === false ? [] : undefined)] as const
const WRITERS: Readonly<Record<Kind, readonly [must: string, (value: unknown) => ReadonlyArray<string> | undefined]>> =
  {
    text: ["a text", (value) => (isText(value) ? [value] : undefined)],
    whole: ["a whole number", (value) => (Number.isInteger(value) ? [String(value)] : undefined)],
    texts: [
      "an array of texts",
      (value) => (Array.isArray(value) && value.every(isText) ? [value.join(",")] : undefined)
    ],
    "0": /* @__PURE__ */ flag("0"),
    "1": /* @__PURE__ */ flag("1")
  }

/** The terms of a filter that is given as an object. */
export const termsOf = (conditions: Conditions): Result.Result<MasterFilter, InvalidOption> =>
  readable(() => termsIn(conditions), "filter")

const NAMES = /* @__PURE__ */ [...Object.keys(KEYS), "none", "notAll", "other"]

const isConditions = (value: unknown): boolean => isObject(value) && !Array.isArray(value)

const termsIn = (conditions: Conditions): MasterFilter => {
  demand("filter", "a text, or an object of conditions", isConditions, conditions)
  return Object.entries(optionsOf(NAMES, conditions, "filter")).flatMap(([name, value]) => termsFor(name, value))
}

/** The terms that one condition stands for. */
const termsFor = (name: string, value: unknown): MasterFilter => {
  if (value === undefined) return []
  if (name === "none" || name === "notAll") {
    const groups: ReadonlyArray<Conditions> = Array.isArray(value) ? value : [value]
    return [{ operator: name === "none" ? "nor" : "nand", terms: groups.flatMap(termsIn) }]
  }
  if (name === "other") {
    const others = demand("filter.other", "an object", isObject, value)
    return Object.entries(others as object).map(([key, given]) => ({ key, value: String(given) }))
  }
  const [key, kind] = KEYS[name as keyof typeof KEYS]
  const [must, write] = WRITERS[kind]
  return (write(value) ?? refuse(`filter.${name}`, must, value)).map((text) => ({ key, value: text }))
}
