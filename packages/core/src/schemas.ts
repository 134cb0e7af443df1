/**
 * Schemas of the results and errors that the API returns. Programs need these schemas to send results over RPC, or to store results in a
 * queue, a file or a database. The main entry does not export the schemas, because `effect/Schema` is larger than the code of a client.
 * When you decode an error, you get an instance of the error's class.
 *
 * @example
 * import { errors, results } from "@sourcewire/core/schemas"
 * import * as Schema from "effect/Schema"
 * import * as Rpc from "effect/rpc/Rpc"
 * const Info = Rpc.make("Info", { payload: { address: Schema.String }, success: results.info, error: errors.ClientError })
 * console.log(Info._tag, Schema.is(results.scan.info)({}))
 *
 * @module
 */
import { ChallengeReply, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import {
  ConnectionRejected,
  CsgoHandshakeChallenge,
  GoldSourceHandshakeChallenge,
  HandshakeChallenge
} from "@sourcewire/protocol/wire"
import { toSchema } from "@sourcewire/protocol/schemas"
import * as Schema from "effect/Schema"
import { Count, errors, of, Text, True } from "./errorSchemas.ts"
import type { AddressInput, Answer, PingAnswer, Replies, ServerAnswer } from "./client/ClientShape.ts"
import type { HandshakeAnswer } from "./handshake/HandshakeExchange.ts"
import type { LogOrigin } from "./log/LogPosts.ts"
import type { LogEntry } from "./log/LogStream.ts"
import type { MasterPage } from "./master/MasterPaging.ts"
import type { Pong } from "./query/Query.ts"
import type { Failed, ScanParts, ScanQuery, ScanResult } from "./scan/ScanResult.ts"

export { errors }

/** The fields of a result. Every field must have a schema, including optional fields, because decoding drops fields without a schema. */
type Fields<A> = { readonly [K in keyof A]-?: unknown }

const roundTrip = { rttMs: Schema.Number, rttAmbiguous: Schema.optionalKey(True) }
const traffic = { ...roundTrip, sent: Count, received: Count }
const legacy = Schema.optionalKey(toSchema(GoldSourceInfoReply))
const host = { address: Text, port: Count }

const infoReply = Schema.Union([toSchema(InfoReply), toSchema(GoldSourceInfoReply)])
const playersReply = toSchema(PlayersReply)
const rulesReply = toSchema(RulesReply)
const challengeReply = toSchema(ChallengeReply)

const pong = { via: Schema.Literals(["ping", "info"]), payload: Schema.optionalKey(Text) }

/** Schemas of the fields of a result: INFO, and the replies to the queries that follow INFO. */
const replies = {
  info: infoReply,
  legacy,
  players: Schema.optionalKey(playersReply),
  playersAssumed: Schema.optionalKey(True),
  rules: Schema.optionalKey(rulesReply),
  errors: Schema.optionalKey(
    Schema.Struct({ players: Schema.optionalKey(errors.QueryError), rules: Schema.optionalKey(errors.QueryError) })
  )
}

const answer = <A>(value: Schema.Codec<A, unknown>) =>
  Schema.Struct({ value, legacy, ...traffic } satisfies Fields<Answer<A>>) as Schema.Codec<Answer<A>, unknown>

const target = of<AddressInput>(
  Schema.Union([Text, Schema.Struct({ host: Text, port: Count, family: Schema.optionalKey(Schema.Literals([4, 6])) })])
)

const scanResult = <Q extends ScanQuery>(parts: Schema.Struct.Fields): Schema.Codec<ScanResult<Q>, unknown> =>
  Schema.Union([
    Schema.TaggedStruct("Answered", { target, ...host, ...traffic, ...parts }),
    Schema.TaggedStruct("Failed", {
      target,
      address: Schema.optionalKey(Text),
      port: Schema.optionalKey(Count),
      error: Schema.Union([errors.QueryError, errors.InvalidAddress, errors.Excluded]),
      sent: Count,
      received: Count
    } satisfies Fields<Omit<Failed, "_tag">>)
  ]) as Schema.Codec<ScanResult<Q>, unknown>

const time = Schema.Struct({
  year: Count,
  month: Count,
  day: Count,
  hour: Count,
  minute: Count,
  second: Count,
  millisecond: Schema.optionalKey(Count)
})

const origin = {
  token: Schema.optionalKey(Text),
  instance: Schema.optionalKey(Text),
  address: Schema.optionalKey(Text),
  steamId: Schema.optionalKey(Text),
  map: Schema.optionalKey(Text),
  state: Schema.optionalKey(Text)
} satisfies Fields<LogOrigin>

/** The schemas of results: for each method of a client, for each query of a scan, for log lines, and for the pages of a master server. */
export const results = {
  info: of<Replies["info"]>(infoReply),
  players: playersReply,
  rules: rulesReply,
  challenge: challengeReply,
  ping: of<PingAnswer>(Schema.Struct({ ...pong, ...traffic } satisfies Fields<PingAnswer>)),
  query: of<ServerAnswer>(Schema.Struct({ ...replies, ...traffic } satisfies Fields<ServerAnswer>)),
  handshake: of<HandshakeAnswer>(
    Schema.Struct({
      reply: Schema.Union([
        toSchema(HandshakeChallenge),
        toSchema(CsgoHandshakeChallenge),
        toSchema(GoldSourceHandshakeChallenge),
        toSchema(ConnectionRejected),
        challengeReply
      ]),
      form: Schema.optionalKey(Schema.Literals(["source", "csgo", "goldsource"])),
      authProtocol: Schema.optionalKey(Count),
      authProtocolName: Schema.optionalKey(Schema.Literals(["certificate", "hashed-cd-key", "steam"])),
      steamId: Schema.optionalKey(Text),
      vac: Schema.optionalKey(Schema.Boolean),
      lobbyType: Schema.optionalKey(Text),
      passwordRequired: Schema.optionalKey(Schema.Boolean),
      redirect: Schema.optionalKey(Text),
      clientChallenge: Schema.optionalKey(Count),
      ...traffic
    } satisfies Fields<HandshakeAnswer>)
  ),
  ask: {
    info: answer<Replies["info"]>(infoReply),
    players: answer(playersReply),
    rules: answer(rulesReply),
    challenge: answer(challengeReply),
    ping: answer<Pong>(Schema.Struct(pong))
  } satisfies { readonly [K in keyof Replies]: Schema.Codec<Answer<Replies[K]>, unknown> },
  scan: {
    info: scanResult<"info">({ info: infoReply, legacy } satisfies Fields<ScanParts["info"]>),
    players: scanResult<"players">({ players: playersReply } satisfies Fields<ScanParts["players"]>),
    rules: scanResult<"rules">({ rules: rulesReply } satisfies Fields<ScanParts["rules"]>),
    all: scanResult<"all">(replies satisfies Fields<ScanParts["all"]>)
  } satisfies { readonly [Q in ScanQuery]: Schema.Codec<ScanResult<Q>, unknown> },
  logEntry: of<LogEntry>(
    Schema.Struct({
      time: Schema.optionalKey(time),
      text: Text,
      format: Schema.Literals(["source", "goldsource"]),
      line: Text,
      lineHex: Schema.optionalKey(Text),
      sender: Schema.Struct(host),
      receivedAtMs: Schema.Number,
      origin: Schema.optionalKey(Schema.Struct(origin)),
      missedBytes: Schema.optionalKey(Count)
    } satisfies Fields<LogEntry>)
  ),
  masterPage: of<MasterPage>(
    Schema.Struct({
      number: Count,
      seed: Text,
      servers: Schema.Array(Text),
      duplicates: Count,
      end: Schema.optionalKey(Schema.Literals(["complete", "unconfirmed", "empty", "loop", "silence", "limit"]))
    } satisfies Fields<MasterPage>)
  )
}
