// The datagrams for all decoders: a typical INFO reply, 64 players in one datagram, and 120 rules in five fragments. A busy
// Counter-Strike: Source server sends replies of these sizes.
import { InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { splitDatagram, encodeAs } from "@sourcewire/protocol/wire"

const bytes = (result) => {
  if (result._tag === "Failure") throw result.failure
  // The buffer is not a slice of Node's buffer pool, because the buffers that sockets deliver are not slices of this pool either.
  return Buffer.from(Uint8Array.from(result.success).buffer)
}

export const NAME = "Bench #00000000"

export const info = bytes(
  encodeAs(InfoReply, {
    _tag: "InfoReply",
    protocol: 17,
    name: `${NAME} | 24/7 dust2 | low ping | fast download`,
    map: "de_dust2",
    folder: "cstrike",
    game: "Counter-Strike: Source",
    appId: 240,
    players: 23,
    maxPlayers: 32,
    bots: 0,
    serverType: "dedicated",
    environment: "linux",
    passwordProtected: false,
    vac: true,
    version: "6630498",
    port: 27015,
    steamId: "90071992547409921",
    keywords: "alltalk,increased_maxplayers,nocrits,startmoney",
    gameId: "240"
  })
)

export const players = bytes(
  encodeAs(PlayersReply, {
    _tag: "PlayersReply",
    announced: 64,
    players: Array.from({ length: 64 }, (_, i) => ({
      index: 0,
      name: `[clan] player ${i * 37}`,
      score: i * 3 - 5,
      duration: Math.fround(61.7 * i)
    })),
    truncated: false
  })
)

const rules = bytes(
  encodeAs(RulesReply, {
    _tag: "RulesReply",
    announced: 120,
    rules: Array.from({ length: 120 }, (_, i) => ({
      name: `sv_some_console_variable_${i}`,
      value: i % 3 === 0 ? "0" : `value of rule ${i}`
    })),
    truncated: false
  })
)

const FRAGMENTS = 5

export const ruleFragments = splitDatagram(rules, {
  layout: "source",
  id: 4711,
  maxBytes: 12 + Math.ceil(rules.length / FRAGMENTS)
}).map((fragment) => Buffer.from(Uint8Array.from(fragment).buffer))

if (ruleFragments.length !== FRAGMENTS) throw new Error(`${ruleFragments.length} fragments`)
