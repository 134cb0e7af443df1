/**
 * What can be asked of a monitor over HTTP, in JSON: the one description that handlers, clients and `/openapi.json` come from. Texts of
 * servers in a {@link TargetRow} are fit to be shown; the answer itself has them as they came. Times are milliseconds since 1970.
 *
 * @module
 */
import { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { toSchema } from "@sourcewire/protocol/schemas"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { EVENTS } from "../config/Config.ts"
import { FleetStatus } from "../fleet/FleetStatus.ts"
import { sourceStatus } from "../sources/FoundList.ts"

export { FleetStatus, Runner, RunnerReport } from "../fleet/FleetStatus.ts"

/** Most targets, or changes, of one page. */
export const MAX_PAGE = 1000

const Milliseconds = Schema.Finite

/** Text of a request. `expected` is what a refusal says, here and at the other checks. */
const text = (most: number) =>
  Schema.String.check(Schema.isMaxLength(most, { expected: `text of up to ${most} characters` }))

/** What came of the turns of a target. */
const known = {
  state: Schema.Literals(["unknown", "up", "down"]),
  /** Since when it is in that state. */
  stateAt: Schema.optionalKey(Milliseconds),
  /** Turns without an answer in a row. */
  failures: Schema.Int,
  askedAt: Schema.optionalKey(Milliseconds),
  answeredAt: Schema.optionalKey(Milliseconds),
  rttMs: Schema.optionalKey(Schema.Finite),
  /** Whether the reply may belong to more than one transmission: then the round-trip time is the likeliest one, and not in the samples. */
  rttAmbiguous: Schema.optionalKey(Schema.Literal(true)),
  /** Why the last turn brought no answer. */
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}

/** Why a target is muted: it alerts nobody, and the time does not count for its uptime. */
const Muted = Schema.Struct({
  by: Schema.Literals(["mute", "maintenance"]),
  /** When it ends, if that is known. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Muted" })

/** Milliseconds in each state; the rest of the period was not monitored. */
const stateTime = { upMs: Milliseconds, downMs: Milliseconds, mutedMs: Milliseconds }

/** How long a target was in each state. */
export const Uptime = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  ...stateTime,
  /** `upMs` as a share of `upMs` and `downMs`, from 0 to 1; absent if there is neither. */
  share: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Uptime" })
export type Uptime = typeof Uptime.Type

/** For the last 24 hours, 7, 30 and 90 days, each from the full hour on. */
export const Uptimes = Schema.Struct({ "24h": Uptime, "7d": Uptime, "30d": Uptime, "90d": Uptime }).annotate({
  identifier: "Uptimes"
})
export type Uptimes = typeof Uptimes.Type

/** A target at a glance; what a server says is absent until it has answered. */
export const TargetRow = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  labels: Schema.Record(Schema.String, Schema.String),
  ...known,
  /** Absent if it is not muted. */
  muted: Schema.optionalKey(Muted),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  /** Its name, or what the server calls it. */
  game: Schema.optionalKey(Schema.String),
  /** Where the game is a known one. */
  gameId: Schema.optionalKey(Schema.String),
  mode: Schema.optionalKey(Schema.String),
  /** Players who wait to join. */
  queue: Schema.optionalKey(Schema.Int),
  folder: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  humans: Schema.optionalKey(Schema.Int),
  bots: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  password: Schema.optionalKey(Schema.Boolean),
  secure: Schema.optionalKey(Schema.Boolean),
  /** Joins the game. */
  connect: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "TargetRow" })
export type TargetRow = typeof TargetRow.Type

/** What one location knows of a target. */
export const LocationRow = Schema.Struct({
  location: Schema.String,
  /** Whether the verdict goes by it: it is to ask the target, and has done so lately. */
  counts: Schema.Boolean,
  ...known
}).annotate({ identifier: "LocationRow" })
export type LocationRow = typeof LocationRow.Type

export const ChangedField = Schema.Literals([
  "state",
  "name",
  "map",
  "version",
  "full",
  "joined",
  "left",
  "disagreement"
])

/** Something changed at a target. */
export const ChangeRow = Schema.Struct({
  /** Grows with time. */
  id: Schema.Finite,
  target: Schema.Int,
  /** What it is called now. */
  name: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  at: Milliseconds,
  field: ChangedField,
  /** `joined` and `left` list names, as JSON, in `to`; `disagreement` has what each location says, and nothing where they agree. */
  from: Schema.String,
  to: Schema.String
}).annotate({ identifier: "ChangeRow" })
export type ChangeRow = typeof ChangeRow.Type

/** A target and its last answer, whole. */
export const TargetDetail = Schema.Struct({
  target: TargetRow,
  intervalMs: Milliseconds,
  /** How often it is queried while it is down. */
  downIntervalMs: Milliseconds,
  /** Absent if the store cannot be read now, or keeps nothing. */
  uptime: Schema.optionalKey(Uptimes),
  /** What names it: `configuration`, or the sources that have listed it. */
  sources: Schema.Array(Schema.String),
  answer: Schema.optionalKey(
    Schema.Struct({
      info: Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)]),
      legacy: Schema.optionalKey(toSchema(GoldSourceInfoReply)),
      players: Schema.optionalKey(toSchema(PlayersReply)),
      /** The list of players is empty because nobody plays by INFO, and PLAYER met silence. */
      playersAssumed: Schema.optionalKey(Schema.Literal(true)),
      rules: Schema.optionalKey(toSchema(RulesReply)),
      /** The query port that responded, if the target names a game that may use several. */
      queryPort: Schema.optionalKey(Schema.Int)
    })
  ),
  /** What each location says, where the target is asked from several or from certain ones. */
  locations: Schema.optionalKey(Schema.Array(LocationRow)),
  /** The newest. */
  changes: Schema.Array(ChangeRow)
}).annotate({ identifier: "TargetDetail" })
export type TargetDetail = typeof TargetDetail.Type

/** Least, mean and most. */
const Spread = Schema.Struct({ min: Schema.Finite, mean: Schema.Finite, max: Schema.Finite })

/** How a target was in a step of time. Players and round trips are absent where there was no answer to tell them. */
export const Sample = Schema.Struct({
  /** When the step began. */
  at: Milliseconds,
  asked: Schema.Int,
  answered: Schema.Int,
  ...stateTime,
  players: Schema.optionalKey(Spread),
  /** The mean. */
  bots: Schema.optionalKey(Schema.Finite),
  rttMs: Schema.optionalKey(Spread)
}).annotate({ identifier: "Sample" })
export type Sample = typeof Sample.Type

/** A list that targets come from, and how it was when it was read last. */
export const SourceRow = Schema.Struct({
  group: Schema.String,
  name: Schema.String,
  kind: Schema.Literals(["file", "url", "master", "steam"]),
  /** Those of it that are watched, and those among them that its last list has not had. */
  servers: Schema.Int,
  missing: Schema.Int,
  ...sourceStatus,
  /** When it was read last. */
  triedAt: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "SourceRow" })
export type SourceRow = typeof SourceRow.Type

/** Numbers of targets; those of a page are a hundred at most. */
const ids = Schema.String.check(
  Schema.isPattern(/^\d{1,9}(,\d{1,9}){0,99}$/, { expected: "the numbers of up to 100 targets, separated by commas" })
)

/** The last 24 hours of targets, hour by hour, the current hour last; each by the number of the target. */
export const Days = Schema.Struct({
  /** The mean number of players; `null` for an hour without a reply. */
  players: Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.Finite))),
  /** Milliseconds up, down and muted; the rest of an hour was not monitored. */
  times: Schema.Record(Schema.String, Schema.Array(Schema.Tuple([Milliseconds, Milliseconds, Milliseconds])))
}).annotate({ identifier: "Days" })
export type Days = typeof Days.Type

/** An incident: a server was down from its first turn without an answer until it answered again. */
export const IncidentRow = Schema.Struct({
  target: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  /** What the server is called now. */
  name: Schema.optionalKey(Schema.String),
  from: Milliseconds,
  /** When so many turns had failed that the server counted as down. */
  noticedAt: Milliseconds,
  /** When it answered again. Absent if it has not, or if it is no longer monitored. */
  to: Schema.optionalKey(Milliseconds),
  isOngoing: Schema.Boolean,
  /** Until now if it is ongoing; absent if the end is not known. */
  durationMs: Schema.optionalKey(Milliseconds),
  /** The tag of the error of the turn in which the server was noticed to be down, as in `Timeout`, and its sentence. */
  reason: Schema.String,
  message: Schema.String,
  /** Players and map of the last answer before. */
  players: Schema.optionalKey(Schema.Int),
  map: Schema.optionalKey(Schema.String),
  /** Whether the server was muted when the incident was noticed. */
  isMuted: Schema.Boolean,
  /** What each location said, if the server is queried from several or from certain ones. */
  locations: Schema.optionalKey(Schema.Array(Schema.Struct({ location: Schema.String, reason: Schema.String })))
}).annotate({ identifier: "IncidentRow" })
export type IncidentRow = typeof IncidentRow.Type

/** What a report says of a server, or of a group. */
const figures = {
  ...stateTime,
  unmonitoredMs: Milliseconds,
  /** `upMs` as a share of `upMs` and `downMs`, from 0 to 1; absent if there is neither. */
  share: Schema.optionalKey(Schema.Finite),
  /** Incidents that began while the server was not muted, and the longest of them, as far as it lies in the period. */
  incidents: Schema.Int,
  longestMs: Milliseconds
}

const ReportRow = Schema.Struct({
  target: Schema.Int,
  address: Schema.String,
  name: Schema.optionalKey(Schema.String),
  ...figures
}).annotate({ identifier: "ReportRow" })
export type ReportRow = typeof ReportRow.Type

/** How available the servers of each group were in a period of full hours, the least available first. */
export const Report = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  groups: Schema.Array(Schema.Struct({ group: Schema.String, ...figures, servers: Schema.Array(ReportRow) }))
}).annotate({ identifier: "Report" })
export type Report = typeof Report.Type

/** A server or a group that somebody has muted for a time. */
export const MuteRow = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literals(["server", "group"]),
  /** The address of the server, or the name of the group. */
  what: Schema.String,
  from: Milliseconds,
  /** Absent if it lasts until it is ended. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "MuteRow" })
export type MuteRow = typeof MuteRow.Type

/** What to mute: a server by its address, or a group by its name. */
export const NewMute = Schema.Struct({
  address: Schema.optionalKey(text(300)),
  group: Schema.optionalKey(text(64)),
  /** When it begins (default: now). */
  from: Schema.optionalKey(Milliseconds),
  /** When it ends (default: when it is ended). */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(text(500))
}).annotate({ identifier: "NewMute" })

/** How targets are in all. A target that is muted counts as muted, whatever its state is. */
export const Overview = Schema.Struct({
  targets: Schema.Int,
  up: Schema.Int,
  down: Schema.Int,
  unknown: Schema.Int,
  muted: Schema.Int,
  players: Schema.Int,
  /** For so many there is room on those that are up. */
  maxPlayers: Schema.Int,
  groups: Schema.Array(Schema.String),
  /** Whether there is history, which an exporter has not. */
  history: Schema.Boolean,
  /** Whether `POST /api/targets` adds targets (`{"address": "192.0.2.1:27015"}`), and `DELETE /api/targets/ID` takes them away. */
  adds: Schema.Boolean,
  /** Whether several machines share the targets. */
  shared: Schema.Boolean,
  /** Groups whose status page everyone may read and embed. */
  publicStatus: Schema.Array(Schema.String),
  /** A sentence if the store cannot be written. Current values are still true. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** What the operator should look at, in sentences: lists that were rejected. Absent if there is nothing. */
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Changes and hours that could not be stored. */
  lost: Schema.Int
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

const message = { message: Schema.String }

/** There is no such target. */
export class NoTarget extends Schema.TaggedError<NoTarget>()("NoTarget", message, { httpApiStatus: 404 }) {}

/** The store cannot be read now. */
export class NoHistory extends Schema.TaggedError<NoHistory>()("NoHistory", message, { httpApiStatus: 503 }) {}

/** The target cannot be added to the list. */
export class NotAdded extends Schema.TaggedError<NotAdded>()("NotAdded", message, { httpApiStatus: 422 }) {}

/** The target cannot be removed from the list. */
export class NotRemoved extends Schema.TaggedError<NotRemoved>()("NotRemoved", message, { httpApiStatus: 422 }) {}

/** A target by its address, as in `192.0.2.10:27015`. */
export const NewTarget = Schema.Struct({ address: text(300) }).annotate({
  identifier: "NewTarget"
})

const GroupName = Schema.String.check(
  Schema.isPattern(/^[\w .-]{1,64}$/, { expected: "1 to 64 letters, digits, spaces, dots, hyphens and underscores" })
)
const Labels = Schema.Record(Schema.String, text(200))
const Addresses = Schema.Array(text(300)).check(Schema.isMaxLength(100, { expected: "a list of up to 100 addresses" }))

/** Servers for one group, which is created if it does not exist. */
export const NewTargets = Schema.Struct({
  addresses: Addresses,
  /** Default: `mine`. */
  group: Schema.optionalKey(GroupName),
  /** Labels to add to the group. */
  labels: Schema.optionalKey(Labels),
  /** Names by address, shown in place of what the servers call themselves. */
  names: Schema.optionalKey(Schema.Record(Schema.String, text(100)))
}).annotate({ identifier: "NewTargets" })

/** Which servers were added, and why the others were not. */
export const AddedTargets = Schema.Struct({
  added: Schema.Array(Schema.Struct({ text: Schema.String, address: Schema.String })),
  rejected: Schema.Array(Schema.Struct({ text: Schema.String, ...message }))
}).annotate({ identifier: "AddedTargets" })
export type AddedTargets = typeof AddedTargets.Type

/** What an address leads to, before it is added. */
export const Previewed = Schema.Struct({
  text: Schema.String,
  /** Absent if the text is no address that can be queried. */
  address: Schema.optionalKey(Schema.String),
  /** Whether it is monitored already. */
  isKnown: Schema.Boolean,
  /** Why there is no address, or no reply. */
  message: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  rttMs: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Previewed" })
export type Previewed = typeof Previewed.Type

/** What adds a removed server again: `text` is one of `addresses` of `NewTargets`. */
export const RemovedTarget = Schema.Struct({
  text: Schema.String,
  group: Schema.String,
  name: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RemovedTarget" })
export type RemovedTarget = typeof RemovedTarget.Type

/** Changes of a server. An empty name stands for the server's own; labels are all labels of its group. */
export const TargetEdit = Schema.Struct({
  group: Schema.optionalKey(GroupName),
  name: Schema.optionalKey(text(100)),
  labels: Schema.optionalKey(Labels)
}).annotate({ identifier: "TargetEdit" })

/** A webhook, without its URL, which is a secret. */
export const WebhookRow = Schema.Struct({
  name: Schema.String,
  format: Schema.String,
  host: Schema.String,
  events: Schema.Array(Schema.String),
  /** Absent for all groups. */
  groups: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "WebhookRow" })
export type WebhookRow = typeof WebhookRow.Type

/** What the receiver of a test message replied. */
export const WebhookTest = Schema.Struct({ ok: Schema.Boolean, ...message }).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** The request cannot be done as it is. */
export class Unfit extends Schema.TaggedError<Unfit>()("Unfit", message, { httpApiStatus: 422 }) {}

/** The list of targets is kept in a configuration, and not by the monitor. */
export class NoList extends Schema.TaggedError<NoList>()("NoList", message, { httpApiStatus: 404 }) {}

/** There is no such webhook. */
export class NoWebhook extends Schema.TaggedError<NoWebhook>()("NoWebhook", message, { httpApiStatus: 404 }) {}

/** There is no such mute. */
export class NoMute extends Schema.TaggedError<NoMute>()("NoMute", message, { httpApiStatus: 404 }) {}

/**
 * The orders of the list of targets. `players` and `rttMs` are those of servers that are up. `problems` in descending order has servers that
 * are down and not muted first, the latest outage at the top, then the others by players.
 */
export const SORTS = [
  "address",
  "name",
  "map",
  "players",
  "rttMs",
  "state",
  "stateAt",
  "askedAt",
  "group",
  "problems"
] as const

/** What the description says of parameters that are numbers: on their way they are text. */
export const NUMBERS = new Map<string, Readonly<Record<string, unknown>>>()

/** A parameter that is a whole number. It means the same wherever it has that name. */
const whole = <Name extends string>(name: Name, minimum: number, maximum: number) => {
  NUMBERS.set(name, { type: "integer", minimum, maximum })
  return Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
}
/** Most that a time, in milliseconds since 1970, may be: what a date can hold. */
const LATEST = 8_640_000_000_000_000
const MOST_ID = 2 ** 31 - 1
const time = (name: string) => Schema.optionalKey(whole(name, 0, LATEST))

const id = { id: whole("id", 0, MOST_ID) }
const webhookName = { name: text(64) }
/** A webhook to add: it may not lead into local networks. */
const NewWebhook = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,64}$/, { expected: "1 to 64 letters, digits, dots, hyphens and underscores" })
  ),
  url: text(2000),
  format: Schema.optionalKey(Schema.Literals(["json", "discord", "slack"])),
  events: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(EVENTS))),
  groups: Schema.optionalKey(Schema.NonEmptyArray(GroupName))
}).annotate({ identifier: "NewWebhook" })
const paging = { limit: Schema.optionalKey(whole("limit", 0, MAX_PAGE)) }

/** What is wanted of the list of targets. */
const listQuery = {
  /** In the address, the name, the map, the group or a label; without regard to case. */
  q: Schema.optionalKey(text(200)),
  /** A target that is muted has no other state. */
  state: Schema.optionalKey(Schema.Literals(["unknown", "up", "down", "muted"])),
  group: Schema.optionalKey(Schema.String),
  sort: Schema.optionalKey(Schema.Literals(SORTS)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
}
export type ListQuery = Schema.Struct.Type<typeof listQuery>

/** Which incidents are wanted. */
const incidentQuery = {
  from: time("from"),
  to: time("to"),
  target: Schema.optionalKey(whole("target", 0, MOST_ID)),
  group: Schema.optionalKey(Schema.String),
  /** Only those that go on, or only those that are over. */
  ongoing: Schema.optionalKey(Schema.Literals(["true", "false"]))
}

const targets = HttpApiGroup.make("targets").add(
  HttpApiEndpoint.get("overview", "/overview", { success: Overview }),
  /** The machines that ask. */
  HttpApiEndpoint.get("fleet", "/fleet", { success: FleetStatus }),
  HttpApiEndpoint.get("list", "/targets", {
    query: {
      ...listQuery,
      offset: Schema.optionalKey(whole("offset", 0, 10_000_000)),
      ...paging
    },
    success: Schema.Struct({ total: Schema.Int, targets: Schema.Array(TargetRow) })
  }),
  /** Adds a target to the list that the monitor keeps itself: see `adds` in the overview. */
  HttpApiEndpoint.post("add", "/targets", {
    payload: NewTarget,
    success: NewTarget.pipe(HttpApiSchema.status(201)),
    error: [NoList, NotAdded]
  }),
  /** Adds up to 100 targets to a group of that list. */
  HttpApiEndpoint.post("addMany", "/targets/many", {
    payload: NewTargets,
    success: AddedTargets,
    error: [NoList, NotAdded]
  }),
  /** Queries up to 100 addresses without adding them. */
  HttpApiEndpoint.post("preview", "/targets/preview", {
    payload: Schema.Struct({ addresses: Addresses }),
    success: Schema.Array(Previewed),
    error: NoList
  }),
  /** Removes a target from that list, and returns what adds it again. Its history stays for as long as history is kept. */
  HttpApiEndpoint.delete("remove", "/targets/:id", {
    params: id,
    success: RemovedTarget,
    error: [NoList, NoTarget, NotRemoved]
  }),
  /** Changes the name, the group or the labels of a target of that list. */
  HttpApiEndpoint.patch("edit", "/targets/:id", {
    params: id,
    payload: TargetEdit,
    success: HttpApiSchema.NoContent,
    error: [NoList, NoTarget, Unfit]
  }),
  HttpApiEndpoint.get("webhooks", "/webhooks", { success: Schema.Array(WebhookRow) }),
  /** Adds a webhook to the monitor's own configuration: see `adds` in the overview. */
  HttpApiEndpoint.post("addWebhook", "/webhooks", {
    payload: NewWebhook,
    success: HttpApiSchema.NoContent,
    error: [NoList, Unfit]
  }),
  HttpApiEndpoint.delete("removeWebhook", "/webhooks/:name", {
    params: webhookName,
    success: HttpApiSchema.NoContent,
    error: [NoList, NoWebhook, Unfit]
  }),
  /** Sends a test message. Each webhook can be tested once in five seconds. */
  HttpApiEndpoint.post("testWebhook", "/webhooks/:name/test", {
    params: webhookName,
    payload: Schema.Struct({}),
    success: WebhookTest,
    error: [NoWebhook, Unfit]
  }),
  HttpApiEndpoint.get("sources", "/sources", { success: Schema.Array(SourceRow) }),
  HttpApiEndpoint.get("one", "/targets/:id", { params: id, success: TargetDetail, error: NoTarget }),
  HttpApiEndpoint.get("samples", "/targets/:id/samples", {
    params: id,
    query: {
      from: time("from"),
      to: time("to"),
      /** Length of a step: five minutes where they are still there, or an hour. The shorter one up to two days unless given. */
      step: Schema.optionalKey(Schema.Literals(["5m", "1h"])),
      /** As this location had it; in all unless given. */
      location: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({ stepMs: Milliseconds, samples: Schema.Array(Sample) }),
    error: [NoTarget, NoHistory]
  }),
  HttpApiEndpoint.get("days", "/days", {
    query: {
      /** Their numbers, with commas between them. */
      targets: ids
    },
    success: Days,
    error: NoHistory
  }),
  HttpApiEndpoint.get("uptime", "/uptime", {
    query: {
      /** Their numbers, with commas between them. */
      targets: ids
    },
    success: Schema.Struct({
      /** By the number of the target. */
      uptime: Schema.Record(Schema.String, Uptimes)
    }),
    error: NoHistory
  }),
  /** Incidents that overlap a period, the newest first. `GET /api/export/incidents` has them as CSV and NDJSON. */
  HttpApiEndpoint.get("incidents", "/incidents", {
    query: {
      ...incidentQuery,
      /** Only those that come after the one with this mark, which the page before gave as `next`. */
      after: Schema.optionalKey(
        Schema.String.check(
          Schema.isPattern(/^\d{1,16}-\d{1,9}$/, { expected: "the value of `next` from the previous page" })
        )
      ),
      ...paging
    },
    success: Schema.Struct({ incidents: Schema.Array(IncidentRow), next: Schema.optionalKey(Schema.String) }),
    error: NoHistory
  }),
  /** A report of a period; of the last 30 days unless one is given. */
  HttpApiEndpoint.get("report", "/report", {
    query: { from: time("from"), to: time("to"), group: Schema.optionalKey(Schema.String) },
    success: Report,
    error: NoHistory
  }),
  /** Mutes that have not ended. */
  HttpApiEndpoint.get("mutes", "/mutes", { success: Schema.Array(MuteRow) }),
  HttpApiEndpoint.post("mute", "/mutes", {
    payload: NewMute,
    success: MuteRow.pipe(HttpApiSchema.status(201)),
    error: [Unfit, NoHistory]
  }),
  HttpApiEndpoint.delete("unmute", "/mutes/:id", {
    params: id,
    success: HttpApiSchema.NoContent,
    error: [NoMute, NoHistory]
  }),
  HttpApiEndpoint.get("changes", "/changes", {
    query: {
      target: Schema.optionalKey(whole("target", 0, MOST_ID)),
      /** Only what changed of this. */
      field: Schema.optionalKey(ChangedField),
      /** The newest of those before this one; all newest unless given. */
      before: Schema.optionalKey(whole("before", 0, Number.MAX_SAFE_INTEGER)),
      ...paging
    },
    success: Schema.Array(ChangeRow),
    error: NoHistory
  })
)

/** The API. `GET /api/events` stands beside it: see `events.ts`. */
export class Api extends HttpApi.make("sourcewire-monitor")
  .add(targets)
  .prefix("/api")
  // A refusal quotes the value that was given.
  .annotate(HttpApi.ParseOptions, { reportInput: true }) {}
