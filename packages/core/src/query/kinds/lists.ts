/** A2S_PLAYER and A2S_RULES: the queries for lists. */
import { type GoldSourceInfoReply, type InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { MessageType, REQUESTS } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { demand, isObject, readable } from "../../edge.ts"
import type { Alternate, Query } from "./kind.ts"

/** Requests a challenge by GETCHALLENGE, because old engines send challenges only in reply to GETCHALLENGE. */
const oldChallenge: Alternate = { packet: REQUESTS.challenge, instead: false }

/** A2S_PLAYER: the list of players. */
export const players: Query<PlayersReply> = {
  name: "players",
  valve: "A2S_PLAYER",
  checksLiveness: true,
  opening: REQUESTS.players,
  challenged: REQUESTS.players,
  alternate: oldChallenge,
  answers: [MessageType.S2A_PLAYER],
  decode: (datagram, encoding) => PlayersReply.decode(datagram, { encoding })
}

const emptyServerPlayers: Query<PlayersReply> = {
  ...players,
  silence: { _tag: "PlayersReply", announced: 0, players: [], truncated: false }
}

const isEmpty = ({ bots = 0, players: count }: InfoReply | GoldSourceInfoReply): boolean => count === 0 && bots === 0

/** Like {@link playersAfter}, but without a check of `info`, because `info` is a decoded reply. */
export const playersAfterInfo = (info: InfoReply | GoldSourceInfoReply): Query<PlayersReply> =>
  isEmpty(info) ? emptyServerPlayers : players

/**
 * Returns the A2S_PLAYER query for a server that replied to A2S_INFO with `info`. If INFO reports neither players nor bots, a missing reply
 * means an empty list, because empty servers of some engines (Xash3D) do not reply. If a list arrives nevertheless, this list is the
 * result. For example, HLTV reports no players in INFO, but lists its spectators.
 */
export const playersAfter = (info: InfoReply | GoldSourceInfoReply): Query<PlayersReply> => {
  demand("info", "an object", isObject, info)
  return Result.getOrThrow(readable(() => playersAfterInfo(info), "info"))
}

/** A2S_RULES: the public settings of the server. */
export const rules: Query<RulesReply> = {
  name: "rules",
  valve: "A2S_RULES",
  checksLiveness: true,
  opening: REQUESTS.rules,
  challenged: REQUESTS.rules,
  alternate: oldChallenge,
  answers: [MessageType.S2A_RULES],
  decode: (datagram, encoding) => RulesReply.decode(datagram, { encoding })
}
