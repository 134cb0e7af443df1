/** Datagrams for tests, in hex. */
import { encode, toHex } from "@sourcewire/protocol"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

const encodeHex = (message: Parameters<typeof encode>[0]): string => toHex(Result.getOrThrow(encode(message)))

export const infoReply: InfoReply = {
  _tag: "InfoReply",
  protocol: 17,
  name: "A server",
  map: "de_dust2",
  folder: "cstrike",
  game: "Counter-Strike: Source",
  appId: 240,
  players: 3,
  maxPlayers: 32,
  bots: 0,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1.0.0.34"
}

export const legacyReply: GoldSourceInfoReply = {
  _tag: "GoldSourceInfoReply",
  address: "127.0.0.1:27015",
  name: "A server",
  map: "crossfire",
  folder: "valve",
  game: "Half-Life",
  players: 3,
  maxPlayers: 16,
  protocol: 47,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: false,
  bots: 0
}

export const playersReply: PlayersReply = {
  _tag: "PlayersReply",
  announced: 1,
  players: [{ index: 0, name: "Alice", score: -2, duration: 60 }],
  truncated: false
}

export const rulesReply: RulesReply = {
  _tag: "RulesReply",
  announced: 40,
  rules: Array.from({ length: 40 }, (_, i) => ({ name: `rule_${i}`, value: "v".repeat(60) })),
  truncated: false
}

export const INFO = encodeHex(infoReply)
export const LEGACY = encodeHex(legacyReply)
export const PLAYERS = encodeHex(playersReply)
export const RULES = encodeHex(rulesReply)
export const PONG = encodeHex({ _tag: "PingReply", payload: "00000000000000" })
export const PLAIN_PONG = "ffffffff6a"
export const BANNED = encodeHex({ _tag: "PrintReply", text: "You have been banned from this server.\n" })
export const REJECTED = encodeHex({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
/** ReHLDS's reply to `getchallenge`: it has the type of a challenge, but contains text. */
export const TEXT_CHALLENGE = "ffffffff413030303030303030203335323735333039382032 0a00"

/** Returns a challenge that contains the given four bytes. */
export const challengeHex = (hex: string): string => `ffffffff41${hex}`

export const ASK_INFO = encodeHex({ _tag: "InfoRequest" })
export const ASK_PLAYERS = "ffffffff55ffffffff"
export const ASK_RULES = "ffffffff56ffffffff"
export const ASK_PING = "ffffffff69"
export const ASK_CHALLENGE = "ffffffff57"

/** The fragments of {@link RULES}, in the layout of Source servers. */
export const RULES_SPLIT: ReadonlyArray<string> = splitDatagram(Result.getOrThrow(encode(rulesReply)), {
  layout: "source",
  id: 0x8001
}).map((fragment) => toHex(fragment))
