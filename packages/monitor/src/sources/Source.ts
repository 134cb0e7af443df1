/**
 * Checks the settings of sources. A source provides a list of targets for a group, in addition to the group's targets in the configuration.
 * A source is a file, a URL, a master server, or Steam's Web API.
 */
import { parseAddress } from "@sourcewire/core"
import { DEFAULT_MASTER_PORT, MasterFilter, REGIONS, type Region } from "@sourcewire/core/master"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DAY_MS } from "../history/HourSamples.ts"

const regions = Object.keys(REGIONS) as [Region, ...Array<Region>]

const MINUTE_MS = 60_000

/**
 * The default interval at which a source is read, for each kind of source. For a file, this is the interval at which the monitor checks
 * whether the file has changed. With the default for `steam`, the number of requests is far below Steam's limit of 100,000 requests a day.
 */
const REFRESH_MS = { file: 1000, url: 5 * MINUTE_MS, master: 10 * MINUTE_MS, steam: 10 * MINUTE_MS }

/** Defaults that do not depend on the kind of the source. */
const DEFAULTS = {
  max: 100_000,
  maxLossPercent: 50,
  filter: "",
  region: "world",
  api: "https://api.steampowered.com",
  keyVariable: "STEAM_API_KEY"
} as const

/**
 * Default of `keep`: a server is removed when it is missing from this number of consecutive lists. A master server or a service can omit a
 * server for a short time. A line disappears from a file only if a user removes the line. Therefore the default for a file is 1.
 */
const KEEP = { list: 3, file: 1 }

const path = Schema.NonEmptyString.annotate({ title: "path" })
const url = Schema.NonEmptyString.annotate({ title: "URL" })

// The reference page is generated from these annotations and from the annotations in `config/Config.ts`.

/** A source in the configuration, with exactly one of `file`, `url`, `master` and `steam`. */
export const SourceConfig = Schema.Struct({
  file: Schema.optionalKey(path).annotateKey({
    description:
      "A file with one address per line, as for `--file`, or with a JSON array, as for `url`. The monitor reads the file again after a change. Paths are relative to the configuration file."
  }),
  url: Schema.optionalKey(url).annotateKey({
    description:
      "The `https` URL of a list. The list has one address per line, or is a JSON array. The elements of the array are addresses, or objects with the field `address` or `addr`. A JSON array in the format of the monitor's page `/targets` is also accepted. If the server sends ETag or Last-Modified, an unchanged list is not downloaded again. The size of a list is at most 16 MiB; redirects are not followed."
  }),
  master: Schema.optionalKey(Schema.NonEmptyString.annotate({ title: "`host:port`" })).annotateKey({
    description: "A master server."
  }),
  steam: Schema.optionalKey(Schema.NonEmptyString.annotate({ title: "text" })).annotateKey({
    description:
      "A filter for Steam's Web API (`IGameServersService/GetServerList`), for example `\\\\appid\\\\440` or `\\\\gamedir\\\\tf`."
  }),
  filter: Schema.optionalKey(Schema.String).annotateKey({
    description: "With `master`: the filter, as for `sourcewire master`.",
    defaultText: "all"
  }),
  region: Schema.optionalKey(Schema.Literals(regions)).annotateKey({
    description: "With `master`: the region, as for `sourcewire master`.",
    default: DEFAULTS.region
  }),
  keyFile: Schema.optionalKey(path).annotateKey({
    description:
      "With `steam`: the file with the key for Steam's Web API. The key is sent in a header, and is never logged or displayed."
  }),
  keyVariable: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z_]\w{0,63}$/, { message: "expected the name of an environment variable" })
    )
  ).annotateKey({
    description: "With `steam`: the environment variable with the key, if there is no `keyFile`.",
    default: DEFAULTS.keyVariable
  }),
  api: Schema.optionalKey(url).annotateKey({
    description:
      "With `steam`: the URL of Steam's Web API. With a publisher's key, use the host that Steam provides for publishers.",
    default: DEFAULTS.api
  }),
  refreshMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 10_000, maximum: DAY_MS }))).annotateKey({
    description: "Interval at which the list is read. Not valid with `file`.",
    defaultText: `${REFRESH_MS.url} for \`url\`, ${REFRESH_MS.master} for \`master\` and \`steam\``
  }),
  keep: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))).annotateKey({
    description:
      "If a server is missing from this number of consecutive lists of the source, the monitor removes the server.",
    defaultText: `${KEEP.list}; for \`file\` ${KEEP.file}`
  }),
  max: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))).annotateKey({
    description: "Maximum number of servers of the source.",
    default: DEFAULTS.max
  }),
  maxLossPercent: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))).annotateKey({
    description:
      "Maximum percentage of the servers of the source that may be missing from a new list. If more servers are missing, the new list is rejected, and the previous list stays in use. With `100`, every list is accepted.",
    default: DEFAULTS.maxLossPercent
  }),
  allowLocal: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Whether the source and its servers may have addresses that are not public. These are all addresses that IANA's registries do not mark as global unicast: private, loopback, link-local, shared, reserved, documentation and multicast addresses. This setting is also required for `http` URLs. Not valid with `file`, which may list any address. Host names on a list are not resolved when the list is read.",
    default: false
  })
})

type Given = typeof SourceConfig.Type

/** Applies a function to the paths in the settings of a source. */
export const withPaths = (given: Given, change: (path: string) => string): Given => ({
  ...given,
  ...(given.file === undefined ? {} : { file: change(given.file) }),
  ...(given.keyFile === undefined ? {} : { keyFile: change(given.keyFile) })
})

export type Kind = "file" | "url" | "master" | "steam"

/** For each kind of source: the settings that this kind accepts, in addition to the settings that all kinds accept. */
const OWN: Readonly<Record<Kind, ReadonlyArray<keyof Given>>> = {
  file: [],
  url: ["allowLocal", "refreshMs"],
  master: ["filter", "region", "allowLocal", "refreshMs"],
  steam: ["keyFile", "keyVariable", "api", "allowLocal", "refreshMs"]
}
const KINDS = Object.keys(OWN) as ReadonlyArray<Kind>
const COMMON: ReadonlySet<keyof Given> = new Set(["keep", "max", "maxLossPercent"])

/** The settings of a source. If a setting is missing from the configuration, the field contains the default of the setting. */
type Settings = Required<Omit<Given, Kind | "keyFile">>

/** A source whose settings have been checked. */
export interface Source extends Settings {
  /** Identifies the source's list in the store. If a setting that affects the list changes, the key also changes. */
  readonly key: string
  /** The name of the source in messages. The name contains no secrets. */
  readonly name: string
  readonly group: string
  readonly kind: Kind
  /** The path of a file, the URL of a list, the address of a master server, or the filter for Steam, depending on `kind`. */
  readonly where: string
  readonly keyFile?: string
}

/** Formats the name of a source. For a URL, the name contains only the host, because the rest of the URL may contain a secret. */
const formatName = (kind: Kind, where: string, filter: string): string =>
  `${kind} ${kind === "url" ? new URL(where).host : where}${filter === "" ? "" : ` ${filter}`}`

/** Why a source is not valid. */
interface Problem {
  readonly message: string
}

const unfit = (message: string) => Result.fail({ message })

const checkUrl = (field: string, url: string = DEFAULTS.api, allowLocal = false): Result.Result<void, Problem> => {
  const schemes = allowLocal ? /^https?:$/ : /^https:$/
  const isFit = URL.canParse(url) && schemes.test(new URL(url).protocol)
  return isFit ? Result.void : unfit(`${field} must be an https URL (http is allowed if allowLocal is set)`)
}

/** Checks a source of a group. */
export const checkSource = (group: string, given: Given): Result.Result<Source, Problem> =>
  Result.gen(function* () {
    const [kind, ...others] = KINDS.filter((one) => given[one] !== undefined)
    if (kind === undefined || others.length > 0)
      return yield* unfit(`a source must have exactly one of ${KINDS.join(", ")}`)
    const { [kind]: where = "", ...stated } = given
    const odd = (Object.keys(stated) as Array<keyof Given>).find((key) => !OWN[kind].includes(key) && !COMMON.has(key))
    if (odd !== undefined) return yield* unfit(`${odd} cannot be combined with ${kind}`)
    if (kind === "url") yield* checkUrl("url", where, given.allowLocal)
    if (kind === "master") yield* parseAddress(where, DEFAULT_MASTER_PORT)
    if (kind === "master" || kind === "steam") yield* MasterFilter.parse(given.steam ?? given.filter ?? "")
    if (kind === "steam") yield* checkUrl("api", given.api, given.allowLocal)
    // A file is written by the operator, so it may contain local addresses.
    const isFile = kind === "file"
    const keep = isFile ? KEEP.file : KEEP.list
    const settings = { ...DEFAULTS, allowLocal: isFile, refreshMs: REFRESH_MS[kind], keep, ...stated }
    const { api, filter, region } = settings
    const key = JSON.stringify([group, kind, where, filter, region, api])
    return { key, name: formatName(kind, where, filter), group, kind, where, ...settings }
  })

/**
 * Checks the sources of a group. A source must not be listed twice. If several sources have the same name, the second and later ones
 * get a number after the name.
 */
export const checkSources = (
  group: string,
  given: ReadonlyArray<Given>
): Result.Result<ReadonlyArray<Source>, Problem> =>
  Result.gen(function* () {
    const sources: Array<Source> = []
    const names = new Map<string, number>()
    for (const one of given) {
      const source = yield* checkSource(group, one)
      if (sources.some(({ key }) => key === source.key)) return yield* unfit(`${source.name} is listed twice`)
      const number = (names.get(source.name) ?? 0) + 1
      names.set(source.name, number)
      sources.push(number === 1 ? source : { ...source, name: `${source.name} (${number})` })
    }
    return sources
  })
