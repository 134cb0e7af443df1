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
import { FleetStatus } from "../fleet/FleetStatus.ts"
import { sourceStatus } from "../sources/FoundList.ts"

export { FleetStatus, Runner, RunnerReport } from "../fleet/FleetStatus.ts"

/** Most targets, or changes, of one page. */
export const MAX_PAGE = 1000

const Milliseconds = Schema.Finite

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
  /** Why the last turn brought no answer. */
  error: Schema.optionalKey(Schema.Struct({ _tag: Schema.String, message: Schema.String }))
}

/** A target at a glance; what a server says is absent until it has answered. */
export const TargetRow = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  group: Schema.String,
  labels: Schema.Record(Schema.String, Schema.String),
  ...known,
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

const ChangedField = Schema.Literals(["state", "name", "map", "version", "full", "joined", "left", "disagreement"])

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
  /** What names it: `configuration`, or the sources that have listed it. */
  sources: Schema.Array(Schema.String),
  answer: Schema.optionalKey(
    Schema.Struct({
      info: Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)]),
      legacy: Schema.optionalKey(toSchema(GoldSourceInfoReply)),
      players: Schema.optionalKey(toSchema(PlayersReply)),
      /** The list of players is empty because nobody plays by INFO, and PLAYER met silence. */
      playersAssumed: Schema.optionalKey(Schema.Literal(true)),
      rules: Schema.optionalKey(toSchema(RulesReply))
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
const ids = Schema.String.check(Schema.isPattern(/^\d{1,9}(,\d{1,9}){0,99}$/))

/** Players of a last day, hour by hour, the hour under way last: the mean, or `null` where nobody was asked or answered. */
export const Days = Schema.Struct({
  /** By the number of the target. */
  players: Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.Finite)))
}).annotate({ identifier: "Days" })
export type Days = typeof Days.Type

/** How targets are in all. */
export const Overview = Schema.Struct({
  targets: Schema.Int,
  up: Schema.Int,
  down: Schema.Int,
  unknown: Schema.Int,
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
  /** Why the store cannot be written; what is shown goes on being true. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Changes and hours that could not be stored. */
  lost: Schema.Int
}).annotate({ identifier: "Overview" })
export type Overview = typeof Overview.Type

const message = { message: Schema.String }

/** There is no such target. */
export class NoTarget extends Schema.TaggedError<NoTarget>()("NoTarget", message, { httpApiStatus: 404 }) {}

/** The store cannot be read now. */
export class NoHistory extends Schema.TaggedError<NoHistory>()("NoHistory", message, { httpApiStatus: 503 }) {}

/** By what the list of targets can be put in order. */
export const SORTS = ["address", "name", "map", "players", "rttMs", "state", "stateAt", "askedAt", "group"] as const

const count = (maximum: number) =>
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum }))
const id = { id: Schema.FiniteFromString.check(Schema.isInt()) }

/** What is wanted of the list of targets. */
const listQuery = {
  /** In the address, the name, the map, the group or a label; without regard to case. */
  q: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
  state: Schema.optionalKey(Schema.Literals(["unknown", "up", "down"])),
  group: Schema.optionalKey(Schema.String),
  sort: Schema.optionalKey(Schema.Literals(SORTS)),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
}
export type ListQuery = Schema.Struct.Type<typeof listQuery>

const targets = HttpApiGroup.make("targets").add(
  HttpApiEndpoint.get("overview", "/overview", { success: Overview }),
  /** The machines that ask. */
  HttpApiEndpoint.get("fleet", "/fleet", { success: FleetStatus }),
  HttpApiEndpoint.get("list", "/targets", {
    query: {
      ...listQuery,
      offset: Schema.optionalKey(count(10_000_000)),
      limit: Schema.optionalKey(count(MAX_PAGE))
    },
    success: Schema.Struct({ total: Schema.Int, targets: Schema.Array(TargetRow) })
  }),
  HttpApiEndpoint.get("sources", "/sources", { success: Schema.Array(SourceRow) }),
  HttpApiEndpoint.get("one", "/targets/:id", { params: id, success: TargetDetail, error: NoTarget }),
  HttpApiEndpoint.get("samples", "/targets/:id/samples", {
    params: id,
    query: {
      from: Schema.optionalKey(Schema.FiniteFromString),
      to: Schema.optionalKey(Schema.FiniteFromString),
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
  HttpApiEndpoint.get("changes", "/changes", {
    query: {
      target: Schema.optionalKey(Schema.FiniteFromString.check(Schema.isInt())),
      /** Only what changed of this. */
      field: Schema.optionalKey(ChangedField),
      /** The newest of those before this one; all newest unless given. */
      before: Schema.optionalKey(Schema.FiniteFromString),
      limit: Schema.optionalKey(count(MAX_PAGE))
    },
    success: Schema.Array(ChangeRow),
    error: NoHistory
  })
)

/** The API. `GET /api/events` stands beside it: see `events.ts`. */
export class Api extends HttpApi.make("sourcewire-monitor").add(targets).prefix("/api") {}
