/**
 * The schema of the configuration file, and the plan that is built from the file. The file contains the settings that can change while the
 * monitor runs. All settings that are fixed at the start, such as the listening address and the store, are flags of the program.
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
import { type Source, SourceConfig, checkSources, withPaths } from "../sources/Source.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const days = between(1, 36_500)

const NAME = "expected a name of 1 to 64 letters, digits, dots, dashes and underscores"

const Name = Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/, { message: NAME }))

/** Whether a text is a valid name of a location. */
export const isLocation = Schema.is(Name)

/** The built-in defaults. A built-in default applies if neither the group nor `defaults` in the configuration contains the setting. */
const DEFAULTS = {
  intervalMs: 15_000,
  query: "info",
  timeoutMs: 3000,
  retries: 4,
  downAfter: 2,
  joins: false,
  verdicts: false
} as const

// The annotations are the source of docs/reference/monitor-configuration.md. If a type has a `title`, the page shows the title instead of
// the name of the type. If a default is not a fixed value, `defaultText` describes it.

const behaviour = {
  intervalMs: Schema.optionalKey(between(1000, DAY_MS)).annotateKey({
    description:
      "Interval between queries of a target. The queries of all targets are spread evenly over the interval. Each target has a fixed moment in the interval, which a restart does not change.",
    default: DEFAULTS.intervalMs
  }),
  downIntervalMs: Schema.optionalKey(between(1000, DAY_MS)).annotateKey({
    description:
      "Interval between queries of a target that is down. If many servers are down, a longer interval reduces the number of requests. However, with a longer interval, the monitor notices recoveries later and computes the availability less exactly.",
    defaultText: "`intervalMs`"
  }),
  query: Schema.optionalKey(Schema.Literals(["info", "all"])).annotateKey({
    description: "`info` queries only the information about the server; `all` also queries its players and rules.",
    default: DEFAULTS.query
  }),
  timeoutMs: Schema.optionalKey(between(1, 60_000)).annotateKey({
    description: "Time limit per query.",
    default: DEFAULTS.timeoutMs
  }),
  retries: Schema.optionalKey(between(0, 20)).annotateKey({
    description: "Maximum number of times that a request is sent again if no reply arrives.",
    default: DEFAULTS.retries
  }),
  downAfter: Schema.optionalKey(between(1, 100)).annotateKey({
    description:
      "Number of consecutive failed queries after which a target is down. If the number is 2, a single failed query causes no alert.",
    default: DEFAULTS.downAfter
  }),
  joins: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      'Store the names of players who join or leave. Names are personal data: check whether you may store them. Requires `"query": "all"`.',
    default: DEFAULTS.joins
  }),
  verdicts: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      'Report contradictory facts about each server. For this, the monitor sends each server one handshake request every six hours. Requires `"query": "all"`.',
    default: DEFAULTS.verdicts
  }),
  rconPasswordFile: Schema.optionalKey(Schema.NonEmptyString.annotate({ title: "path" })).annotateKey({
    description:
      'A file with the RCON password of the servers. Pages and the API then add the names, SteamIDs and pings that A2S hides. Requires `"query": "all"`.'
  }),
  maintenance: Schema.optionalKey(Schema.Array(MaintenanceWindow.annotate({ title: "windows" }))).annotateKey({
    description:
      "Maintenance windows: times at which servers may be down. During a window, the servers are shown as muted, no alert is sent, and the time does not count for availability."
  }),
  locations: Schema.optionalKey(
    Schema.Union([between(1, 16), Schema.NonEmptyArray(Name.annotate({ title: "names" }))])
  ).annotateKey({
    description:
      "Number of locations that query each target, or the names of these locations. Requires several instances.",
    defaultText: "any"
  })
}

/** The events that a webhook can report. */
export const EVENTS = ["up", "down", "full", "map", "version", "name", "disagreement", "finding"] as const

type Event = (typeof EVENTS)[number]
const DEFAULT_EVENTS: readonly [Event, ...ReadonlyArray<Event>] = ["up", "down"]

/** Defaults of the settings of a webhook. */
export const WEBHOOK_DEFAULTS = {
  format: "json",
  events: DEFAULT_EVENTS,
  perMinute: 30,
  signatureHeader: "x-sourcewire-signature"
} as const

const webhook = Schema.Struct({
  name: Name.annotateKey({
    description:
      "Name of the webhook. Log entries about the webhook contain this name. If you rename a webhook, the monitor treats it as a new webhook."
  }),
  url: Schema.optionalKey(Schema.String.annotate({ title: "URL" })).annotateKey({
    description: "URL of the receiver. Logs show only the host of the URL. Set either `url` or `urlFile`."
  }),
  urlFile: Schema.optionalKey(Schema.String.annotate({ title: "path" })).annotateKey({
    description:
      "A file that contains the URL of the receiver. Use `urlFile` instead of `url` if the URL contains a secret."
  }),
  format: Schema.optionalKey(Schema.Literals(["json", "discord", "slack", ...declaredFormats])).annotateKey({
    description: "Format of the requests that the receiver expects.",
    default: WEBHOOK_DEFAULTS.format
  }),
  tokenFile: Schema.optionalKey(Schema.String.annotate({ title: "path" })).annotateKey({
    description: "A file with the token or key that the receiver requires."
  }),
  to: Schema.optionalKey(Schema.String).annotateKey({
    description: "For Telegram: the chat that receives the messages. For Matrix: the room."
  }),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)).annotateKey({
    description:
      'Additional headers of the requests, for example `{ "Authorization": "Bearer {token}" }`. `{token}` is replaced by the content of `tokenFile`.'
  }),
  hmac: Schema.optionalKey(
    Schema.Struct({ secretFile: Schema.String, header: Schema.optionalKey(Schema.String) })
  ).annotateKey({
    description: `\`{ "secretFile": "hmac.txt" }\` signs each body with HMAC-SHA256. The signature is in the header \`${WEBHOOK_DEFAULTS.signatureHeader}\` (or in the header that \`header\` names), as \`sha256=\` and hexadecimal digits.`
  }),
  events: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(EVENTS))).annotateKey({
    description: "Events that the webhook reports.",
    default: WEBHOOK_DEFAULTS.events
  }),
  groups: Schema.optionalKey(Schema.NonEmptyArray(Schema.String.annotate({ title: "names" }))).annotateKey({
    description: "The webhook reports only targets of these groups.",
    defaultText: "all"
  }),
  template: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1000))).annotateKey({
    description:
      "Text of messages about a single server. The monitor replaces `{name}`, `{address}`, `{event}`, `{group}`, `{from}`, `{to}`, `{map}`, `{players}`, `{maxPlayers}`, `{reason}`, `{duration}` and `{url}`.",
    defaultText: "a sentence"
  }),
  waitMs: Schema.optionalKey(between(0, 600_000)).annotateKey({
    description:
      "Time for which an alert waits for further alerts of its group. Then one message can report an outage of many servers. Alerts of groups with fewer than five servers do not wait.",
    defaultText: "the group's interval (at most 60000) plus 2000"
  }),
  perMinute: Schema.optionalKey(between(1, 600)).annotateKey({
    description:
      "Maximum number of requests per minute; further requests wait. A request can contain up to 20 messages.",
    default: WEBHOOK_DEFAULTS.perMinute
  }),
  allowLocal: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the host of the URL may have a private, loopback or link-local address.",
    default: false
  })
})

const DEFAULT_RETENTION = { fineDays: 30, hourlyDays: 730, changeDays: 365 }

const retention = Schema.Struct({
  fineDays: Schema.optionalKey(days).annotateKey({
    description: "Days for which the history in steps of five minutes is stored.",
    default: DEFAULT_RETENTION.fineDays
  }),
  hourlyDays: Schema.optionalKey(days).annotateKey({
    description: "Days for which the history in steps of an hour is stored.",
    default: DEFAULT_RETENTION.hourlyDays
  }),
  changeDays: Schema.optionalKey(days).annotateKey({
    description: "Days for which changes and incidents are stored.",
    default: DEFAULT_RETENTION.changeDays
  })
})

/** The configuration file. Unknown keys are errors, because most unknown keys are spelling mistakes. */
export const MonitorConfig = Schema.Struct({
  defaults: Schema.optionalKey(Schema.Struct(behaviour)).annotateKey({
    description: "Settings for all groups. Each group can override these settings."
  }),
  groups: Schema.Array(
    Schema.Struct({
      name: Schema.String.check(
        Schema.isPattern(/^[\w .-]{1,64}$/, {
          message: "expected a name of 1 to 64 letters, digits, blanks, dots, dashes and underscores"
        })
      ).annotateKey({
        description: "Name of the group: up to 64 letters, digits, blanks, dots, dashes and underscores."
      }),
      targets: Schema.optionalKey(Schema.Array(Schema.String.annotate({ title: "addresses" }))).annotateKey({
        description: "Targets of the group. A target can be in only one group."
      }),
      sources: Schema.optionalKey(Schema.Array(SourceConfig)).annotateKey({
        description: "Sources that list further targets of the group."
      }),
      labels: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)).annotateKey({
        description: "Labels that the group's targets have in metrics and in the API."
      }),
      names: Schema.optionalKey(Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(100)))).annotateKey(
        {
          description:
            'Names by address (`{"192.0.2.10:27015": "Match server"}`). They replace the servers\' own names on pages, in alerts and in the API.'
        }
      ),
      ...behaviour
    })
  ).annotateKey({ description: "Groups of targets." }),
  webhooks: Schema.optionalKey(Schema.Array(webhook)).annotateKey({ description: "Receivers of alerts." }),
  pageUrl: Schema.optionalKey(Schema.String.annotate({ title: "URL" })).annotateKey({
    description:
      "Public URL of the dashboard, for example `https://monitor.example/`. If it is set, alerts contain a link to the page of the server."
  }),
  retention: Schema.optionalKey(retention).annotateKey({
    description: "How long history, changes and incidents are stored."
  }),
  probe: Schema.optionalKey(Schema.Struct({ allow: Schema.Array(Schema.String) })).annotateKey({
    description: "`allow`: ranges that `/probe` may query in addition to the targets."
  }),
  metrics: Schema.optionalKey(Schema.Struct({ names: Schema.optionalKey(Schema.Boolean) })).annotateKey({
    description:
      "`names`: whether `sourcewire_server_info` has name and map (default: `true`). Each new name is a new time series."
  }),
  publicBadges: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether `/badge/ADDRESS.svg` needs no password.",
    default: false
  }),
  publicStatus: Schema.optionalKey(
    Schema.Union([Schema.Boolean, Schema.NonEmptyArray(Schema.String.annotate({ title: "groups" }))])
  ).annotateKey({
    description:
      "Groups whose status page needs no password and can be embedded in other websites; `true` for all groups.",
    default: false
  })
})

/** A webhook in the configuration file. */
export type WebhookConfig = typeof webhook.Type

/** Settings that a group or `defaults` can contain. */
type Behaviour = Schema.Struct.Type<typeof behaviour>

/**
 * The settings of a group that affect how its targets are queried. The monitor runs a separate scan for each combination of these settings.
 */
export type QuerySettings = Required<Pick<Behaviour, "query" | "timeoutMs" | "retries">>

/** A group with all its settings. If a setting is missing from the configuration, the group uses the default of this setting. */
export interface Group extends Required<
  Pick<Behaviour, "intervalMs" | "downIntervalMs" | "downAfter" | "joins" | "verdicts">
> {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly querySettings: QuerySettings
  /** The file with the RCON password; `undefined` if the consoles of the group are not read. */
  readonly rconPasswordFile: string | undefined
  /**
   * The number of locations that query each target, or the names of these locations. If the group does not set `locations`, this is
   * `undefined`, and only the instance that owns a target queries the target.
   */
  readonly locations: number | ReadonlyArray<string> | undefined
  readonly maintenance: Maintenance
  /** The names that the configuration assigns to servers, by address. */
  readonly names: ReadonlyMap<string, string>
}

/** Days for which each part of the history is stored. */
export type Retention = Required<typeof retention.Type>

/** A valid configuration, in the form that the monitor uses. */
export interface Plan {
  /** The configuration from which the plan was built. */
  readonly config: typeof MonitorConfig.Type
  readonly groups: ReadonlyMap<string, Group>
  /** The group of each target, by the address of the target (`host:port`). */
  readonly targets: ReadonlyMap<string, Group>
  /**
   * The possible query ports of a target, by the address of the target. The most likely port is first. Only targets that name a game and
   * have several possible query ports are included.
   */
  readonly ports: ReadonlyMap<string, ReadonlyArray<number>>
  readonly sources: ReadonlyArray<Source>
  /** For each address from a source: the names of the sources that have listed the address. */
  readonly foundIn: ReadonlyMap<string, ReadonlyArray<string>>
  readonly allowedProbes: ReadonlyArray<IpRanges.IpRange>
  readonly retention: Retention
  readonly webhooks: ReadonlyArray<WebhookConfig>
  /** The URL of the dashboard, with a slash at the end. */
  readonly pageUrl: string | undefined
  readonly publicBadges: boolean
  /** Groups with a public status page. */
  readonly publicStatus: ReadonlySet<string>
  readonly namesInMetrics: boolean
  /** Whether at least one group has `verdicts`. */
  readonly hasVerdicts: boolean
  /** Whether at least one group has `rconPasswordFile`. */
  readonly hasConsoles: boolean
  /** Whether at least one group has `locations`. */
  readonly hasLocations: boolean
}

/** The configuration cannot be used. For example, two settings contradict each other, or an address is invalid. */
export class InvalidConfig extends Data.TaggedError("InvalidConfig")<{
  /** The error message for the user. */
  readonly message: string
}> {}

const invalid = (message: string) => Result.fail(new InvalidConfig({ message }))

/** If a part of the configuration is invalid, adds the name of this part to the error message. */
const within = <A>(place: string, part: Result.Result<A, { readonly message: string }>) =>
  Result.mapError(part, ({ message }) => new InvalidConfig({ message: `${place}: ${message}` }))

/** Builds a group from its settings. If a setting is missing, its default is used. */
export const makeGroup = (
  settings: Behaviour,
  name: string,
  labels: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string> = new Map()
): Group => {
  const { downAfter, intervalMs, joins, query, retries, timeoutMs, verdicts } = { ...DEFAULTS, ...settings }
  return {
    name,
    labels,
    names,
    intervalMs,
    downIntervalMs: settings.downIntervalMs ?? intervalMs,
    querySettings: { query, timeoutMs, retries },
    downAfter,
    joins,
    verdicts,
    rconPasswordFile: settings.rconPasswordFile,
    locations: settings.locations === 1 ? undefined : settings.locations,
    maintenance: new Maintenance(settings.maintenance ?? [])
  }
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Headers that the configuration cannot change, because the monitor or its HTTP client controls them. */
const OWN_HEADERS = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection"])

const webhookProblem = ({
  format = WEBHOOK_DEFAULTS.format,
  headers = {},
  hmac,
  to,
  tokenFile,
  url,
  urlFile
}: WebhookConfig) => {
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

/** Applies a function to the path of the RCON password file, if the settings contain one. */
const withPasswordPath = <A extends Pick<Behaviour, "rconPasswordFile">>(
  settings: A,
  change: (path: string) => string
): A =>
  settings.rconPasswordFile === undefined
    ? settings
    : { ...settings, rconPasswordFile: change(settings.rconPasswordFile) }

/** Applies a function to each file path in a configuration. */
export const mapPaths = (
  config: typeof MonitorConfig.Type,
  change: (path: string) => string
): typeof MonitorConfig.Type => ({
  ...config,
  ...(config.defaults === undefined ? {} : { defaults: withPasswordPath(config.defaults, change) }),
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
  groups: config.groups.map(({ sources, ...group }) => ({
    ...withPasswordPath(group, change),
    ...(sources === undefined ? {} : { sources: sources.map((source) => withPaths(source, change)) })
  }))
})

/**
 * Builds the plan from a configuration. Fails if the configuration violates a rule that the schema cannot express: for example, addresses
 * must be valid and names must be unique.
 */
export const makePlan = (config: typeof MonitorConfig.Type): Result.Result<Plan, InvalidConfig> =>
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
      const group = makeGroup({ ...config.defaults, ...own }, name, labels, names)
      groups.set(name, group)
      if (group.joins && group.querySettings.query !== "all") {
        return yield* invalid(`group ${name}: joins requires query "all", because INFO does not list players`)
      }
      if (group.verdicts && group.querySettings.query !== "all") {
        return yield* invalid(`group ${name}: verdicts requires query "all", because most findings need the players`)
      }
      if (group.rconPasswordFile !== undefined && group.querySettings.query !== "all") {
        return yield* invalid(`group ${name}: rconPasswordFile requires query "all", because it completes the players`)
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
      sources.push(...(yield* within(`group ${name}: sources`, checkSources(name, lists))))
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
      return yield* invalid(`pageUrl must be an http or https URL, such as https://monitor.example/, not ${pageUrl}`)
    }
    const { publicStatus = false } = config
    const publicGroups = publicStatus === true ? [...groups.keys()] : publicStatus === false ? [] : publicStatus
    const noGroup = publicGroups.find((group) => !groups.has(group))
    if (noGroup !== undefined) return yield* invalid(`publicStatus: there is no group ${noGroup}`)
    return {
      config,
      groups,
      targets,
      ports,
      sources,
      foundIn: new Map(),
      allowedProbes,
      retention: { ...DEFAULT_RETENTION, ...config.retention },
      webhooks,
      pageUrl: pageUrl?.replace(/\/*$/, "/"),
      publicBadges: config.publicBadges ?? false,
      publicStatus: new Set(publicGroups),
      namesInMetrics: config.metrics?.names ?? true,
      hasVerdicts: [...groups.values()].some(({ verdicts }) => verdicts),
      hasConsoles: [...groups.values()].some(({ rconPasswordFile }) => rconPasswordFile !== undefined),
      hasLocations: [...groups.values()].some(({ locations }) => locations !== undefined)
    }
  })

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorConfig))

/**
 * Parses a configuration from the store. Unknown settings are ignored, because a newer version of the program may have stored the
 * configuration.
 */
export const parsePlan = (text: string): Result.Result<Plan, InvalidConfig> =>
  Result.flatMap(
    Result.mapError(
      decode(text),
      () =>
        new InvalidConfig({
          message: "this version cannot read it. Another version of Sourcewire has stored it: upgrade this instance"
        })
    ),
    makePlan
  )
