/** Profiles of games on Valve's Source engine. */
import type { Profile } from "@sourcewire/server"
import { pluginRules, rulesReply, SOURCE_RULES } from "./cvars.ts"
import { type ProfileOptions, ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** The current version of Counter-Strike: Source: challenges for all queries, every extra field, rules in two fragments. */
export const css = ready("css", (filled) => ({
  info: { ...filled.info, sourceTv: { port: filled.port + 5, name: "Sourcewire SourceTV" } },
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply([...SOURCE_RULES, ...pluginRules(filled.random, 24)])
}))

/**
 * A query cache in front of a game. It replies to INFO and PLAYER requests with a valid challenge, and ignores requests with a wrong or
 * expired challenge. A challenge expires after 650 ms.
 */
export const cacher = (options: ProfileOptions = {}): Profile => {
  const { info, oversize, players } = css(options)
  return {
    name: "cacher",
    description: "A query cache in front of a game: no rules, no ping, and no reply to a wrong or expired challenge",
    info: info!,
    players: players!,
    challenge: { lifetimeMs: 650, onWrong: "silence" },
    oversize
  }
}

/** Team Fortress 2 with many plugins: its rules are compressed and split. */
export const tf2 = ready("tf2", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply([...SOURCE_RULES, ...pluginRules(filled.random, 400)])
}))

/** Counter-Strike: Global Offensive: replies to queries as other Source games do, but its handshake has a form of its own. */
export const csgo = ready("csgo", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply(SOURCE_RULES)
}))

/**
 * Counter-Strike 2 with `host_players_show 2`. With other values of `host_players_show`, A2S_PLAYER replies contain no names of players.
 */
export const cs2 = ready("cs2", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply(SOURCE_RULES)
}))

/** A SourceTV relay, whose players are its spectators. */
export const sourcetv = ready("sourcetv", (filled) => ({ players: playersReply(crowd(filled, { allZero: true })) }))

/**
 * The Ship, whose engine is from 2006. INFO needs no challenge. The deaths and the money of all players follow the list of players. The
 * headers of fragments have no size field.
 */
export const ship = ready("ship", (filled) => {
  const { random } = filled
  const players = crowd(filled).map((player) => ({
    ...player,
    deaths: random.int(0, 12),
    money: 2500 + 50 * random.int(-40, 90)
  }))
  return { players: playersReply(players), rules: rulesReply(SOURCE_RULES) }
})
