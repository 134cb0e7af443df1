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

/**
 * A text in a request, of up to `most` characters. If a client sends a longer text, the reply has status 400, and its message contains the
 * value of `most`.
 */
const text = (most: number) =>
  Schema.String.check(Schema.isMaxLength(most, { expected: `text of up to ${most} characters` }))

/** The state of a target, and the result of its last check. */
const known = {
  state: Schema.Literals(["unknown", "up", "down"]),
  /** When the state of the target changed to the value of `state`. */
  stateAt: Schema.optionalKey(Milliseconds),
  /** Number of consecutive failed checks. */
  failures: Schema.Int,
  askedAt: Schema.optionalKey(Milliseconds),
  answeredAt: Schema.optionalKey(Milliseconds),
  rttMs: Schema.optionalKey(Schema.Finite),
  /**
   * Present if the request was retransmitted, and the reply may belong to any of its transmissions. In this case, `rttMs` is the most
   * likely round-trip time, and is not included in a {@link Sample}.
   */
  rttAmbiguous: Schema.optionalKey(Schema.Literal(true)),
  /** The error of the last check; absent if the server replied. */
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}

/**
 * The mute or the maintenance window that currently mutes a target. The monitor sends no alerts about a muted target, and its muted time
 * does not affect its availability.
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

/** The uptimes of a target in the last 24 hours, and in the last 7, 30 and 90 days. Each period begins at a full hour. */
export const Uptimes = Schema.Struct({ "24h": Uptime, "7d": Uptime, "30d": Uptime, "90d": Uptime }).annotate({
  identifier: "Uptimes"
})
export type Uptimes = typeof Uptimes.Type

/**
 * How strongly a finding suggests that the server reports false facts. A `strong` finding is not caused by any legitimate set-up that is
 * known. A `medium` finding can be caused by some legitimate set-ups, and a `weak` finding by many legitimate set-ups.
 */
const Strength = Schema.Literals(["strong", "medium", "weak"])

/**
 * A target in the list of targets. Values such as `name` and `players` come from a reply of the server, and are absent until the server has
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
   * The values before and after the change. For `joined` and `left`, `to` contains a JSON array with the names of the players who joined or
   * left. For `disagreement`, `to` contains the state at each location, or is empty if all locations report the same state again.
   */
  from: Schema.String,
  to: Schema.String
}).annotate({ identifier: "ChangeRow" })
export type ChangeRow = typeof ChangeRow.Type

/** A finding: the server reports facts that contradict each other. This is not a proof of cheating. */
export const FindingRow = Schema.Struct({
  kind: Schema.String,
  strength: Strength,
  /** A sentence that describes what the monitor observed. */
  observed: Schema.String,
  /** A sentence that describes what a real game server would report. */
  expected: Schema.String,
  /** Sentences that describe legitimate set-ups of real servers. Each of these set-ups can cause the finding. */
  honest: Schema.Array(Schema.String),
  /** When the finding was first observed. */
  from: Milliseconds,
  /** When the finding was last observed. */
  seenAt: Milliseconds,
  /** When the finding ended; absent while the finding applies. */
  to: Schema.optionalKey(Milliseconds)
}).annotate({ identifier: "FindingRow" })
export type FindingRow = typeof FindingRow.Type

/** The source of a value: a reply to an A2S query (`a2s`), or the server's console (`rcon`). */
const ValueSource = Schema.optionalKey(Schema.Literals(["a2s", "rcon"]))

/** A player on the server. `sources` contains the source of each value. */
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
  /** The uptimes of the target. Absent if the store cannot be read now, or if the monitor stores no history. */
  uptime: Schema.optionalKey(Uptimes),
  /**
   * The origins of the target: the names of the sources that list the target, and `configuration` if the configuration contains the target.
   */
  sources: Schema.Array(Schema.String),
  answer: Schema.optionalKey(
    Schema.Struct({
      info: Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)]),
      legacy: Schema.optionalKey(toSchema(GoldSourceInfoReply)),
      players: Schema.optionalKey(toSchema(PlayersReply)),
      /**
       * Present if the server reported 0 players in its reply to A2S_INFO and did not reply to A2S_PLAYER. Then the list of players is
       * assumed to be empty.
       */
      playersAssumed: Schema.optionalKey(Schema.Literal(true)),
      rules: Schema.optionalKey(toSchema(RulesReply)),
      /** The query port at which the server replied. Present if the target names a game with several possible query ports. */
      queryPort: Schema.optionalKey(Schema.Int)
    })
  ),
  /**
   * Present if three conditions are true: the group has `rconPasswordFile`, the instance that sends this reply also queries the server, and
   * the server reports players.
   */
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
  /** The number of servers that are monitored because of this source, but are missing from the source's last list. */
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
 * The history of targets in the last 24 hours, by the number of the target. Each array contains one element per hour. The last element is
 * about the current hour.
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

/** A period in which a server was down. The incident begins with the first failed check, and ends when the server replies again. */
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
   * The time from the start of the incident to its end. If the incident is ongoing, this is the time from its start to now. Absent if the
   * incident has ended, but the time of its end is unknown.
   */
  durationMs: Schema.optionalKey(Milliseconds),
  /** The tag of the error that changed the state to `down`, for example `Timeout`. */
  reason: Schema.String,
  /** The message of the error that changed the state to `down`. */
  message: Schema.String,
  /** The player count in the last reply before the incident. */
  players: Schema.optionalKey(Schema.Int),
  /** The map in the last reply before the incident. */
  map: Schema.optionalKey(Schema.String),
  /** Whether the server was muted when its state became `down`. */
  isMuted: Schema.Boolean,
  /**
   * For each location: the last error that the location had observed when the state of the server became `down`. Present if the group of
   * the server requires several locations, or names the locations.
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
  /** The number of incidents. Incidents that were noticed while the server was muted are not counted. */
  incidents: Schema.Int,
  /** The duration of the longest counted incident. Only the part of an incident that is within the period is measured. */
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
 * The availability of all servers in a period, by group. The period begins at a full hour. If the period includes the current hour, it ends
 * now, otherwise at a full hour. In each group, the servers are sorted by availability, and the lowest availability is first.
 */
export const Report = Schema.Struct({
  from: Milliseconds,
  to: Milliseconds,
  groups: Schema.Array(Schema.Struct({ group: Schema.String, ...figures, servers: Schema.Array(ReportRow) }))
}).annotate({ identifier: "Report" })
export type Report = typeof Report.Type

/** A mute. Between `from` and `until`, the monitor sends no alerts about a server, or about all servers of a group. */
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

/**
 * A mute to add. A request that mutes one server contains `address`. A request that mutes all servers of a group contains `group`. A
 * request with both or with neither of these fields is rejected.
 */
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
  /** Whether the monitor stores history. An exporter is a monitor that stores no history. */
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
  /** Groups whose status page needs no password and can be embedded in other websites. */
  publicStatus: Schema.Array(Schema.String),
  /**
   * A message for users that the store cannot be written. Absent if the store can be written. The current states of the targets are correct
   * in both cases.
   */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Messages for the operator. Each message is about a source whose last list was rejected. Absent if there are no such sources. */
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

/** A target to add, for example `{ "address": "192.0.2.10:27015" }`. */
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
  /** The name of the group (default: `mine`). */
  group: Schema.optionalKey(GroupName),
  /** Labels that are added to the labels of the group. */
  labels: Schema.optionalKey(Labels),
  /** Names for the servers, by address. The monitor shows these names instead of the names that the servers report. */
  names: Schema.optionalKey(Schema.Record(Schema.String, text(100)))
}).annotate({ identifier: "NewTargets" })

/** The addresses that were added, and the addresses that were rejected. For each rejected address, `message` contains the reason. */
export const AddedTargets = Schema.Struct({
  added: Schema.Array(Schema.Struct({ text: Schema.String, address: Schema.String })),
  rejected: Schema.Array(Schema.Struct({ text: Schema.String, ...message }))
}).annotate({ identifier: "AddedTargets" })
export type AddedTargets = typeof AddedTargets.Type

/** The result of a query that a client requests before it adds an address. */
export const Previewed = Schema.Struct({
  text: Schema.String,
  /** The address in `text`. Absent if `text` contains no address that can be queried. */
  address: Schema.optionalKey(Schema.String),
  /** Whether the monitor already has a target with this address. */
  isKnown: Schema.Boolean,
  /** If `address` is absent, or the server did not reply, this is the reason. */
  message: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  map: Schema.optionalKey(Schema.String),
  players: Schema.optionalKey(Schema.Int),
  maxPlayers: Schema.optionalKey(Schema.Int),
  rttMs: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Previewed" })
export type Previewed = typeof Previewed.Type

/** The server that was removed. To undo the removal, a client sends `NewTargets` with the value of `text` in `addresses`. */
export const RemovedTarget = Schema.Struct({
  text: Schema.String,
  group: Schema.String,
  name: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RemovedTarget" })
export type RemovedTarget = typeof RemovedTarget.Type

/**
 * New settings of a server. Settings that are absent do not change. If `name` is empty, the monitor shows the name that the server reports.
 * `labels` replaces all labels of the server's group, and therefore also affects the other servers of the group.
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

/**
 * The result of a test message. `ok` is `true` if the receiver accepted the message. `message` contains the status of the receiver's reply,
 * or the reason why there was no reply.
 */
export const WebhookTest = Schema.Struct({ ok: Schema.Boolean, ...message }).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** The monitor rejects the request. `message` contains the reason. */
export class Unfit extends Schema.TaggedError<Unfit>()("Unfit", message, { httpApiStatus: 422 }) {}

/** The monitor has no list that clients can change, because its targets come from a file or from the command line. */
export class NoList extends Schema.TaggedError<NoList>()("NoList", message, { httpApiStatus: 404 }) {}

/** The request names a webhook that does not exist. */
export class NoWebhook extends Schema.TaggedError<NoWebhook>()("NoWebhook", message, { httpApiStatus: 404 }) {}

/** The request names a number that no mute has. */
export class NoMute extends Schema.TaggedError<NoMute>()("NoMute", message, { httpApiStatus: 404 }) {}

/**
 * The sort keys of the list of targets. In ascending and in descending order, targets without a value for the sort key are last. Only
 * servers that are up have a value for `players` and `rttMs`.
 *
 * In descending order, `problems` begins with the servers that are down and not muted, and the server that went down last is the first of
 * these servers. Then all other servers follow, and the server with the most players is the first of them. In descending order, `findings`
 * begins with the servers that have the strongest findings.
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
 * The types and bounds of numeric parameters, by the name of the parameter. The module that builds `/openapi.json` uses this map. Without
 * this map, that module would describe numeric parameters as text, because parameters are text in a URL.
 */
export const NUMBERS = new Map<string, Readonly<Record<string, unknown>>>()

/**
 * Creates a parameter that is a whole number. If several endpoints have a parameter with the same name, these parameters must also have the
 * same bounds.
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
  /** Selects targets whose address, name, map, group name or label value contains this text. The search ignores case. */
  q: Schema.optionalKey(text(200)),
  /** Selects the target with exactly this address. In contrast, `q` selects all targets whose address or name contains the text. */
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
  /** Queries up to 100 addresses, and returns the results. The monitor does not add these addresses to its list. */
  HttpApiEndpoint.post("preview", "/targets/preview", {
    payload: Schema.Struct({ addresses: Addresses }),
    success: Schema.Array(Previewed),
    error: NoList
  }),
  /**
   * Removes a target from the monitor's own list. The reply contains the values that a client needs to add the target again. The history of
   * the target remains in the store until its retention time ends.
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
  /** All findings about a server that are in the store, the newest first. Some of these findings may have ended. */
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
  /** Incidents that overlap a period, the newest first. To export these incidents as CSV or NDJSON, use `GET /api/export/incidents`. */
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
       * Selects the changes that are older than the change with this id (default: all changes). If there are more of these changes than
       * `limit`, the reply contains only the newest of them.
       */
      before: Schema.optionalKey(whole("before", 0, Number.MAX_SAFE_INTEGER)),
      ...paging
    },
    success: Schema.Array(ChangeRow),
    error: NoHistory
  })
)

/** The description of the API, without the event stream `GET /api/events`. See `events.ts` for the event stream. */
export class Api extends HttpApi.make("sourcewire-monitor")
  .add(targets)
  .prefix("/api")
  // If a parameter is invalid, the error message with status 400 quotes its value.
  .annotate(HttpApi.ParseOptions, { reportInput: true }) {}
