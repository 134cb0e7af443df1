/** What the form shows when a message is chosen: an example where there is one, so that a form is never a riddle. */
import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { codecOf } from "../analysis/codecs.ts"
import { datagramsOf } from "../examples/examples.ts"
import { type Draft, blankOf } from "./draftFields.ts"

/** By tag; what is not here begins empty. */
const examples: Readonly<Record<string, string>> = {
  InfoRequest: "info-request-with-challenge",
  PlayersRequest: "players-request",
  RulesRequest: "rules-request",
  GetChallengeRequest: "getchallenge-request",
  PingRequest: "ping-request",
  InfoReply: "made-edf",
  GoldSourceInfoReply: "info-goldsource",
  PlayersReply: "players",
  RulesReply: "hltv-rules",
  ChallengeReply: "challenge-reply",
  PingReply: "ping-reply-source",
  PrintReply: "rehlds-rcon-echo",
  ConnectionRejected: "rehlds-reject",
  RconChallengeReply: "rehlds-rcon-challenge",
  RconRequest: "made-rcon",
  HandshakeRequest: "made-handshake-request",
  HandshakeChallenge: "made-handshake",
  ConnectionMessage: "made-connection",
  LogLine: "made-log",
  SecretLogLine: "made-log-secret",
  GoldSourceLogLine: "made-log-goldsource",
  MasterRequest: "made-master-request",
  MasterReply: "made-master",
  UnknownMessage: "hltv-details"
}

/** The fields to begin with, without the tag. */
export const startingPoint = (tag: string): Draft => {
  const datagram = datagramsOf(examples[tag] ?? "")[0]
  const decoded = datagram === undefined ? undefined : decode(datagram.bytes)
  if (decoded !== undefined && Result.isSuccess(decoded) && decoded.success._tag === tag) {
    const { _tag, ...fields } = decoded.success
    return fields
  }
  return blankOf(codecOf(tag)?.declaration.fields ?? [])
}
