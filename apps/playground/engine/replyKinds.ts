/** Kinds of requests by the replies that only they get. */
import type { Message } from "@sourcewire/protocol"
import type { GivenReply } from "./GivenReply.ts"

export const BY_REPLY: Readonly<Partial<Record<Message["_tag"], GivenReply["request"]>>> = {
  InfoReply: "info",
  GoldSourceInfoReply: "info",
  PlayersReply: "players",
  RulesReply: "rules",
  PingReply: "ping"
}
