/**
 * What to watch, and how: the configuration file as a schema, and what is made of it. The file holds what can change while the monitor
 * runs; where it listens and where it stores are the program's flags.
 */
import { IpRanges } from "@sourcewire/core/address"
import { declaredFormats, FORMATS, isDeclared } from "../alerts/formats.ts"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DAY_MS } from "../history/HourSamples.ts"
import { LABEL_NAME, RESERVED_LABELS } from "../http/labels.ts"
import { Maintenance, MaintenanceWindow } from "./maintenance.ts"
import { targetIn } from "./target.ts"
import { type Source, SourceConfig, sourcesOf, withPaths } from "../sources/Source.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const milliseconds = (minimum: number, maximum: number) =>
  between(minimum, maximum).annotate({ description: "Milliseconds" })
const days = between(1, 36_500)

const NAME = "expected a name of 1 to 64 letters, digits, dots, dashes and underscores"

const LocationName = Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/, { message: NAME }))

/** Whether a location may be called so. */
export const isLocation = Schema.is(LocationName)

const behaviour = {
  /** How often each target is asked. */
  intervalMs: Schema.optionalKey(milliseconds(1000, DAY_MS)),
  /** How often a target that is down is queried (default: `intervalMs`). */
  downIntervalMs: Schema.optionalKey(milliseconds(1000, DAY_MS)),
  /** `info`, or all three: INFO, then PLAYER and RULES. */
  query: Schema.optionalKey(Schema.Literals(["info", "all"])),
  timeoutMs: Schema.optionalKey(milliseconds(1, 60_000)),
  retries: Schema.optionalKey(between(0, 20)),
  /** Failed turns in a row until a target is down. */
  downAfter: Schema.optionalKey(between(1, 100)),
  /** Whether players who join and leave are kept by name; takes `query: "all"`. */
  joins: Schema.optionalKey(Schema.Boolean),
  /** Whether facts about a server that contradict each other are reported. Requires `query: "all"`. */
  verdicts: Schema.optionalKey(Schema.Boolean),
  /** From how many locations each target is asked, or from which; takes several machines. */
  locations: Schema.optionalKey(Schema.Union([between(1, 16), Schema.NonEmptyArray(LocationName)])),
  /** When the servers may be away: they are shown as muted, alert nobody, and the time does not count for their availability. */
  maintenance: Schema.optionalKey(Schema.Array(MaintenanceWindow))
}

/** What a webhook is told of. */
export const EVENTS = ["up", "down", "full", "map", "version", "name", "disagreement", "finding"] as const

const webhook = Schema.Struct({
  /** What it is called in the log, and what the store remembers it by. */
  name: Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/, { message: NAME })),
  url: Schema.optionalKey(Schema.String),
  /** A file with the URL, in place of `url`: many receivers have a secret in it. */
  urlFile: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.Literals(["json", "discord", "slack", ...declaredFormats])),
  /** The chat of Telegram, the room of Matrix. */
  to: Schema.optionalKey(Schema.String),
  /** A file with the receiver's token or key. It is read for each request, so that it can be renewed. */
  tokenFile: Schema.optionalKey(Schema.String),
  /** More headers; `{token}` stands for the token. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Signs each body with HMAC-SHA256, as `sha256=` and hexadecimal digits. */
  hmac: Schema.optionalKey(
    Schema.Struct({
      secretFile: Schema.String,
      /** The header with the signature (default: `x-sourcewire-signature`). */
      header: Schema.optionalKey(Schema.String)
    })
  ),
  events: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(EVENTS))),
  /** Only of these groups. */
  groups: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /**
   * The text of an alert of one server, with `{name}`, `{address}`, `{event}`, `{group}`, `{from}`, `{to}`, `{map}`, `{players}`,
   * `{maxPlayers}`, `{reason}`, `{duration}` and `{url}` in it.
   */
  template: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1000))),
  /**
   * How long an alert waits for others of its group, so that an outage of many servers is one alert (default: the interval of the group,
   * at most a minute, and two seconds). Servers of groups with fewer than five do not wait.
   */
  waitMs: Schema.optionalKey(milliseconds(0, 600_000)),
  /** Most requests in a minute; what comes on top waits. */
  perMinute: Schema.optionalKey(between(1, 600)),
  /** Whether it may be in a private network, on loopback or link-local. */
  allowLocal: Schema.optionalKey(Schema.Boolean)
})

/** For how many days history is kept. */
const retention = Schema.Struct({
  /** In steps of five minutes; 30 unless given. */
  fineDays: Schema.optionalKey(days),
  /** In steps of an hour; 730 unless given. */
  hourlyDays: Schema.optionalKey(days),
  /** Changes; 365 unless given. */
  changeDays: Schema.optionalKey(days)
})

/** The configuration file. Keys that it does not name are errors: most of them are typing errors. */
export const MonitorConfig = Schema.Struct({
  /** For every group that does not say otherwise. */
  defaults: Schema.optionalKey(Schema.Struct(behaviour)),
  groups: Schema.Array(
    Schema.Struct({
      name: Schema.String.check(
        Schema.isPattern(/^[\w .-]{1,64}$/, {
          message: "expected a name of 1 to 64 letters, digits, blanks, dots, dashes and underscores"
        })
      ),
      targets: Schema.optionalKey(Schema.Array(Schema.String)),
      /** Where more targets come from. */
      sources: Schema.optionalKey(Schema.Array(SourceConfig)),
      labels: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      /** Names by address, shown in place of what the servers call themselves. */
      names: Schema.optionalKey(Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(100)))),
      ...behaviour
    })
  ),
  /** What `/probe` may ask besides the targets of the groups. */
  probe: Schema.optionalKey(Schema.Struct({ allow: Schema.Array(Schema.String) })),
  metrics: Schema.optionalKey(
    Schema.Struct({
      /** Whether `sourcewire_server_info` has the name and the map of a server (default: true). Each new name is a new time series. */
      names: Schema.optionalKey(Schema.Boolean)
    })
  ),
  retention: Schema.optionalKey(retention),
  webhooks: Schema.optionalKey(Schema.Array(webhook)),
  /** Where people reach the monitor's page, as in `https://monitor.example/`: alerts link there. */
  pageUrl: Schema.optionalKey(Schema.String),
  /** Whether everybody may have `/badge/ADDRESS.svg`, whoever may read the rest. */
  publicBadges: Schema.optionalKey(Schema.Boolean),
  /** Groups whose `/status/GROUP` and `/embed/GROUP` everyone may read (default: none); `true` for all. */
  publicStatus: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.NonEmptyArray(Schema.String)]))
})

/** A webhook, as the file has it. */
export type WebhookConfig = typeof webhook.Type

/** How targets are to be treated. */
type Behaviour = Schema.Struct.Type<typeof behaviour>

/** How targets are asked: what differs here takes a scan of its own. */
export type Way = Required<Pick<Behaviour, "query" | "timeoutMs" | "retries">>

/** Targets that are treated alike. */
export interface Group extends Required<
  Pick<Behaviour, "intervalMs" | "downIntervalMs" | "downAfter" | "joins" | "verdicts">
> {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly way: Way
  /** From how many locations each is asked, or from which; from anywhere unless given. */
  readonly locations: number | ReadonlyArray<string> | undefined
  readonly maintenance: Maintenance
  /** Names that the configuration gives, by address. */
  readonly names: ReadonlyMap<string, string>
}

/** For how many days what is kept. */
export type Retention = Required<typeof retention.Type>

/** What the monitor does: a configuration that has been checked. */
export interface Plan {
  /** As it was given. */
  readonly config: typeof MonitorConfig.Type
  readonly groups: ReadonlyMap<string, Group>
  /** By address, as `host:port`. */
  readonly targets: ReadonlyMap<string, Group>
  /** Of targets that name a game: the query ports that it may use, the likeliest first, by address. */
  readonly ports: ReadonlyMap<string, ReadonlyArray<number>>
  readonly sources: ReadonlyArray<Source>
  /** Names of the sources that have listed an address. */
  readonly foundIn: ReadonlyMap<string, ReadonlyArray<string>>
  readonly allowedProbes: ReadonlyArray<IpRanges.IpRange>
  readonly retention: Retention
  readonly webhooks: ReadonlyArray<WebhookConfig>
  /** Ends in a slash. */
  readonly pageUrl: string | undefined
  readonly publicBadges: boolean
  /** Groups with a public status page. */
  readonly publicStatus: ReadonlySet<string>
  readonly namesInMetrics: boolean
  /** Whether a group has `verdicts`. */
  readonly hasVerdicts: boolean
  /** Whether some targets are asked from several locations, or from certain ones. */
  readonly hasLocations: boolean
}

/** The configuration has the right form and makes no sense. */
export class InvalidConfig extends Data.TaggedError("InvalidConfig")<{
  /** A sentence for people. */
  readonly message: string
}> {}

const invalid = (message: string) => Result.fail(new InvalidConfig({ message }))

/** What is wrong, and where it stands. */
const within = <A>(place: string, part: Result.Result<A, { readonly message: string }>) =>
  Result.mapError(part, ({ message }) => new InvalidConfig({ message: `${place}: ${message}` }))

const DEFAULT_INTERVAL_MS = 15_000

/** A group of these settings, and of what is usual. */
export const groupOf = (
  settings: Behaviour,
  name: string,
  labels: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string> = new Map()
): Group => ({
  name,
  labels,
  names,
  intervalMs: settings.intervalMs ?? DEFAULT_INTERVAL_MS,
  downIntervalMs: settings.downIntervalMs ?? settings.intervalMs ?? DEFAULT_INTERVAL_MS,
  way: { query: settings.query ?? "info", timeoutMs: settings.timeoutMs ?? 3000, retries: settings.retries ?? 4 },
  downAfter: settings.downAfter ?? 2,
  joins: settings.joins ?? false,
  verdicts: settings.verdicts ?? false,
  locations: settings.locations === 1 ? undefined : settings.locations,
  maintenance: new Maintenance(settings.maintenance ?? [])
})

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Headers that the request has by itself. */
const OWN_HEADERS = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection"])

const webhookProblem = ({ format = "json", headers = {}, hmac, to, tokenFile, url, urlFile }: WebhookConfig) => {
  if ((url === undefined) === (urlFile === undefined)) return "set either url or urlFile"
  if (url !== undefined && !isHttpUrl(url)) return "url must be an http or https URL"
  const names = [...Object.keys(headers), ...(hmac?.header === undefined ? [] : [hmac.header])]
  const unfit = names.find((name) => !HEADER_NAME.test(name) || OWN_HEADERS.has(name.toLowerCase()))
  if (unfit !== undefined) return `${JSON.stringify(unfit)} cannot be a header`
  const broken = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7e]*$/.test(value))
  if (broken !== undefined) return `the header ${broken[0]} must be ASCII on one line`
  if (!isDeclared(format)) return to === undefined ? undefined : `${format} has no setting "to"`
  const settings = { tokenFile, to }
  const missing = FORMATS[format].needs?.find((name) => settings[name] === undefined)
  return missing === undefined ? undefined : `${format} requires ${missing}`
}

const labelProblem = (name: string): string | undefined => {
  if (!LABEL_NAME.test(name)) return `${JSON.stringify(name)} is not a valid name of a label`
  return RESERVED_LABELS.has(name) ? `the label ${name} is reserved. Choose another name` : undefined
}

/** The configuration with other paths of files. */
export const withPathsOf = (
  config: typeof MonitorConfig.Type,
  change: (path: string) => string
): typeof MonitorConfig.Type => ({
  ...config,
  ...(config.webhooks === undefined
    ? {}
    : {
        webhooks: config.webhooks.map((hook) => ({
          ...hook,
          ...(hook.urlFile === undefined ? {} : { urlFile: change(hook.urlFile) }),
          ...(hook.tokenFile === undefined ? {} : { tokenFile: change(hook.tokenFile) }),
          ...(hook.hmac === undefined ? {} : { hmac: { ...hook.hmac, secretFile: change(hook.hmac.secretFile) } })
        }))
      }),
  groups: config.groups.map((group) =>
    group.sources === undefined
      ? group
      : { ...group, sources: group.sources.map((source) => withPaths(source, change)) }
  )
})

/** Checks what a schema cannot: addresses, ranges, names that stand twice. */
export const planOf = (config: typeof MonitorConfig.Type): Result.Result<Plan, InvalidConfig> =>
  Result.gen(function* () {
    const targets = new Map<string, Group>()
    const ports = new Map<string, ReadonlyArray<number>>()
    const groups = new Map<string, Group>()
    const sources: Array<Source> = []
    for (const {
      labels = {},
      name,
      names: ownNames = {},
      sources: lists = [],
      targets: given = [],
      ...own
    } of config.groups) {
      if (groups.has(name)) return yield* invalid(`two groups have the name ${name}`)
      const [problem] = Object.keys(labels).flatMap((label) => labelProblem(label) ?? [])
      if (problem !== undefined) return yield* invalid(`group ${name}: ${problem}`)
      const names = new Map<string, string>()
      for (const [text, shown] of Object.entries(ownNames)) {
        const { address } = yield* within(`group ${name}: names`, targetIn(text))
        names.set(address, shown)
      }
      const group = groupOf({ ...config.defaults, ...own }, name, labels, names)
      groups.set(name, group)
      if (group.joins && group.way.query !== "all") {
        return yield* invalid(`group ${name}: joins requires query "all", because INFO does not list players`)
      }
      if (group.verdicts && group.way.query !== "all") {
        return yield* invalid(`group ${name}: verdicts requires query "all", because most findings need the players`)
      }
      for (const text of given) {
        const { address, ports: candidates } = yield* within(`group ${name}`, targetIn(text))
        if (candidates.length > 0) ports.set(address, candidates)
        const other = targets.get(address)
        if (other !== undefined && other !== group) {
          return yield* invalid(`${address} is in the groups ${other.name} and ${name}. List it once`)
        }
        targets.set(address, group)
      }
      sources.push(...(yield* within(`group ${name}: sources`, sourcesOf(name, lists))))
    }
    const allowedProbes: Array<IpRanges.IpRange> = []
    for (const text of config.probe?.allow ?? []) {
      allowedProbes.push(yield* within("probe.allow", IpRanges.parse(text)))
    }
    const webhooks = config.webhooks ?? []
    if (new Set(webhooks.map(({ name }) => name)).size < webhooks.length) {
      return yield* invalid("two webhooks have the same name")
    }
    for (const hook of webhooks) {
      const { groups: hookGroups = [], name } = hook
      const problem = webhookProblem(hook)
      if (problem !== undefined) return yield* invalid(`webhook ${name}: ${problem}`)
      const unknown = hookGroups.find((group) => !groups.has(group))
      if (unknown !== undefined) return yield* invalid(`webhook ${name}: there is no group ${unknown}`)
    }
    const { pageUrl } = config
    if (pageUrl !== undefined && !isHttpUrl(pageUrl)) {
      return yield* invalid(`pageUrl must be a URL of http or https, as in https://monitor.example/; it is ${pageUrl}`)
    }
    const { publicStatus = false } = config
    const publicGroups = publicStatus === true ? [...groups.keys()] : publicStatus === false ? [] : publicStatus
    const noGroup = publicGroups.find((group) => !groups.has(group))
    if (noGroup !== undefined) return yield* invalid(`publicStatus: there is no group ${noGroup}`)
    const { changeDays = 365, fineDays = 30, hourlyDays = 730 } = config.retention ?? {}
    return {
      config,
      groups,
      targets,
      ports,
      sources,
      foundIn: new Map(),
      allowedProbes,
      retention: { changeDays, fineDays, hourlyDays },
      webhooks,
      pageUrl: pageUrl?.replace(/\/*$/, "/"),
      publicBadges: config.publicBadges ?? false,
      publicStatus: new Set(publicGroups),
      namesInMetrics: config.metrics?.names ?? true,
      hasVerdicts: [...groups.values()].some(({ verdicts }) => verdicts),
      hasLocations: [...groups.values()].some(({ locations }) => locations !== undefined)
    }
  })

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorConfig))

/** The plan of a configuration that was checked once, perhaps by another version of this program: what is new in it is left out. */
export const planOfJson = (text: string): Result.Result<Plan, InvalidConfig> =>
  Result.flatMap(
    Result.mapError(
      decode(text),
      () =>
        new InvalidConfig({
          message: "this version cannot read it. Another version of Sourcewire has stored it: upgrade this instance"
        })
    ),
    planOf
  )
