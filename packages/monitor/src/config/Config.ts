/**
 * What to watch, and how: the configuration file as a schema, and what is made of it. The file holds what can change while the monitor
 * runs; where it listens and where it stores are the program's flags.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { IpRanges } from "@sourcewire/core/machines"
import { unaskable } from "@sourcewire/games"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DAY_MS } from "../history/HourSamples.ts"
import { LABEL_NAME, RESERVED_LABELS } from "../http/labels.ts"
import { type Source, SourceConfig, sourcesOf, withPaths } from "../sources/Source.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const milliseconds = (minimum: number, maximum: number) =>
  between(minimum, maximum).annotate({ description: "Milliseconds" })
const days = between(1, 36_500)

const LocationName = Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/))

/** Whether a location may be called so. */
export const isLocation = Schema.is(LocationName)

const behaviour = {
  /** How often each target is asked. */
  intervalMs: Schema.optionalKey(milliseconds(1000, DAY_MS)),
  /** `info`, or all three: INFO, then PLAYER and RULES. */
  query: Schema.optionalKey(Schema.Literals(["info", "all"])),
  timeoutMs: Schema.optionalKey(milliseconds(1, 60_000)),
  retries: Schema.optionalKey(between(0, 20)),
  /** Failed turns in a row until a target is down. */
  downAfter: Schema.optionalKey(between(1, 100)),
  /** Whether players who join and leave are kept by name; takes `query: "all"`. */
  joins: Schema.optionalKey(Schema.Boolean),
  /** From how many locations each target is asked, or from which; takes several machines. */
  locations: Schema.optionalKey(Schema.Union([between(1, 16), Schema.NonEmptyArray(LocationName)]))
}

/** What a webhook is told of. */
export const EVENTS = ["up", "down", "full", "map", "version", "name", "disagreement"] as const

const webhook = Schema.Struct({
  /** What it is called in the log, and what the store remembers it by. */
  name: Schema.String.check(Schema.isPattern(/^[\w.-]{1,64}$/)),
  url: Schema.String,
  format: Schema.optionalKey(Schema.Literals(["json", "discord", "slack"])),
  events: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(EVENTS))),
  /** Only of these groups. */
  groups: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
  /** The message, with `{name}`, `{address}`, `{event}`, `{from}`, `{to}`, `{map}`, `{players}`, `{maxPlayers}` in it. */
  template: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1000))),
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
      name: Schema.String.check(Schema.isPattern(/^[\w .-]{1,64}$/)),
      targets: Schema.optionalKey(Schema.Array(Schema.String)),
      /** Where more targets come from. */
      sources: Schema.optionalKey(Schema.Array(SourceConfig)),
      labels: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      ...behaviour
    })
  ),
  /** What `/probe` may ask besides the targets of the groups. */
  probe: Schema.optionalKey(Schema.Struct({ allow: Schema.Array(Schema.String) })),
  retention: Schema.optionalKey(retention),
  webhooks: Schema.optionalKey(Schema.Array(webhook)),
  /** Whether everybody may have `/badge/ADDRESS.svg`, whoever may read the rest. */
  publicBadges: Schema.optionalKey(Schema.Boolean)
})

/** A webhook, as the file has it. */
export type WebhookConfig = typeof webhook.Type

/** How targets are to be treated. */
type Behaviour = Schema.Struct.Type<typeof behaviour>

/** How targets are asked: what differs here takes a scan of its own. */
export type Way = Required<Pick<Behaviour, "query" | "timeoutMs" | "retries">>

/** Targets that are treated alike. */
export interface Group extends Required<Pick<Behaviour, "intervalMs" | "downAfter" | "joins">> {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly way: Way
  /** From how many locations each is asked, or from which; from anywhere unless given. */
  readonly locations: number | ReadonlyArray<string> | undefined
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
  readonly sources: ReadonlyArray<Source>
  /** Names of the sources that have listed an address. */
  readonly foundIn: ReadonlyMap<string, ReadonlyArray<string>>
  readonly allowedProbes: ReadonlyArray<IpRanges.IpRange>
  readonly retention: Retention
  readonly webhooks: ReadonlyArray<WebhookConfig>
  readonly publicBadges: boolean
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

/** A group of these settings, and of what is usual. */
export const groupOf = (settings: Behaviour, name: string, labels: Readonly<Record<string, string>>): Group => ({
  name,
  labels,
  intervalMs: settings.intervalMs ?? 15_000,
  way: { query: settings.query ?? "info", timeoutMs: settings.timeoutMs ?? 3000, retries: settings.retries ?? 4 },
  downAfter: settings.downAfter ?? 2,
  joins: settings.joins ?? false,
  locations: settings.locations === 1 ? undefined : settings.locations
})

const labelProblem = (name: string): string | undefined => {
  if (!LABEL_NAME.test(name)) return `${JSON.stringify(name)} cannot be the name of a label`
  return RESERVED_LABELS.has(name) ? `the label ${name} is the monitor's own` : undefined
}

/** The configuration with other paths of files. */
export const withPathsOf = (
  config: typeof MonitorConfig.Type,
  change: (path: string) => string
): typeof MonitorConfig.Type => ({
  ...config,
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
    const groups = new Map<string, Group>()
    const sources: Array<Source> = []
    for (const { labels = {}, name, sources: lists = [], targets: given = [], ...own } of config.groups) {
      if (groups.has(name)) return yield* invalid(`there are two groups called ${name}`)
      const [problem] = Object.keys(labels).flatMap((label) => labelProblem(label) ?? [])
      if (problem !== undefined) return yield* invalid(`group ${name}: ${problem}`)
      const group = groupOf({ ...config.defaults, ...own }, name, labels)
      groups.set(name, group)
      if (group.joins && group.way.query !== "all") {
        return yield* invalid(`group ${name}: joins takes query "all", since INFO names no players`)
      }
      for (const text of given) {
        const parsed = yield* within(`group ${name}`, parseAddress(text))
        const why = unaskable(parsed.host)
        if (why !== undefined) return yield* invalid(`group ${name}: ${why.message}`)
        const address = formatAddress(parsed)
        const other = targets.get(address)
        if (other !== undefined && other !== group) {
          return yield* invalid(`${address} is in group ${other.name} and in group ${name}`)
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
      return yield* invalid("there are two webhooks of one name")
    }
    for (const { groups: hookGroups = [], name, url } of webhooks) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        return yield* invalid(`webhook ${name}: url must be one of http or https`)
      }
      const unknown = hookGroups.find((group) => !groups.has(group))
      if (unknown !== undefined) return yield* invalid(`webhook ${name}: there is no group ${unknown}`)
    }
    const { changeDays = 365, fineDays = 30, hourlyDays = 730 } = config.retention ?? {}
    return {
      config,
      groups,
      targets,
      sources,
      foundIn: new Map(),
      allowedProbes,
      retention: { changeDays, fineDays, hourlyDays },
      webhooks,
      publicBadges: config.publicBadges ?? false,
      hasLocations: [...groups.values()].some(({ locations }) => locations !== undefined)
    }
  })

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorConfig))

/** The plan of a configuration that was checked once, perhaps by another version of this program: what is new in it is left out. */
export const planOfJson = (text: string): Result.Result<Plan, InvalidConfig> =>
  Result.flatMap(
    Result.mapError(decode(text), ({ message }) => new InvalidConfig({ message })),
    planOf
  )
