/**
 * Sources of a group's targets besides the configuration itself: a file, a URL, a master server, or Steam's Web API. This module checks
 * their settings.
 */
import { parseAddress } from "@sourcewire/core"
import { DEFAULT_MASTER_PORT, MasterFilter, REGIONS, type Region } from "@sourcewire/core/master"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DAY_MS } from "../history/HourSamples.ts"

const regions = Object.keys(REGIONS) as [Region, ...Array<Region>]

/** A source in the configuration, with exactly one of `file`, `url`, `master` and `steam`. */
export const SourceConfig = Schema.Struct({
  /** A list in a file with one address per line, which is read again after every change. */
  file: Schema.optionalKey(Schema.NonEmptyString),
  /** A list at a URL: lines, or a JSON array. */
  url: Schema.optionalKey(Schema.NonEmptyString),
  /** A master server, as `host:port`. */
  master: Schema.optionalKey(Schema.NonEmptyString),
  /** A filter for Steam's Web API, as in `\appid\440`. */
  steam: Schema.optionalKey(Schema.NonEmptyString),
  /** With `master`: a filter, as in `\gamedir\cstrike`. */
  filter: Schema.optionalKey(Schema.String),
  /** With `master`. */
  region: Schema.optionalKey(Schema.Literals(regions)),
  /** With `steam`: the file that holds the key. */
  keyFile: Schema.optionalKey(Schema.NonEmptyString),
  /** With `steam`: the environment variable that holds the key (default: `STEAM_API_KEY`). */
  keyVariable: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z_]\w{0,63}$/, { message: "expected the name of an environment variable" })
    )
  ),
  /** With `steam`: another host of the same API. */
  api: Schema.optionalKey(Schema.NonEmptyString),
  /** Whether the source and its servers may have addresses that are not global unicast: private networks, loopback, link-local. */
  allowLocal: Schema.optionalKey(Schema.Boolean),
  /** The interval between two readings. A file is read when it changes. */
  refreshMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 10_000, maximum: DAY_MS }))),
  /** A server is no longer monitored once it has been missing from this many lists in a row. */
  keep: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
  /** A list that has lost more of its servers than this is rejected, and the list before it stays in use. 100 accepts any list. */
  maxLossPercent: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))),
  /** Most servers of the source that are monitored. */
  max: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })))
})

type Given = typeof SourceConfig.Type

/** The same source with other paths. */
export const withPaths = (given: Given, change: (path: string) => string): Given => ({
  ...given,
  ...(given.file === undefined ? {} : { file: change(given.file) }),
  ...(given.keyFile === undefined ? {} : { keyFile: change(given.keyFile) })
})

export type Kind = "file" | "url" | "master" | "steam"

const MINUTE_MS = 60_000

/**
 * By kind: the settings that only it accepts, and the defaults of `refreshMs` and `keep`. Steam allows 100 000 requests a day. Lists of
 * masters and services flap, but a line that was removed from a file was removed on purpose.
 */
const RULES: Readonly<Record<Kind, { own: ReadonlyArray<keyof Given>; refreshMs: number; keep: number }>> = {
  file: { own: [], refreshMs: 1000, keep: 1 },
  url: { own: ["allowLocal", "refreshMs"], refreshMs: 5 * MINUTE_MS, keep: 3 },
  master: { own: ["filter", "region", "allowLocal", "refreshMs"], refreshMs: 10 * MINUTE_MS, keep: 3 },
  steam: { own: ["keyFile", "keyVariable", "api", "allowLocal", "refreshMs"], refreshMs: 10 * MINUTE_MS, keep: 3 }
}
const KINDS = Object.keys(RULES) as ReadonlyArray<Kind>
const COMMON: ReadonlySet<keyof Given> = new Set(["keep", "max", "maxLossPercent"])
/** Defaults for all kinds. */
const USUAL = {
  max: 100_000,
  maxLossPercent: 50,
  filter: "",
  region: "world",
  api: "https://api.steampowered.com",
  keyVariable: "STEAM_API_KEY"
} as const

/** The settings of a source with defaults filled in. */
type Settings = Required<Omit<Given, Kind | "keyFile">>

/** A source whose settings have been checked. */
export interface Source extends Settings {
  /** Identifies its list in the store. It changes with every setting that changes the list. */
  readonly key: string
  /** The name in messages, without secrets. */
  readonly name: string
  readonly group: string
  readonly kind: Kind
  /** A path, a URL, an address, or a filter. */
  readonly where: string
  readonly keyFile?: string
}

/** The rest of a URL may contain a secret. */
const nameOf = (kind: Kind, where: string, filter: string): string =>
  `${kind} ${kind === "url" ? new URL(where).host : where}${filter === "" ? "" : ` ${filter}`}`

/** Why a source is not valid. */
interface Problem {
  readonly message: string
}

const unfit = (message: string) => Result.fail({ message })

const checkUrl = (field: string, url: string = USUAL.api, allowLocal = false): Result.Result<void, Problem> => {
  const schemes = allowLocal ? /^https?:$/ : /^https:$/
  const isFit = URL.canParse(url) && schemes.test(new URL(url).protocol)
  return isFit ? Result.void : unfit(`${field} must be an https URL (http is allowed if allowLocal is set)`)
}

/** Checks a source of a group. */
export const sourceOf = (group: string, given: Given): Result.Result<Source, Problem> =>
  Result.gen(function* () {
    const [kind, ...others] = KINDS.filter((one) => given[one] !== undefined)
    if (kind === undefined || others.length > 0)
      return yield* unfit(`a source must have exactly one of ${KINDS.join(", ")}`)
    const { [kind]: where = "", ...stated } = given
    const { keep, own, refreshMs } = RULES[kind]
    const odd = (Object.keys(stated) as Array<keyof Given>).find((key) => !own.includes(key) && !COMMON.has(key))
    if (odd !== undefined) return yield* unfit(`${odd} cannot be combined with ${kind}`)
    if (kind === "url") yield* checkUrl("url", where, given.allowLocal)
    if (kind === "master") yield* parseAddress(where, DEFAULT_MASTER_PORT)
    if (kind === "master" || kind === "steam") yield* MasterFilter.parse(given.steam ?? given.filter ?? "")
    if (kind === "steam") yield* checkUrl("api", given.api, given.allowLocal)
    // A file belongs to the operator, so its addresses may be local.
    const settings = { ...USUAL, allowLocal: kind === "file", refreshMs, keep, ...stated }
    const { api, filter, region } = settings
    const key = JSON.stringify([group, kind, where, filter, region, api])
    return { key, name: nameOf(kind, where, filter), group, kind, where, ...settings }
  })

/** The sources of a group, each with a unique name. */
export const sourcesOf = (group: string, given: ReadonlyArray<Given>): Result.Result<ReadonlyArray<Source>, Problem> =>
  Result.gen(function* () {
    const sources: Array<Source> = []
    const names = new Map<string, number>()
    for (const one of given) {
      const source = yield* sourceOf(group, one)
      if (sources.some(({ key }) => key === source.key)) return yield* unfit(`${source.name} is listed twice`)
      const number = (names.get(source.name) ?? 0) + 1
      names.set(source.name, number)
      sources.push(number === 1 ? source : { ...source, name: `${source.name} (${number})` })
    }
    return sources
  })
