/**
 * The JSON API of a monitor over HTTP. Handlers, clients and `/openapi.json` are derived from this description. Texts in a
 * {@link TargetRow} contain no control characters, and are safe to display. In contrast, `answer` in a {@link TargetDetail} contains the
 * texts exactly as the server sent them. A point in time is a number of milliseconds since 1970.
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

/** Maximum number of entries, such as targets or changes, in one reply. */
export const MAX_PAGE = 1000

const Milliseconds = Schema.Finite

/** A text in a request, of up to `most` characters. If a client sends a longer text, the reply has status 400 and names this maximum. */
const text = (most: number) =>
  Schema.String.check(Schema.isMaxLength(most, { expected: `text of up to ${most} characters` }))

/** The state of a target. */
const known = {
  state: Schema.Literals(["unknown", "up", "down"]),
  /** When the target changed to `state`. */
  stateAt: Schema.optionalKey(Milliseconds),
  /** Number of consecutive failed checks. */
  failures: Schema.Int,
  askedAt: Schema.optionalKey(Milliseconds),
  answeredAt: Schema.optionalKey(Milliseconds),
  rttMs: Schema.optionalKey(Schema.Finite),
  /**
   * Present if the request was sent several times, and the reply may belong to any of these transmissions. In this case, `rttMs` is the
   * most likely round-trip time, and is not included in a {@link Sample}.
   */
  rttAmbiguous: Schema.optionalKey(Schema.Literal(true)),
  /** The error of the last check; absent if the server replied. */
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}

/**
 * Why a target is muted: a mute, or a maintenance window. While a target is muted, the monitor sends no alerts about it, and the time does
 * not affect its uptime.
 */
const Muted = Schema.Struct({
  by: Schema.Literals(["mute", "maintenance"]),
  /** When the target is no longer muted. Absent if the mute has no fixed end, or if the maintenance lasts longer than a week. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Muted" })

/**
 * The time in each state. If the sum of these times is smaller than the period, the target was not monitored during the rest of the period.
 */
const stateTime = { upMs: Milliseconds, downMs: Milliseconds, mutedMs: Milliseconds }

/** The time that a target spent in each state between `from` and `to`. */
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
 * How strongly a finding suggests that the server reports false facts. `strong`: no known legitimate set-up causes this finding. `medium`:
 * some legitimate set-ups cause this finding. `weak`: many legitimate set-ups cause this finding.
 */
const Strength = Schema.Literals(["strong", "medium", "weak"])

/**
 * A target in the list of targets. The values that come from a reply, such as `name` and `players`, are absent until the server has
 * replied.
 */
export const TargetRow = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  labels: Schema.Record(Schema.String, Schema.String),
  ...known,
  /** Present while the target is muted. */
  muted: Schema.optionalKey(Muted),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  /** The name of the game. If Sourcewire does not know the game, this is the text with which the server describes its game. */
  game: Schema.optionalKey(Schema.String),
  /** The id of the game. Absent if Sourcewire does not know the game. */
  gameId: Schema.optionalKey(Schema.String),
  mode: Schema.optionalKey(Schema.String),
  /** Number of players in the queue of a full server. */
  queue: Schema.optionalKey(Schema.Int),
  folder: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  humans: Schema.optionalKey(Schema.Int),
  bots: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  password: Schema.optionalKey(Schema.Boolean),
  secure: Schema.optionalKey(Schema.Boolean),
  /** A link that starts the game and joins the server. */
  connect: Schema.optionalKey(Schema.String),
  /**
   * The kind and the strength of the strongest current finding, and the number of all current findings. Absent if there are no findings, or
   * if the group has no `verdicts`.
   */
  findings: Schema.optionalKey(Schema.Struct({ kind: Schema.String, strength: Strength, count: Schema.Int }))
}).annotate({ identifier: "TargetRow" })
export type TargetRow = typeof TargetRow.Type

/** The results of one location for a target. */
export const LocationRow = Schema.Struct({
  location: Schema.String,
  /**
   * Whether the results of this location affect the state of the target. A location affects the state if it is selected for the target, and
   * has queried the target recently.
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

/** A change of a target: the value of `field` changed from `from` to `to`. */
export const ChangeRow = Schema.Struct({
  /** The number of the change. A later change has a larger number. */
  id: Schema.Finite,
  target: Schema.Int,
  /** The current name of the server. */
  name: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  at: Milliseconds,
  field: ChangedField,
  /**
   * The values before and after the change. For `joined` and `left`, `to` contains a JSON array with the names of the players. For
   * `disagreement`, `to` contains the state at each location, or is empty if all locations report the same state again.
   */
  from: Schema.String,
  to: Schema.String
}).annotate({ identifier: "ChangeRow" })
export type ChangeRow = typeof ChangeRow.Type

/** A finding: the server reports facts that contradict each other. This is not a proof of cheating. */
export const FindingRow = Schema.Struct({
  kind: Schema.String,
  strength: Strength,
  /** A sentence about the observation. */
  observed: Schema.String,
  /** A sentence about the value that a real game server would report. */
  expected: Schema.String,
  /** Sentences about legitimate set-ups that cause the same observation. */
  honest: Schema.Array(Schema.String),
  /** When the finding was first observed. */
  from: Milliseconds,
  /** When the finding was last observed. */
  seenAt: Milliseconds,
  /** When the finding ended; absent while the finding applies. */
  to: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "FindingRow" })
export type FindingRow = typeof FindingRow.Type

/** The origin of a value: a reply to an A2S query (`a2s`), or the server's console (`rcon`). */
const ValueSource = Schema.optionalKey(Schema.Literals(["a2s", "rcon"]))

/** A player, and the source of each value about the player. */
export const ConsolePlayer = Schema.Struct({
  name: Schema.String,
  isBot: Schema.optionalKey(Schema.Boolean),
  /** The SteamID: the decimal digits of a 64-bit number. */
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

/** The last reading of a server's console: the reply to `status` over RCON. The monitor does not write the reading to the store. */
export const ConsoleDetail = Schema.Struct({
  readAt: Milliseconds,
  /**
   * The players that the console reported. Values that the console does not report are added from the A2S reply. Absent if the console
   * cannot be read.
   */
  players: Schema.optionalKey(Schema.Array(ConsolePlayer)),
  /** Number of lines in the reply to `status` that could not be read. */
  unread: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}).annotate({ identifier: "ConsoleDetail" })
export type ConsoleDetail = typeof ConsoleDetail.Type

/** A target and its complete last reply. */
export const TargetDetail = Schema.Struct({
  target: TargetRow,
  intervalMs: Milliseconds,
  /** Interval between queries of this target while it is down. */
  downIntervalMs: Milliseconds,
  /** Absent if the store cannot be read now, or if the monitor stores no history. */
  uptime: Schema.optionalKey(Uptimes),
  /** The origins of the target: `configuration`, and the names of the sources that list the target. */
  sources: Schema.Array(Schema.String),
  answer: Schema.optionalKey(
    Schema.Struct({
      info: Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)]),
      legacy: Schema.optionalKey(toSchema(GoldSourceInfoReply)),
      players: Schema.optionalKey(toSchema(PlayersReply)),
      /** Present if A2S_PLAYER timed out, but A2S_INFO reports no players. In this case, the list of players is assumed to be empty. */
      playersAssumed: Schema.optionalKey(Schema.Literal(true)),
      rules: Schema.optionalKey(toSchema(RulesReply)),
      /** The query port at which the server replied. Present if the target names a game with several possible query ports. */
      queryPort: Schema.optionalKey(Schema.Int)
    })
  ),
  /** Present only if the group has `rconPasswordFile`, this instance queries the server, and the server reports players. */
  console: Schema.optionalKey(ConsoleDetail),
  /**
   * The results of each location for this target. Present if the group of the target requires several locations, or names the locations.
   */
  locations: Schema.optionalKey(Schema.Array(LocationRow)),
  /** The current findings about the target, the strongest first. Present only if the group has `verdicts`. */
  findings: Schema.optionalKey(Schema.Array(FindingRow)),
  /** The latest changes of the target, the newest first. */
  changes: Schema.Array(ChangeRow)
}).annotate({ identifier: "TargetDetail" })
export type TargetDetail = typeof TargetDetail.Type

const Spread = Schema.Struct({ min: Schema.Finite, mean: Schema.Finite, max: Schema.Finite })

/**
 * The results of all checks of a target in one time step. `players`, `bots` and `rttMs` are absent if the server did not reply in this
 * step.
 */
export const Sample = Schema.Struct({
  /** Start of the step. */
  at: Milliseconds,
  asked: Schema.Int,
  answered: Schema.Int,
  ...stateTime,
  players: Schema.optionalKey(Spread),
  /** The mean number of bots in the replies. */
  bots: Schema.optionalKey(Schema.Finite),
  rttMs: Schema.optionalKey(Spread)
}).annotate({ identifier: "Sample" })
export type Sample = typeof Sample.Type

/** A source of targets, and the result of its last reading. */
export const SourceRow = Schema.Struct({
  group: Schema.String,
  name: Schema.String,
  kind: Schema.Literals(["file", "url", "master", "steam"]),
  /** The number of servers that are monitored because the source has listed them. */
  servers: Schema.Int,
  /** The number of these servers that are missing from the source's last list. */
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
 * The history of targets in the last 24 hours. The keys are the numbers of the targets. Each array has one element per hour, and the last
 * element is the current hour.
 */
export const Days = Schema.Struct({
  /** The mean number of players in each hour; `null` if the server did not reply in the hour. */
  players: Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.Finite))),
  /**
   * The time up, the time down and the muted time in each hour, in milliseconds. If the sum of the three times is smaller than an hour, the
   * target was not monitored during the rest of the hour.
   */
  times: Schema.Record(Schema.String, Schema.Array(Schema.Tuple([Milliseconds, Milliseconds, Milliseconds])))
}).annotate({ identifier: "Days" })
export type Days = typeof Days.Type

/** An incident: a server was down. The incident begins with the first failed check, and ends when the server replies again. */
export const IncidentRow = Schema.Struct({
  target: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  /** The current name of the server. */
  name: Schema.optionalKey(Schema.String),
  from: Milliseconds,
  /** When the state of the server became `down`, after `downAfter` consecutive failed checks. */
  noticedAt: Milliseconds,
  /** When the server replied again. Absent if the server has not replied yet, or was removed from the monitor before it replied. */
  to: Schema.optionalKey(Milliseconds),
  isOngoing: Schema.Boolean,
  /**
   * The duration of the incident. If the incident is ongoing, this is the duration until now. Absent if the incident has ended at an
   * unknown time.
   */
  durationMs: Schema.optionalKey(Milliseconds),
  /** The tag of the error with which the state became `down`, for example `Timeout`. */
  reason: Schema.String,
  /** The message of this error. */
  message: Schema.String,
  /** The player count in the last reply before the incident. */
  players: Schema.optionalKey(Schema.Int),
  /** The map in the last reply before the incident. */
  map: Schema.optionalKey(Schema.String),
  /** Whether the server was muted when its state became `down`. */
  isMuted: Schema.Boolean,
  /**
   * For each location: the error of its last query when the state of the server became `down`. Present if the group of the server requires
   * several locations, or names the locations.
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
  /** The number of incidents, without incidents that were noticed while the server was muted. */
  incidents: Schema.Int,
  /** The duration of the longest of these incidents. Only the part within the period is measured. */
  longestMs: Milliseconds
}

const ReportRow = Schema.Struct({
  target: Schema.Int,
  address: Schema.String,
  name: Schema.optionalKey(Schema.String),
  ...figures
}).annotate({ identifier: "ReportRow" })
export type ReportRow = typeof ReportRow.Type

/**
 * The availability of all servers in a period, by group. The period begins at a full hour, and ends at a full hour or now. In each group,
 * the servers with the lowest availability are first.
 */
export const Report = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  groups: Schema.Array(Schema.Struct({ group: Schema.String, ...figures, servers: Schema.Array(ReportRow) }))
}).annotate({ identifier: "Report" })
export type Report = typeof Report.Type

/** A mute: the monitor sends no alerts about a server or a group between `from` and `until`. */
export const MuteRow = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literals(["server", "group"]),
  /** The address of the server, or the name of the group. */
  what: Schema.String,
  from: Milliseconds,
  /** When the mute ends. Absent if the mute applies until a client deletes it. */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "MuteRow" })
export type MuteRow = typeof MuteRow.Type

/** A mute to add. A request must contain either `address`, to mute a server, or `group`, to mute all servers of a group. */
export const NewMute = Schema.Struct({
  address: Schema.optionalKey(text(300)),
  group: Schema.optionalKey(text(64)),
  /** When the mute begins (default: now). */
  from: Schema.optionalKey(Milliseconds),
  /** When the mute ends (default: when a client deletes the mute). */
  until: Schema.optionalKey(Milliseconds),
  note: Schema.optionalKey(text(500))
}).annotate({ identifier: "NewMute" })

/**
 * The numbers of targets in each state, and other facts about the monitor. A muted target is included in `muted`, but not in `up`, `down`
 * or `unknown`.
 */
export const Overview = Schema.Struct({
  targets: Schema.Int,
  up: Schema.Int,
  down: Schema.Int,
  unknown: Schema.Int,
  muted: Schema.Int,
  players: Schema.Int,
  /** The sum of the player slots of all servers that are up. */
  maxPlayers: Schema.Int,
  groups: Schema.Array(Schema.String),
  /** Whether the monitor stores history. If the program runs as an exporter, it stores no history. */
  history: Schema.Boolean,
  /**
   * Whether clients can change the list of targets. `POST /api/targets` adds a target, for example `{"address": "192.0.2.1:27015"}`, and
   * `DELETE /api/targets/ID` removes a target.
   */
  adds: Schema.Boolean,
  /** Whether several instances share the targets. */
  shared: Schema.Boolean,
  /** Whether at least one group has `verdicts`. */
  verdicts: Schema.Boolean,
  /** Groups whose status page needs no password and can be embedded. */
  publicStatus: Schema.Array(Schema.String),
  /** A message for users. Present if the store cannot be written. Even then, the current states of the targets are correct. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Messages for the operator: one for each source whose last list was rejected. Absent if no list was rejected. */
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Number of changes, incidents and hours of history that could not be stored. */
  lost: Schema.Int
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

const message = { message: Schema.String }

/** The request names a number that no target has. */
export class NoTarget extends Schema.TaggedError<NoTarget>()("NoTarget", message, { httpApiStatus: 404 }) {}

/** The request needs the store, but the monitor cannot use the store now. */
export class NoHistory extends Schema.TaggedError<NoHistory>()("NoHistory", message, { httpApiStatus: 503 }) {}

/** The target cannot be added to the monitor's own list. */
export class NotAdded extends Schema.TaggedError<NotAdded>()("NotAdded", message, { httpApiStatus: 422 }) {}

/** The target cannot be removed from the monitor's own list. */
export class NotRemoved extends Schema.TaggedError<NotRemoved>()("NotRemoved", message, { httpApiStatus: 422 }) {}

/** A target to add. `address` is, for example, `192.0.2.10:27015`. */
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
  /** Labels that are added to the labels of the group. */
  labels: Schema.optionalKey(Labels),
  /** Names for the servers, by address. The monitor shows these names instead of the names that the servers report. */
  names: Schema.optionalKey(Schema.Record(Schema.String, text(100)))
}).annotate({ identifier: "NewTargets" })

/** The addresses that were added, and the addresses that were rejected. `message` is the reason for the rejection. */
export const AddedTargets = Schema.Struct({
  added: Schema.Array(Schema.Struct({ text: Schema.String, address: Schema.String })),
  rejected: Schema.Array(Schema.Struct({ text: Schema.String, ...message }))
}).annotate({ identifier: "AddedTargets" })
export type AddedTargets = typeof AddedTargets.Type

/** The result of a query of an address that has not been added yet. */
export const Previewed = Schema.Struct({
  text: Schema.String,
  /** The address in `text`. Absent if `text` contains no address that can be queried. */
  address: Schema.optionalKey(Schema.String),
  /** Whether the monitor already has a target with this address. */
  isKnown: Schema.Boolean,
  /** Why `address` is absent, or why the server did not reply. */
  message: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  rttMs: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Previewed" })
export type Previewed = typeof Previewed.Type

/**
 * The server that was removed. A client can undo the removal: the client adds the server again, and sends `text` in `addresses` of
 * `NewTargets`.
 */
export const RemovedTarget = Schema.Struct({
  text: Schema.String,
  group: Schema.String,
  name: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RemovedTarget" })
export type RemovedTarget = typeof RemovedTarget.Type

/**
 * New values of settings of a server. If `name` is empty, the monitor shows the name that the server reports. `labels` replaces all labels
 * of the server's group.
 */
export const TargetEdit = Schema.Struct({
  group: Schema.optionalKey(GroupName),
  name: Schema.optionalKey(text(100)),
  labels: Schema.optionalKey(Labels)
}).annotate({ identifier: "TargetEdit" })

/** A webhook of the monitor. The row contains only the host of the URL, because the complete URL may be a secret. */
export const WebhookRow = Schema.Struct({
  name: Schema.String,
  format: Schema.String,
  host: Schema.String,
  events: Schema.Array(Schema.String),
  /** The groups that the webhook reports. Absent if the webhook reports all groups. */
  groups: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "WebhookRow" })
export type WebhookRow = typeof WebhookRow.Type

/** The result of a test message: whether the receiver accepted it, and the reply of the receiver or an error. */
export const WebhookTest = Schema.Struct({ ok: Schema.Boolean, ...message }).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** The monitor rejects the request for the reason in `message`. */
export class Unfit extends Schema.TaggedError<Unfit>()("Unfit", message, { httpApiStatus: 422 }) {}

/** The monitor has no list of its own. Its targets come from a file or from the command line, and clients cannot change them. */
export class NoList extends Schema.TaggedError<NoList>()("NoList", message, { httpApiStatus: 404 }) {}

/** The request names a webhook that does not exist. */
export class NoWebhook extends Schema.TaggedError<NoWebhook>()("NoWebhook", message, { httpApiStatus: 404 }) {}

/** The request names a number that no mute has. */
export class NoMute extends Schema.TaggedError<NoMute>()("NoMute", message, { httpApiStatus: 404 }) {}

/**
 * The sort keys of the list of targets. Targets without a value are last, in both orders. For `players` and `rttMs`, a server that is not
 * up has no value.
 *
 * `problems` in descending order begins with the servers that are down and not muted. Among these servers, the server that went down last
 * is first. All other servers follow, and the server with the most players is first among them. `findings` in descending order begins with
 * the servers that have the strongest findings.
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

/**
 * The types and bounds of numeric parameters, by the name of the parameter. `/openapi.json` needs this map, because it would otherwise
 * describe these parameters as text.
 */
export const NUMBERS = new Map<string, Readonly<Record<string, unknown>>>()

/**
 * Creates a parameter that is a whole number. If several endpoints have a parameter with this name, its bounds must be the same in all of
 * them.
 */
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
/** A webhook to add. The host of `url` must be a public address. */
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

/** Parameters that select and sort the targets of a list. */
const listQuery = {
  /** Selects targets with this text in the address, the name, the map, the name of the group, or the value of a label. Case is ignored. */
  q: Schema.optionalKey(text(200)),
  /** Selects the target with this complete address. In contrast, `q` also selects targets whose name contains the address. */
  address: Schema.optionalKey(text(300)),
  /**
   * Selects targets in this state. `muted` selects all muted targets, and `unknown`, `up` and `down` select only targets that are not
   * muted.
   */
  state: Schema.optionalKey(Schema.Literals(["unknown", "up", "down", "muted"])),
  group: Schema.optionalKey(Schema.String),
  /** Selects targets that have a finding of at least this strength. */
  findings: Schema.optionalKey(Strength),
  sort: Schema.optionalKey(Schema.Literals(SORTS)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
}
export type ListQuery = Schema.Struct.Type<typeof listQuery>

/** Parameters that select incidents. */
const incidentQuery = {
  from: time("from"),
  to: time("to"),
  target: Schema.optionalKey(whole("target", 0, MOST_ID)),
  group: Schema.optionalKey(Schema.String),
  /** `true` selects only ongoing incidents, and `false` selects only incidents that have ended. */
  ongoing: Schema.optionalKey(Schema.Literals(["true", "false"]))
}

const targets = HttpApiGroup.make("targets").add(
  HttpApiEndpoint.get("overview", "/overview", { success: Overview }),
  /** The status of the runners that share the targets. */
  HttpApiEndpoint.get("fleet", "/fleet", { success: FleetStatus }),
  HttpApiEndpoint.get("list", "/targets", {
    query: {
      ...listQuery,
      offset: Schema.optionalKey(whole("offset", 0, 10_000_000)),
      ...paging
    },
    success: Schema.Struct({ total: Schema.Int, targets: Schema.Array(TargetRow) })
  }),
  /** Adds a target to the monitor's own list. Fails if `adds` in {@link Overview} is `false`. */
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
  /** Queries up to 100 addresses, and returns the results. The addresses are not added to the list. */
  HttpApiEndpoint.post("preview", "/targets/preview", {
    payload: Schema.Struct({ addresses: Addresses }),
    success: Schema.Array(Previewed),
    error: NoList
  }),
  /**
   * Removes a target from the monitor's own list, and returns the values that a client needs to add the target again. The history of the
   * target remains in the store until the retention time ends.
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
  /** Adds a webhook to the monitor's own configuration. Fails if `adds` in {@link Overview} is `false`. */
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
  /** Sends a test message to the receiver of a webhook. The next test of the same webhook is possible after five seconds. */
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
  /** Current and ended findings about a server, the newest first. */
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
      /** The uptimes of each target, by the number of the target. */
      uptime: Schema.Record(Schema.String, Uptimes)
    }),
    error: NoHistory
  }),
  /** Incidents that overlap a period, the newest first. `GET /api/export/incidents` returns the same incidents as CSV and NDJSON. */
  HttpApiEndpoint.get("incidents", "/incidents", {
    query: {
      ...incidentQuery,
      /** The position at which the page begins: the value of `next` in the previous page (default: the start of the list). */
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
  /** The availability report of a period (default: the last 30 days). */
  HttpApiEndpoint.get("report", "/report", {
    query: { from: time("from"), to: time("to"), group: Schema.optionalKey(Schema.String) },
    success: Report,
    error: NoHistory
  }),
  /** The current and future mutes. */
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
      /** Selects changes of this field. */
      field: Schema.optionalKey(ChangedField),
      /**
       * Selects the changes before the change with this id (default: all changes). If there are more than `limit`, the newest of them are
       * returned.
       */
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
  // If a parameter is invalid, the error message with status 400 quotes its value.
  .annotate(HttpApi.ParseOptions, { reportInput: true }) {}
