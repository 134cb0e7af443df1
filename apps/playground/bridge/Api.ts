/**
 * The requests that the page sends: the one description that the bridge's handlers, the page's types and OpenAPI come from. The network in
 * the page answers requests of the same shape.
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

/** Addresses of one list. */
export const MAX_LIST = 5000

const Address = Schema.String.check(Schema.isMaxLength(280))
const Milliseconds = Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 60_000 }))

const Info = Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)])

/** Why something was not answered: an error of the client, without what only programs need. */
export const Failure = Schema.Struct({
  _tag: Schema.String,
  message: Schema.String,
  phase: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String),
  offset: Schema.optionalKey(Schema.Finite)
}).annotate({ identifier: "Failure" })
export type Failure = typeof Failure.Type

/** The bridge may not ask this address. */
export class TargetRefused extends Schema.TaggedError<TargetRefused>()(
  "TargetRefused",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The bridge was started without this. */
export class NotOffered extends Schema.TaggedError<NotOffered>()(
  "NotOffered",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The request makes no sense, or asks for more than there is. */
export class Unusable extends Schema.TaggedError<Unusable>()(
  "Unusable",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Answers with {@link Unusable} and a sentence where a request does not have the form that its route describes. */
export class FormChecked extends HttpApiMiddleware.Service<FormChecked>()("@sourcewire/playground/FormChecked", {
  error: Unusable
}) {}

export const Status = Schema.Struct({
  rcon: Schema.Boolean,
  /** Password of the emulated servers' consoles, which reach no further than loopback; absent where they have none. */
  emulatedPassword: Schema.optionalKey(Schema.String),
  emulate: Schema.Boolean,
  /** Empty when any address may be asked. */
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

/** The round trip is a guess. */
const rttAmbiguous = Schema.optionalKey(Schema.Literal(true))

/** The headline of a server: as much of `summary` of `@sourcewire/games` as the page shows. */
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

/** Everything that a query can bring. */
export const Answer = Schema.Struct({
  rttMs: Schema.Finite,
  rttAmbiguous,
  info: Schema.optionalKey(Info),
  /** Present if INFO is. */
  summary: Schema.optionalKey(Headline),
  players: Schema.optionalKey(toSchema(PlayersReply)),
  /** The list of players is empty because nobody plays by INFO, and PLAYER met silence. */
  playersAssumed: Schema.optionalKey(Schema.Literal(true)),
  rules: Schema.optionalKey(toSchema(RulesReply)),
  challenge: Schema.optionalKey(toSchema(ChallengeReply)),
  errors: Schema.optionalKey(Schema.Record(Schema.String, Failure))
}).annotate({ identifier: "Answer" })
export type Answer = typeof Answer.Type

/** What happens while one server is asked, as it happens. */
export const AskEvent = Schema.Union([
  Schema.TaggedStruct("Datagram", {
    direction: Schema.Literals(["sent", "received"]),
    hex: Schema.String,
    remote: Schema.String,
    /** Since the query began. */
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
  /** Present if INFO is. */
  summary: Schema.optionalKey(Headline),
  error: Schema.optionalKey(Failure)
}

/** One look at a watched server; the time is that since the watch began. */
export const Sample = Schema.Struct({
  timeMs: Schema.Finite,
  /** Requests that were sent again; absent for none. */
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
  /** Kinds of requests that get replies which the user wrote. */
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

/** The last event of a stream that something else than itself ended. */
export const Ended = Schema.TaggedStruct("Ended", { message: Schema.String }).annotate({ identifier: "Ended" })
export type Ended = typeof Ended.Type

/** A stream of events, whose last one may say why there are no more. */
const streamOf = <A, I>(event: Schema.Codec<A, I>) =>
  HttpApiSchema.StreamSse({ data: Schema.toCodecJson(Schema.Union([event, Ended])) })

const queries = HttpApiGroup.make("queries").add(
  HttpApiEndpoint.get("status", "/status", { success: Status }),
  HttpApiEndpoint.post("ask", "/ask", {
    payload: AskRequest,
    success: streamOf(AskEvent),
    error: TargetRefused
  }),
  HttpApiEndpoint.post("watch", "/watch", {
    payload: Schema.Struct({ address: Address, intervalMs: Milliseconds }),
    success: streamOf(Sample),
    error: TargetRefused
  }),
  HttpApiEndpoint.post("list", "/list", {
    payload: Schema.Struct({ addresses: Schema.Array(Address).check(Schema.isBetweenLength(1, MAX_LIST)) }),
    success: streamOf(Schema.Array(ListResult))
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
    success: streamOf(RconEvent),
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
