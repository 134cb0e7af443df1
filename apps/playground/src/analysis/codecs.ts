/**
 * Every message of the protocol, in the order in which the page offers them.
 *
 * @module
 */
import {
  ChallengeReply,
  type Codec,
  ConnectionAccepted,
  ConnectionMessage,
  ConnectionRejected,
  ConnectRequest,
  GetChallengeRequest,
  GoldSourceInfoReply,
  GoldSourceLogLine,
  HandshakeChallenge,
  HandshakeRequest,
  InfoReply,
  InfoRequest,
  LogLine,
  MasterReply,
  MasterRequest,
  type Message,
  PingReply,
  PingRequest,
  PlayersReply,
  PlayersRequest,
  PrintReply,
  RconChallengeReply,
  RconChallengeRequest,
  RconRequest,
  RulesReply,
  RulesRequest,
  SecretLogLine,
  UnknownMessage
} from "@sourcewire/protocol"

/** A codec whose message is one of all. */
export type AnyCodec = Codec<Message>

/** All codecs, grouped as people look for them. */
export const codecGroups: ReadonlyArray<{ readonly title: string; readonly codecs: ReadonlyArray<AnyCodec> }> = [
  {
    title: "Queries",
    codecs: [
      InfoRequest,
      PlayersRequest,
      RulesRequest,
      GetChallengeRequest,
      PingRequest
    ] as unknown as ReadonlyArray<AnyCodec>
  },
  {
    title: "Replies",
    codecs: [
      InfoReply,
      GoldSourceInfoReply,
      PlayersReply,
      RulesReply,
      ChallengeReply,
      PingReply,
      PrintReply
    ] as unknown as ReadonlyArray<AnyCodec>
  },
  {
    title: "Remote console",
    codecs: [RconChallengeRequest, RconChallengeReply, RconRequest] as unknown as ReadonlyArray<AnyCodec>
  },
  {
    title: "Joining a game",
    codecs: [
      HandshakeRequest,
      HandshakeChallenge,
      ConnectRequest,
      ConnectionAccepted,
      ConnectionRejected,
      ConnectionMessage
    ] as unknown as ReadonlyArray<AnyCodec>
  },
  { title: "Logs", codecs: [LogLine, SecretLogLine, GoldSourceLogLine] as unknown as ReadonlyArray<AnyCodec> },
  { title: "Master server", codecs: [MasterRequest, MasterReply] as unknown as ReadonlyArray<AnyCodec> },
  { title: "Anything else", codecs: [UnknownMessage] as unknown as ReadonlyArray<AnyCodec> }
]

const byTag = new Map(codecGroups.flatMap(({ codecs }) => codecs).map((codec) => [codec.tag, codec]))

/** The codec of a message by its `_tag`. */
export const codecOf = (tag: string): AnyCodec | undefined => byTag.get(tag)
