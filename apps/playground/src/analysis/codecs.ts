/** Every message of the protocol, in the order in which the page offers them. */
import type { Message } from "@sourcewire/protocol"
import type { Codec, Declaration } from "@sourcewire/protocol/machines"
import * as P from "@sourcewire/protocol/machines"

/** A codec whose message is one of all, and what is to be said of it. */
export interface AnyCodec extends Codec<Message> {
  readonly declaration: Declaration
}

const group = (title: string, ...codecs: ReadonlyArray<unknown>) => ({
  title,
  codecs: (codecs as ReadonlyArray<Codec<Message>>).map((codec): AnyCodec => ({
    ...codec,
    declaration: P.declarationOf(codec.tag)!
  }))
})

/** All codecs, grouped as people look for them. */
export const codecGroups = [
  group("Queries", P.InfoRequest, P.PlayersRequest, P.RulesRequest, P.GetChallengeRequest, P.PingRequest),
  group(
    "Replies",
    P.InfoReply,
    P.GoldSourceInfoReply,
    P.PlayersReply,
    P.RulesReply,
    P.ChallengeReply,
    P.PingReply,
    P.PrintReply
  ),
  group("Remote console", P.RconChallengeRequest, P.RconChallengeReply, P.RconRequest),
  group(
    "Joining a game",
    P.HandshakeRequest,
    P.HandshakeChallenge,
    P.ConnectRequest,
    P.ConnectionAccepted,
    P.ConnectionRejected,
    P.ConnectionMessage
  ),
  group("Logs", P.LogLine, P.SecretLogLine, P.GoldSourceLogLine),
  group("Master server", P.MasterRequest, P.MasterReply),
  group("Anything else", P.UnknownMessage)
]

const byTag = new Map(codecGroups.flatMap(({ codecs }) => codecs).map((codec) => [codec.tag, codec]))

/** The codec of a message by its `_tag`. */
export const codecOf = (tag: string): AnyCodec | undefined => byTag.get(tag)
