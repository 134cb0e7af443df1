/** All messages, in the order of the documentation. */
import * as challenge from "./challenge.ts"
import type { Declaration } from "./Declaration.ts"
import * as handshake from "./handshake.ts"
import * as info from "./info.ts"
import * as log from "./log.ts"
import * as master from "./master.ts"
import * as ping from "./ping.ts"
import * as players from "./players.ts"
import * as print from "./print.ts"
import * as rcon from "./rcon.ts"
import * as rules from "./rules.ts"
import * as unknown from "./unknown.ts"

/** Every declaration, by the module that holds it. */
export const declarationsByModule: Readonly<Record<string, ReadonlyArray<Declaration>>> = {
  info: [info.InfoRequest, info.InfoReply, info.GoldSourceInfoReply],
  players: [players.PlayersRequest, players.PlayersReply],
  rules: [rules.RulesRequest, rules.RulesReply],
  challenge: [challenge.GetChallengeRequest, challenge.ChallengeReply],
  ping: [ping.PingRequest, ping.PingReply],
  print: [print.PrintReply, print.ConnectionRejected],
  rcon: [rcon.RconChallengeRequest, rcon.RconChallengeReply, rcon.RconRequest],
  log: [log.LogLine, log.SecretLogLine, log.GoldSourceLogLine],
  master: [master.MasterRequest, master.MasterReply],
  handshake: [
    handshake.HandshakeRequest,
    handshake.HandshakeChallenge,
    handshake.ConnectRequest,
    handshake.ConnectionAccepted,
    handshake.ConnectionMessage
  ],
  unknown: [unknown.UnknownMessage]
}

/** Every declaration. */
export const declarations: ReadonlyArray<Declaration> = /* @__PURE__ */ Object.values(declarationsByModule).flat()

/** How a message is laid out and what its parts mean; `undefined` for a tag that no message has. */
export const declarationOf = (tag: string): Declaration | undefined =>
  declarations.find((declaration) => declaration.tag === tag)
