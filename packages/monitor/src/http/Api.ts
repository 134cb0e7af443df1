/**
 * The JSON API of a monitor over HTTP. Handlers, clients and `/openapi.json` are derived from this description. Texts in a {@link TargetRow}
 * are safe to display. The reply in a {@link TargetDetail} contains texts as the server sent them. Times are milliseconds since 1970.
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

/** Maximum number of targets, or changes, on one page. */
export const MAX_PAGE = 1000

const Milliseconds = Schema.Finite

/** A text in a request. If the text is too long, the reply has status 400, and its error message contains the maximum length. */
const text = (most: number) =>
  Schema.String.check(Schema.isMaxLength(most, { expected: `text of up to ${most} characters` }))

/** The state of a target. */
const known = {
  state: Schema.Literals(["unknown", "up", "down"]),
  /** The time at which the state began. */
  stateAt: Schema.optionalKey(Milliseconds),
  /** Number of consecutive failed checks. */
  failures: Schema.Int,
  askedAt: Schema.optionalKey(Milliseconds),
  answeredAt: Schema.optionalKey(Milliseconds),
  rttMs: Schema.optionalKey(Schema.Finite),
  /**
   * Present if the request was sent several times, and it is unknown to which transmission the reply belongs. In this case, `rttMs` is the
   * most likely round-trip time. A {@link Sample} does not include such round-trip times.
   */
  rttAmbiguous: Schema.optionalKey(Schema.Literal(true)),
  /** The error of the last check. */
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}

/** Why a target is muted. The monitor sends no alerts about a muted target, and muted time does not affect the uptime. */
const Muted = Schema.Struct({
  by: Schema.Literals(["mute", "maintenance"]),
  /** When the mute ends; absent if the end is unknown. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Muted" })

/** Milliseconds in each state. If their sum is smaller than the period, the target was not monitored during the rest of the period. */
const stateTime = { upMs: Milliseconds, downMs: Milliseconds, mutedMs: Milliseconds }

/** The time of a target in each state. */
export const Uptime = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  ...stateTime,
  /** `upMs` divided by the sum of `upMs` and `downMs`; absent if this sum is 0. */
  share: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Uptime" })
export type Uptime = typeof Uptime.Type

/** The uptime for the last 24 hours and for the last 7, 30 and 90 days. Each period begins at a full hour. */
export const Uptimes = Schema.Struct({ "24h": Uptime, "7d": Uptime, "30d": Uptime, "90d": Uptime }).annotate({
  identifier: "Uptimes"
})
export type Uptimes = typeof Uptimes.Type

/**
 * The strength of a finding. `strong`: no known legitimate set-up causes this finding. `medium`: some legitimate set-ups cause this
 * finding. `weak`: many legitimate set-ups cause this finding.
 */
const Strength = Schema.Literals(["strong", "medium", "weak"])

/** A target in the list. Facts about the server are absent until the server has replied. */
export const TargetRow = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  labels: Schema.Record(Schema.String, Schema.String),
  ...known,
  /** Absent if the target is not muted. */
  muted: Schema.optionalKey(Muted),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  /** The name of the game; for an unknown game, the text that the server reports. */
  game: Schema.optionalKey(Schema.String),
  /** Absent for unknown games. */
  gameId: Schema.optionalKey(Schema.String),
  mode: Schema.optionalKey(Schema.String),
  /** Number of players who wait to join. */
  queue: Schema.optionalKey(Schema.Int),
  folder: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  humans: Schema.optionalKey(Schema.Int),
  bots: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  password: Schema.optionalKey(Schema.Boolean),
  secure: Schema.optionalKey(Schema.Boolean),
  /** The link that joins the game. */
  connect: Schema.optionalKey(Schema.String),
  /**
   * The strongest finding that applies now, and the number of findings that apply now. Absent if there are no findings, or if the group has
   * no `verdicts`.
   */
  findings: Schema.optionalKey(Schema.Struct({ kind: Schema.String, strength: Strength, count: Schema.Int }))
}).annotate({ identifier: "TargetRow" })
export type TargetRow = typeof TargetRow.Type

/** A location's view of a target. */
export const LocationRow = Schema.Struct({
  location: Schema.String,
  /**
   * Whether this location affects the state of the target. Only locations that are selected for the target and have queried it recently
   * affect the state.
   */
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
  "disagreement",
  "finding"
])

/** A change of a target. */
export const ChangeRow = Schema.Struct({
  /** Later changes have larger ids. */
  id: Schema.Finite,
  target: Schema.Int,
  /** The current name of the server. */
  name: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  at: Milliseconds,
  field: ChangedField,
  /**
   * For `joined` and `left`, `to` contains names as JSON. For `disagreement`, `to` contains the states by location, or is empty if the
   * locations agree again.
   */
  from: Schema.String,
  to: Schema.String
}).annotate({ identifier: "ChangeRow" })
export type ChangeRow = typeof ChangeRow.Type

/** A finding: facts about a server that contradict each other. A finding is not a proof of cheating. */
export const FindingRow = Schema.Struct({
  kind: Schema.String,
  strength: Strength,
  /**
   * Sentences about the finding: the observation, the value that a real game server would report, and legitimate set-ups that cause this
   * observation.
   */
  observed: Schema.String,
  expected: Schema.String,
  honest: Schema.Array(Schema.String),
  /** When the finding was first and last observed. */
  from: Milliseconds,
  seenAt: Milliseconds,
  /** When the finding ended; absent while the finding applies. */
  to: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "FindingRow" })
export type FindingRow = typeof FindingRow.Type

/** The source of a value: a reply to a query, or the server's console. */
const ValueSource = Schema.optionalKey(Schema.Literals(["a2s", "rcon"]))

/** A player, and the source of each value. */
export const ConsolePlayer = Schema.Struct({
  name: Schema.String,
  isBot: Schema.optionalKey(Schema.Boolean),
  /** The SteamID as a 64-bit number in decimal. */
  steamId: Schema.optionalKey(Schema.String),
  /** The ping in milliseconds. */
  ping: Schema.optionalKey(Schema.Finite),
  score: Schema.optionalKey(Schema.Finite),
  connectedSeconds: Schema.optionalKey(Schema.Finite),
  sources: Schema.Struct({
    name: ValueSource,
    isBot: ValueSource,
    steamId: ValueSource,
    ping: ValueSource,
    score: ValueSource,
    connectedSeconds: ValueSource
  })
}).annotate({ identifier: "ConsolePlayer" })
export type ConsolePlayer = typeof ConsolePlayer.Type

/** The last reading of a server's console (`status` over RCON). The monitor does not store this reading. */
export const ConsoleDetail = Schema.Struct({
  readAt: Milliseconds,
  /** The players that the console reported, with additional values from A2S. Absent if the console cannot be read. */
  players: Schema.optionalKey(Schema.Array(ConsolePlayer)),
  /** Number of lines of `status` that could not be read. */
  unread: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}).annotate({ identifier: "ConsoleDetail" })
export type ConsoleDetail = typeof ConsoleDetail.Type

/** A target and its complete last reply. */
export const TargetDetail = Schema.Struct({
  target: TargetRow,
  intervalMs: Milliseconds,
  /** Interval between queries while the target is down. */
  downIntervalMs: Milliseconds,
  /** Absent if the store cannot be read now, or if the monitor stores no history. */
  uptime: Schema.optionalKey(Uptimes),
  /** The origins of the target: `configuration`, or the sources that list it. */
  sources: Schema.Array(Schema.String),
  answer: Schema.optionalKey(
    Schema.Struct({
      info: Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)]),
      legacy: Schema.optionalKey(toSchema(GoldSourceInfoReply)),
      players: Schema.optionalKey(toSchema(PlayersReply)),
      /** Whether the list of players is assumed to be empty: A2S_INFO reports no players, and A2S_PLAYER timed out. */
      playersAssumed: Schema.optionalKey(Schema.Literal(true)),
      rules: Schema.optionalKey(toSchema(RulesReply)),
      /** The query port that responded, if the target names a game with several possible query ports. */
      queryPort: Schema.optionalKey(Schema.Int)
    })
  ),
  /** Present only if the group has `rconPasswordFile`, this instance queries the server, and the server reports players. */
  console: Schema.optionalKey(ConsoleDetail),
  /** The results of each location for this target. Present if several locations query the target, or if the group of the target names the locations. */
  locations: Schema.optionalKey(Schema.Array(LocationRow)),
  /** Findings that apply now, the strongest first. Present only if the group has `verdicts`. */
  findings: Schema.optionalKey(Schema.Array(FindingRow)),
  /** The latest changes of the target. */
  changes: Schema.Array(ChangeRow)
}).annotate({ identifier: "TargetDetail" })
export type TargetDetail = typeof TargetDetail.Type

const Spread = Schema.Struct({ min: Schema.Finite, mean: Schema.Finite, max: Schema.Finite })

/** The results of a target in one time step. Players and round-trip times are absent if the server did not reply in this step. */
export const Sample = Schema.Struct({
  /** Start of the step. */
  at: Milliseconds,
  asked: Schema.Int,
  answered: Schema.Int,
  ...stateTime,
  players: Schema.optionalKey(Spread),
  /** The mean number of bots. */
  bots: Schema.optionalKey(Schema.Finite),
  rttMs: Schema.optionalKey(Spread)
}).annotate({ identifier: "Sample" })
export type Sample = typeof Sample.Type

/** A source of targets, and its state after the last reading. */
export const SourceRow = Schema.Struct({
  group: Schema.String,
  name: Schema.String,
  kind: Schema.Literals(["file", "url", "master", "steam"]),
  /** The number of monitored servers of the source, and the number of these servers that are missing from its last list. */
  servers: Schema.Int,
  missing: Schema.Int,
  ...sourceStatus,
  /** When the source was last read. */
  triedAt: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "SourceRow" })
export type SourceRow = typeof SourceRow.Type

/** The numbers of up to 100 targets, separated by commas. */
const ids = Schema.String.check(
  Schema.isPattern(/^\d{1,9}(,\d{1,9}){0,99}$/, { expected: "the numbers of up to 100 targets, separated by commas" })
)

/**
 * The history of targets in the last 24 hours, by the number of the target. Each array has one element per hour, and the last element is
 * the current hour.
 */
export const Days = Schema.Struct({
  /** The mean number of players; `null` for an hour without a reply. */
  players: Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.Finite))),
  /** Milliseconds up, down and muted. If their sum is smaller than an hour, the target was not monitored during the rest of the hour. */
  times: Schema.Record(Schema.String, Schema.Array(Schema.Tuple([Milliseconds, Milliseconds, Milliseconds])))
}).annotate({ identifier: "Days" })
export type Days = typeof Days.Type

/** An incident: a server was down from its first failed check until it replied again. */
export const IncidentRow = Schema.Struct({
  target: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  /** The current name of the server. */
  name: Schema.optionalKey(Schema.String),
  from: Milliseconds,
  /** When the state of the server became `down`, after `downAfter` consecutive failed checks. */
  noticedAt: Milliseconds,
  /** When the server replied again. Absent if the server has not replied again, or is no longer monitored. */
  to: Schema.optionalKey(Milliseconds),
  isOngoing: Schema.Boolean,
  /** The duration of the incident. For an ongoing incident, this is the duration until now. Absent if the end is unknown. */
  durationMs: Schema.optionalKey(Milliseconds),
  /** The error of the check in which the state became `down`: its tag, such as `Timeout`, and its message. */
  reason: Schema.String,
  message: Schema.String,
  /** Players and map of the last reply before the incident. */
  players: Schema.optionalKey(Schema.Int),
  map: Schema.optionalKey(Schema.String),
  /** Whether the server was muted when the incident was noticed. */
  isMuted: Schema.Boolean,
  /**
   * The error of the last query at each location when the incident was noticed. Present if several locations query the server, or if the
   * group of the server names the locations.
   */
  locations: Schema.optionalKey(Schema.Array(Schema.Struct({ location: Schema.String, reason: Schema.String })))
}).annotate({ identifier: "IncidentRow" })
export type IncidentRow = typeof IncidentRow.Type

/** The figures of a server or a group in a report. */
const figures = {
  ...stateTime,
  unmonitoredMs: Milliseconds,
  /** `upMs` divided by the sum of `upMs` and `downMs`; absent if this sum is 0. */
  share: Schema.optionalKey(Schema.Finite),
  /**
   * The number of incidents that were noticed while the server was not muted, and the duration of the longest of these incidents within the
   * period.
   */
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

/** The availability of the servers of each group in a period of full hours. The servers with the lowest availability are first. */
export const Report = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  groups: Schema.Array(Schema.Struct({ group: Schema.String, ...figures, servers: Schema.Array(ReportRow) }))
}).annotate({ identifier: "Report" })
export type Report = typeof Report.Type

/** A mute for a server or a group. */
export const MuteRow = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literals(["server", "group"]),
  /** The address of the server, or the name of the group. */
  what: Schema.String,
  from: Milliseconds,
  /** When the mute ends. If this field is absent, the mute applies until a request ends it. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "MuteRow" })
export type MuteRow = typeof MuteRow.Type

/** A mute to add. `address` selects a server, and `group` selects a group. */
export const NewMute = Schema.Struct({
  address: Schema.optionalKey(text(300)),
  group: Schema.optionalKey(text(64)),
  /** When the mute begins (default: now). */
  from: Schema.optionalKey(Milliseconds),
  /** When the mute ends (default: the mute applies until a request ends it). */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(text(500))
}).annotate({ identifier: "NewMute" })

/** Totals of all targets. `up`, `down` and `unknown` do not include muted targets. */
export const Overview = Schema.Struct({
  targets: Schema.Int,
  up: Schema.Int,
  down: Schema.Int,
  unknown: Schema.Int,
  muted: Schema.Int,
  players: Schema.Int,
  /** Total slots of the servers that are up. */
  maxPlayers: Schema.Int,
  groups: Schema.Array(Schema.String),
  /** Whether the monitor stores history. An exporter stores no history. */
  history: Schema.Boolean,
  /** Whether `POST /api/targets` adds targets (`{"address": "192.0.2.1:27015"}`), and `DELETE /api/targets/ID` removes them. */
  adds: Schema.Boolean,
  /** Whether several instances share the targets. */
  shared: Schema.Boolean,
  /** Whether at least one group has `verdicts`. */
  verdicts: Schema.Boolean,
  /** Groups whose status page everyone may read and embed. */
  publicStatus: Schema.Array(Schema.String),
  /** A message for users if the store cannot be written. The current states of the targets are correct nevertheless. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Messages for the operator about sources whose last list was rejected. Absent if there are no such sources. */
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Number of changes, incidents and hours of history that could not be stored. */
  lost: Schema.Int
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

const message = { message: Schema.String }

/** No target has the requested number. */
export class NoTarget extends Schema.TaggedError<NoTarget>()("NoTarget", message, { httpApiStatus: 404 }) {}

/** The store cannot be read now. */
export class NoHistory extends Schema.TaggedError<NoHistory>()("NoHistory", message, { httpApiStatus: 503 }) {}

/** The target cannot be added to the list. */
export class NotAdded extends Schema.TaggedError<NotAdded>()("NotAdded", message, { httpApiStatus: 422 }) {}

/** The target cannot be removed from the list. */
export class NotRemoved extends Schema.TaggedError<NotRemoved>()("NotRemoved", message, { httpApiStatus: 422 }) {}

/** A target to add, by its address, for example `192.0.2.10:27015`. */
export const NewTarget = Schema.Struct({ address: text(300) }).annotate({
  identifier: "NewTarget"
})

const GroupName = Schema.String.check(
  Schema.isPattern(/^[\w .-]{1,64}$/, { expected: "1 to 64 letters, digits, spaces, dots, hyphens and underscores" })
)
const Labels = Schema.Record(Schema.String, text(200))
const Addresses = Schema.Array(text(300)).check(Schema.isMaxLength(100, { expected: "a list of up to 100 addresses" }))

/** Servers to add to a group. If the group does not exist, it is created. */
export const NewTargets = Schema.Struct({
  addresses: Addresses,
  /** Default: `mine`. */
  group: Schema.optionalKey(GroupName),
  /** Labels to add to the group. */
  labels: Schema.optionalKey(Labels),
  /** Names by address, which replace the names that the servers report. */
  names: Schema.optionalKey(Schema.Record(Schema.String, text(100)))
}).annotate({ identifier: "NewTargets" })

/** The servers that were added, and the rejected servers with reasons. */
export const AddedTargets = Schema.Struct({
  added: Schema.Array(Schema.Struct({ text: Schema.String, address: Schema.String })),
  rejected: Schema.Array(Schema.Struct({ text: Schema.String, ...message }))
}).annotate({ identifier: "AddedTargets" })
export type AddedTargets = typeof AddedTargets.Type

/** The result of querying an address before it is added. */
export const Previewed = Schema.Struct({
  text: Schema.String,
  /** Absent if the text is not an address that can be queried. */
  address: Schema.optionalKey(Schema.String),
  /** Whether the address is monitored already. */
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

/** The data for a request that adds a removed server again. Use `text` as an element of `addresses` in `NewTargets`. */
export const RemovedTarget = Schema.Struct({
  text: Schema.String,
  group: Schema.String,
  name: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RemovedTarget" })
export type RemovedTarget = typeof RemovedTarget.Type

/**
 * New settings of a server. If `name` is empty, the monitor shows the name that the server reports. `labels` replaces all labels of the
 * server's group.
 */
export const TargetEdit = Schema.Struct({
  group: Schema.optionalKey(GroupName),
  name: Schema.optionalKey(text(100)),
  labels: Schema.optionalKey(Labels)
}).annotate({ identifier: "TargetEdit" })

/** A webhook. Its URL is a secret and is not included. */
export const WebhookRow = Schema.Struct({
  name: Schema.String,
  format: Schema.String,
  host: Schema.String,
  events: Schema.Array(Schema.String),
  /** Absent if the webhook is for all groups. */
  groups: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "WebhookRow" })
export type WebhookRow = typeof WebhookRow.Type

/** The reply of the receiver to a test message. */
export const WebhookTest = Schema.Struct({ ok: Schema.Boolean, ...message }).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** The monitor cannot execute the request. `message` contains the reason. */
export class Unfit extends Schema.TaggedError<Unfit>()("Unfit", message, { httpApiStatus: 422 }) {}

/** The monitor has no list of its own. A file or the command line sets the targets, and the monitor cannot change these targets. */
export class NoList extends Schema.TaggedError<NoList>()("NoList", message, { httpApiStatus: 404 }) {}

/** No webhook has the requested name. */
export class NoWebhook extends Schema.TaggedError<NoWebhook>()("NoWebhook", message, { httpApiStatus: 404 }) {}

/** No mute has the requested number. */
export class NoMute extends Schema.TaggedError<NoMute>()("NoMute", message, { httpApiStatus: 404 }) {}

/**
 * The sort keys of the list of targets. For `players` and `rttMs`, servers that are not up have no value.
 *
 * `problems` in descending order begins with the servers that are down and not muted. Among these servers, the latest outage is first. The
 * other servers follow, sorted by players. `findings` in descending order begins with the servers that have the strongest findings.
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
  "problems",
  "findings"
] as const

/** Numeric parameters by name, for `/openapi.json`. Without this map, the description would describe these parameters as text. */
export const NUMBERS = new Map<string, Readonly<Record<string, unknown>>>()

/** Creates a parameter that is a whole number. Parameters with the same name must have the same meaning and bounds in all endpoints. */
const whole = <Name extends string>(name: Name, minimum: number, maximum: number) => {
  NUMBERS.set(name, { type: "integer", minimum, maximum })
  return Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
}
/** The latest time that a date can represent, in milliseconds since 1970. */
const LATEST = 8_640_000_000_000_000
const MOST_ID = 2 ** 31 - 1
const time = (name: string) => Schema.optionalKey(whole(name, 0, LATEST))

const id = { id: whole("id", 0, MOST_ID) }
const webhookName = { name: text(64) }
/** A webhook to add. Its URL must not point to a local network. */
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

/** Selects and orders targets. */
const listQuery = {
  /** A text that the address, the name, the map, the group or a label must contain. Case is ignored. */
  q: Schema.optionalKey(text(200)),
  /** The complete address of a target, as in the list. `q` also finds other servers whose name contains this address. */
  address: Schema.optionalKey(text(300)),
  /** `muted` selects the muted targets. `unknown`, `up` and `down` select only targets that are not muted. */
  state: Schema.optionalKey(Schema.Literals(["unknown", "up", "down", "muted"])),
  group: Schema.optionalKey(Schema.String),
  /** Only targets with a finding of at least this strength. */
  findings: Schema.optionalKey(Strength),
  sort: Schema.optionalKey(Schema.Literals(SORTS)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
}
export type ListQuery = Schema.Struct.Type<typeof listQuery>

/** Selects incidents. */
const incidentQuery = {
  from: time("from"),
  to: time("to"),
  target: Schema.optionalKey(whole("target", 0, MOST_ID)),
  group: Schema.optionalKey(Schema.String),
  /** `true` selects only ongoing incidents, and `false` only incidents that are over. */
  ongoing: Schema.optionalKey(Schema.Literals(["true", "false"]))
}

const targets = HttpApiGroup.make("targets").add(
  HttpApiEndpoint.get("overview", "/overview", { success: Overview }),
  /** The runners that share the targets. */
  HttpApiEndpoint.get("fleet", "/fleet", { success: FleetStatus }),
  HttpApiEndpoint.get("list", "/targets", {
    query: {
      ...listQuery,
      offset: Schema.optionalKey(whole("offset", 0, 10_000_000)),
      ...paging
    },
    success: Schema.Struct({ total: Schema.Int, targets: Schema.Array(TargetRow) })
  }),
  /** Adds a target to the monitor's own list; see `adds` in the overview. */
  HttpApiEndpoint.post("add", "/targets", {
    payload: NewTarget,
    success: NewTarget.pipe(HttpApiSchema.status(201)),
    error: [NoList, NotAdded]
  }),
  /** Adds up to 100 targets to a group in the monitor's own list. */
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
  /**
   * Removes a target from the monitor's own list, and returns the data with which a request can add the target again. The history of the
   * target remains until its retention ends.
   */
  HttpApiEndpoint.delete("remove", "/targets/:id", {
    params: id,
    success: RemovedTarget,
    error: [NoList, NoTarget, NotRemoved]
  }),
  /** Changes the name, the group or the labels of a target in the monitor's own list. */
  HttpApiEndpoint.patch("edit", "/targets/:id", {
    params: id,
    payload: TargetEdit,
    success: HttpApiSchema.NoContent,
    error: [NoList, NoTarget, Unfit]
  }),
  HttpApiEndpoint.get("webhooks", "/webhooks", { success: Schema.Array(WebhookRow) }),
  /** Adds a webhook to the monitor's own configuration; see `adds` in the overview. */
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
  /** Sends a test message. Each webhook can be tested once every five seconds. */
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
      /** Length of a step (default: five minutes for periods of up to two days, otherwise an hour). */
      step: Schema.optionalKey(Schema.Literals(["5m", "1h"])),
      /** Selects the results of one location (default: the combined results of all locations). */
      location: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({ stepMs: Milliseconds, samples: Schema.Array(Sample) }),
    error: [NoTarget, NoHistory]
  }),
  /** Findings about a server, the newest first. Findings that have ended are included. */
  HttpApiEndpoint.get("findings", "/targets/:id/findings", {
    params: id,
    query: paging,
    success: Schema.Array(FindingRow),
    error: [NoTarget, NoHistory]
  }),
  HttpApiEndpoint.get("days", "/days", {
    query: {
      /** Numbers of targets, separated by commas. */
      targets: ids
    },
    success: Days,
    error: NoHistory
  }),
  HttpApiEndpoint.get("uptime", "/uptime", {
    query: {
      /** Numbers of targets, separated by commas. */
      targets: ids
    },
    success: Schema.Struct({
      /** The uptimes, by the number of the target. */
      uptime: Schema.Record(Schema.String, Uptimes)
    }),
    error: NoHistory
  }),
  /** Incidents that overlap a period, the newest first. `GET /api/export/incidents` returns the same incidents as CSV and NDJSON. */
  HttpApiEndpoint.get("incidents", "/incidents", {
    query: {
      ...incidentQuery,
      /** Only incidents after this position in the list. Use the value of `next` in the previous page. */
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
  /** A report of a period (default: the last 30 days). */
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
      /** Only changes of this field. */
      field: Schema.optionalKey(ChangedField),
      /** Only changes before the change with this id (default: no limit). The newest of these changes are returned. */
      before: Schema.optionalKey(whole("before", 0, Number.MAX_SAFE_INTEGER)),
      ...paging
    },
    success: Schema.Array(ChangeRow),
    error: NoHistory
  })
)

/** The API. `GET /api/events` is not part of this description. See `events.ts`. */
export class Api extends HttpApi.make("sourcewire-monitor")
  .add(targets)
  .prefix("/api")
  // The message of status 400 quotes the invalid value.
  .annotate(HttpApi.ParseOptions, { reportInput: true }) {}
