/**
 * The requests that the page sends. The bridge's handlers, the page's types and the OpenAPI description are derived from this module. The
 * network in the page accepts the same requests.
 */
import { ChallengeReply, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { toSchema } from "@sourcewire/protocol/schemas"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { GivenReplies } from "../engine/GivenReply.ts"
import { MAX_EMULATED } from "../engine/limits.ts"

/** Maximum number of addresses in one list. */
export const MAX_LIST = 5000

const Address = Schema.String.check(Schema.isMaxLength(280))
const Milliseconds = Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 60_000 }))

const Info = Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)])

/** An error of the client, with the fields that the page shows. */
export const Failure = Schema.Struct({
  _tag: Schema.String,
  message: Schema.String,
  phase: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String),
  offset: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Failure" })
export type Failure = typeof Failure.Type

/** The bridge is not allowed to query this address. */
export class TargetRefused extends Schema.TaggedError<TargetRefused>()(
  "TargetRefused",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The bridge was started without this feature. */
export class NotOffered extends Schema.TaggedError<NotOffered>()(
  "NotOffered",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The request is invalid, or exceeds a limit. */
export class Unusable extends Schema.TaggedError<Unusable>()(
  "Unusable",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Responds with {@link Unusable} and a message if a request does not match the schema of its route. */
export class FormChecked extends HttpApiMiddleware.Service<FormChecked>()("@sourcewire/playground/FormChecked", {
  error: Unusable
}) {}

export const Status = Schema.Struct({
  rcon: Schema.Boolean,
  /** Password of the emulated servers' consoles, which are on loopback only; absent if they have no consoles. */
  emulatedPassword: Schema.optionalKey(Schema.String),
  emulate: Schema.Boolean,
  /** The addresses that may be queried; empty if all addresses may be queried. */
  allow: Schema.Array(Schema.String),
  profiles: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  faults: Schema.Array(Schema.Struct({ name: Schema.String, takes: Schema.String, description: Schema.String }))
}).annotate({ identifier: "Status" })
export type Status = typeof Status.Type

export const Kind = Schema.Literals(["info", "players", "rules", "query", "ping", "challenge"])
export type Kind = typeof Kind.Type

const AskRequest = Schema.Struct({
  address: Address,
  kind: Kind,
  timeoutMs: Schema.optionalKey(Milliseconds),
  retries: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })))
}).annotate({ identifier: "AskRequest" })

/** The round-trip time is ambiguous. */
const rttAmbiguous = Schema.optionalKey(Schema.Literal(true))

/** The summary of a server: the part of `summary` of `@sourcewire/games` that the page shows. */
export const Headline = Schema.Struct({
  game: Schema.String,
  name: Schema.String,
  map: Schema.String,
  mode: Schema.NullOr(Schema.String),
  players: Schema.Finite,
  bots: Schema.Finite,
  queue: Schema.NullOr(Schema.Finite),
  maxPlayers: Schema.Finite,
  version: Schema.NullOr(Schema.String),
  password: Schema.Boolean
}).annotate({ identifier: "Headline" })
export type Headline = typeof Headline.Type

/** The results of a query of any kind. Fields for which the query has no result are absent. */
export const Answer = Schema.Struct({
  rttMs: Schema.Finite,
  rttAmbiguous,
  info: Schema.optionalKey(Info),
  /** Present if there is an INFO reply. */
  summary: Schema.optionalKey(Headline),
  players: Schema.optionalKey(toSchema(PlayersReply)),
  /** The list of players is assumed to be empty: INFO reports no players, and PLAYER timed out. */
  playersAssumed: Schema.optionalKey(Schema.Literal(true)),
  rules: Schema.optionalKey(toSchema(RulesReply)),
  challenge: Schema.optionalKey(toSchema(ChallengeReply)),
  errors: Schema.optionalKey(Schema.Record(Schema.String, Failure))
}).annotate({ identifier: "Answer" })
export type Answer = typeof Answer.Type

/** Events of the query of one server, sent as they occur. */
export const AskEvent = Schema.Union([
  Schema.TaggedStruct("Datagram", {
    direction: Schema.Literals(["sent", "received"]),
    hex: Schema.String,
    remote: Schema.String,
    /** Time since the query began. */
    timeMs: Schema.Finite
  }),
  Schema.TaggedStruct("Answered", { answer: Answer }),
  Schema.TaggedStruct("Failed", { error: Failure })
]).annotate({ identifier: "AskEvent" })
export type AskEvent = typeof AskEvent.Type

const look = {
  rttMs: Schema.optionalKey(Schema.Finite),
  rttAmbiguous,
  info: Schema.optionalKey(Info),
  /** Present if `info` is present. */
  summary: Schema.optionalKey(Headline),
  error: Schema.optionalKey(Failure)
}

/** One query of a watched server. The time is counted from the start of the watch. */
export const Sample = Schema.Struct({
  timeMs: Schema.Finite,
  /** Number of retransmitted requests; absent if it is 0. */
  retransmissions: Schema.optionalKey(Schema.Finite),
  ...look
}).annotate({ identifier: "Sample" })
export type Sample = typeof Sample.Type

export const ListResult = Schema.Struct({ target: Schema.String, ...look }).annotate({ identifier: "ListResult" })
export type ListResult = typeof ListResult.Type

export const RconEvent = Schema.Union([
  Schema.TaggedStruct("Connected", { engine: Schema.String }),
  Schema.TaggedStruct("Text", { text: Schema.String }),
  Schema.TaggedStruct("Failed", { error: Failure }),
  Schema.TaggedStruct("Done", {})
]).annotate({ identifier: "RconEvent" })
export type RconEvent = typeof RconEvent.Type

export const Emulated = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  profile: Schema.String,
  faults: Schema.Array(Schema.String),
  /** Kinds of requests for which the user has given replies. */
  serves: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "Emulated" })
export type Emulated = typeof Emulated.Type

const StartRequest = Schema.Struct({
  profile: Schema.String,
  faults: Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(Schema.isMaxLength(32)),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_EMULATED })),
  replies: Schema.optionalKey(GivenReplies)
}).annotate({ identifier: "StartRequest" })
export type StartRequest = typeof StartRequest.Type

/** The last event of a stream that was ended early. */
export const Ended = Schema.TaggedStruct("Ended", { message: Schema.String }).annotate({ identifier: "Ended" })
export type Ended = typeof Ended.Type

/** A stream of events. If the stream ended early, the last event contains the reason. */
const eventStream = <A, I>(event: Schema.Codec<A, I>) =>
  HttpApiSchema.StreamSse({ data: Schema.toCodecJson(Schema.Union([event, Ended])) })

const queries = HttpApiGroup.make("queries").add(
  HttpApiEndpoint.get("status", "/status", { success: Status }),
  HttpApiEndpoint.post("ask", "/ask", {
    payload: AskRequest,
    success: eventStream(AskEvent),
    error: TargetRefused
  }),
  HttpApiEndpoint.post("watch", "/watch", {
    payload: Schema.Struct({ address: Address, intervalMs: Milliseconds }),
    success: eventStream(Sample),
    error: TargetRefused
  }),
  HttpApiEndpoint.post("list", "/list", {
    payload: Schema.Struct({ addresses: Schema.Array(Address).check(Schema.isBetweenLength(1, MAX_LIST)) }),
    success: eventStream(Schema.Array(ListResult))
  })
)

const console = HttpApiGroup.make("console").add(
  HttpApiEndpoint.post("exec", "/rcon", {
    payload: Schema.Struct({
      address: Address,
      password: Schema.Redacted(Schema.String.check(Schema.isMaxLength(512))),
      command: Schema.String.check(Schema.isMaxLength(4096)),
      engine: Schema.optionalKey(Schema.Literals(["auto", "source", "goldsource", "quake"]))
    }),
    success: eventStream(RconEvent),
    error: [TargetRefused, NotOffered]
  })
)

const servers = HttpApiGroup.make("servers").add(
  HttpApiEndpoint.get("running", "/servers", { success: Schema.Array(Emulated) }),
  HttpApiEndpoint.post("start", "/servers", {
    payload: StartRequest,
    success: Schema.Array(Emulated),
    error: [NotOffered, Unusable]
  }),
  HttpApiEndpoint.delete("stop", "/servers", { success: Schema.Array(Emulated) }),
  HttpApiEndpoint.delete("stopOne", "/servers/:id", { params: { id: Schema.String }, success: Schema.Array(Emulated) })
)

export class Api extends HttpApi.make("sourcewire-playground")
  .add(queries)
  .add(console)
  .add(servers)
  .middleware(FormChecked)
  .prefix("/api") {}
