/**
 * All messages: for each an interface and a codec of the same name.
 *
 * @example
 * import { ChallengeReply, GoldSourceInfoReply, InfoReply, PingReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
 * import { ConnectionAccepted, ConnectionMessage, ConnectionRejected, ConnectRequest, GetChallengeRequest, GoldSourceLogLine, HandshakeChallenge, HandshakeRequest, InfoRequest, LogLine, MasterReply, MasterRequest, PingRequest, PlayersRequest, PrintReply, RconChallengeReply, RconChallengeRequest, RconRequest, RulesRequest, SecretLogLine, UnknownMessage } from "@sourcewire/protocol/machines"
 * const queries = [InfoRequest, PlayersRequest, RulesRequest, PingRequest, GetChallengeRequest]
 * const replies = [InfoReply, GoldSourceInfoReply, PlayersReply, RulesReply, PingReply, ChallengeReply, PrintReply]
 * const consoles = [RconChallengeRequest, RconChallengeReply, RconRequest, LogLine, SecretLogLine, GoldSourceLogLine]
 * const joining = [HandshakeRequest, HandshakeChallenge, ConnectRequest, ConnectionAccepted, ConnectionRejected]
 * const others = [ConnectionMessage, MasterRequest, MasterReply, UnknownMessage]
 * for (const { declaration, tag } of [...queries, ...replies, ...consoles, ...joining, ...others]) {
 *   console.log(tag, declaration.fields.length)
 * }
 *
 * @module
 */
export * from "./generated/codecs.ts"
