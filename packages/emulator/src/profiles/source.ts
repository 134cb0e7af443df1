/** Profiles of games on Valve's Source engine. */
import type { Profile } from "@sourcewire/server"
import { pluginRules, rulesReply, SOURCE_RULES } from "./cvars.ts"
import { type ProfileOptions, ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** Counter-Strike: Source as it is today: challenge on everything, every extra field, rules in two fragments. */
export const css = ready("css", (filled) => ({
  info: { ...filled.info, sourceTv: { port: filled.port + 5, name: "Sourcewire SourceTV" } },
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply([...SOURCE_RULES, ...pluginRules(filled.random, 24)])
}))

/** A cache in front of a game, as operators run them: INFO and PLAYER against a challenge, which soon expires; silence in place of a second one. */
export const cacher = (options: ProfileOptions = {}): Profile => {
  const { info, oversize, players } = css(options)
  return {
    name: "cacher",
    description: "A query cache in front of a game: no rules, no ping, and silence to a challenge that is wrong or old",
    info: info!,
    players: players!,
    challenge: { lifetimeMs: 650, onWrong: "silence" },
    oversize
  }
}

/** Team Fortress 2 with so many plugins that its rules are compressed before they are cut. */
export const tf2 = ready("tf2", (filled) => ({
  players: playersReply(crowd(filled, { allZero: true })),
  rules: rulesReply([...SOURCE_RULES, ...pluginRules(filled.random, 400)])
}))

/** The Ship, an engine of 2006: INFO without a challenge, deaths and money after all players, fragments without a size. */
export const ship = ready("ship", (filled) => {
  const { random } = filled
  const players = crowd(filled).map((player) => ({
    ...player,
    deaths: random.int(0, 12),
    money: 2500 + 50 * random.int(-40, 90)
  }))
  return { players: playersReply(players), rules: rulesReply(SOURCE_RULES) }
})
