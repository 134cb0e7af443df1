/** Converts an object with conditions by name to the filter of a request to a master server. */
import type * as Result from "effect/Result"
import type { InvalidOption } from "../client/Options.ts"
import { demand, isObject, isText, checkedOptions, readable, refuse } from "../edge.ts"
import type { MasterFilter } from "./terms.ts"

/** Conditions by name. A server must meet all conditions that are present. */
export interface Conditions {
  /** Folder of the game, for example `cstrike`. */
  readonly gamedir?: string | undefined
  readonly map?: string | undefined
  /** Steam app id. */
  readonly appId?: number | undefined
  /** Excludes servers with this Steam app id. */
  readonly notAppId?: number | undefined
  /** Name of the server; `*` matches any text. */
  readonly name?: string | undefined
  /** Version of the server; `*` matches any text. */
  readonly version?: string | undefined
  /** Address of the server: an IP address, or an IP address and a port. */
  readonly gameAddress?: string | undefined
  /** Servers with all of these public tags (`sv_tags`). */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Servers with all of these hidden tags. */
  readonly hiddenTags?: ReadonlyArray<string> | undefined
  /** Servers with at least one of these hidden tags. */
  readonly anyHiddenTag?: ReadonlyArray<string> | undefined
  readonly dedicated?: boolean | undefined
  /** Servers with VAC. */
  readonly secure?: boolean | undefined
  readonly linux?: boolean | undefined
  readonly withoutPassword?: boolean | undefined
  /** Servers with players. */
  readonly notEmpty?: boolean | undefined
  /** Servers with free slots. */
  readonly notFull?: boolean | undefined
  /** Servers without players. */
  readonly noPlayers?: boolean | undefined
  /** Spectator proxies. */
  readonly proxy?: boolean | undefined
  /** Servers on the master's white list. */
  readonly whitelisted?: boolean | undefined
  /** Only one server per IP address. */
  readonly oncePerAddress?: boolean | undefined
  /** Excludes servers that meet any of these conditions. To exclude several values of one condition, pass several objects. */
  readonly none?: Conditions | ReadonlyArray<Conditions> | undefined
  /** Excludes servers that meet all of these conditions. */
  readonly notAll?: Conditions | ReadonlyArray<Conditions> | undefined
  /** Other keys and their values, for masters that support these keys. */
  readonly other?: Readonly<Record<string, string | number>> | undefined
}

type Flag = "0" | "1"
type Kind = "text" | "whole" | "texts" | Flag

/**
 * The key of each condition in the request, and the kind of its value. If the condition is a flag, the kind is the value that the request
 * contains for `true`. For example, the request contains `\empty\1` if `notEmpty` is `true`.
 */
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

const flag = (on: Flag) =>
  ["true or false", (value: unknown) => (value === true ? [on] : value === false ? [] : undefined)] as const

/**
 * For each kind of value: the requirement for a value (a text for error messages), and a function that formats a value. The function
 * returns the texts that the filter contains for the value: `[]` if a flag is `false`, and `undefined` if the value is invalid.
 */
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

/** Converts conditions to the terms of a filter. */
export const toTerms = (conditions: Conditions): Result.Result<MasterFilter, InvalidOption> =>
  readable(() => collectTerms(conditions), "filter")

const NAMES = /* @__PURE__ */ [...Object.keys(KEYS), "none", "notAll", "other"]

const isConditions = (value: unknown): boolean => isObject(value) && !Array.isArray(value)

const collectTerms = (conditions: Conditions): MasterFilter => {
  demand("filter", "a text, or an object of conditions", isConditions, conditions)
  return Object.entries(checkedOptions(NAMES, conditions, "filter")).flatMap(([name, value]) => buildTerms(name, value))
}

const buildTerms = (name: string, value: unknown): MasterFilter => {
  if (value === undefined) return []
  if (name === "none" || name === "notAll") {
    const groups: ReadonlyArray<Conditions> = Array.isArray(value) ? value : [value]
    return [{ operator: name === "none" ? "nor" : "nand", terms: groups.flatMap(collectTerms) }]
  }
  if (name === "other") {
    const others = demand("filter.other", "an object", isObject, value)
    return Object.entries(others as object).map(([key, given]) => ({ key, value: String(given) }))
  }
  const [key, kind] = KEYS[name as keyof typeof KEYS]
  const [must, write] = WRITERS[kind]
  return (write(value) ?? refuse(`filter.${name}`, must, value)).map((text) => ({ key, value: text }))
}
