/** Profiles of games on Valve's Source engine. */
import type { Profile } from "@sourcewire/server"
import type { Oversize } from "@sourcewire/server/machines"
import { pluginRules, rulesReply, SOURCE_RULES } from "./cvars.ts"
import { infoReply } from "./info.ts"
import { type ProfileOptions, ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** Source cuts at 1260 bytes with a header of 12. */
const SOURCE_SPLIT: Oversize = { how: "split", maxBytes: 1260, layout: "source" }

/** Counter-Strike: Source as it is today: challenge on everything, every extra field, rules in two fragments. */
export const css = ready(
  { name: "Sourcewire Emulator | de_dust2 24/7 | 66 tick", map: "de_dust2", people: 22 },
  ({ people, random, ...own }) => {
    const bots = 4
    return {
      name: "css",
      description:
        "Counter-Strike: Source with every extra field of INFO, asking for a challenge before it answers anything",
      info: infoReply({
        ...own,
        folder: "cstrike",
        game: "Counter-Strike: Source",
        appId: 240,
        players: people + bots,
        maxPlayers: 32,
        bots,
        vac: true,
        version: "6630498",
        steamId: "90071996842377216",
        sourceTv: { port: own.port + 5, name: "Sourcewire SourceTV" },
        keywords: "alltalk,friendlyfire,increased_maxplayers",
        gameId: "240"
      }),
      players: playersReply(crowd(random, { people, bots, allZero: true })),
      rules: rulesReply([...SOURCE_RULES, ...pluginRules(random, 24)]),
      ping: "",
      oversize: SOURCE_SPLIT
    }
  }
)

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
export const tf2 = ready(
  { name: "Sourcewire Payload ★ no crits ★ alltalk", map: "pl_badwater", people: 24 },
  ({ people, random, ...own }) => ({
    name: "tf2",
    description: "Team Fortress 2 with some 460 rules, compressed with bzip2 and split",
    info: infoReply({
      ...own,
      folder: "tf",
      game: "Team Fortress",
      appId: 440,
      players: people,
      maxPlayers: 24,
      vac: true,
      version: "9543365",
      steamId: "85568392924039421",
      keywords: "alltalk,nocrits,payload",
      gameId: "440"
    }),
    players: playersReply(crowd(random, { people, allZero: true })),
    rules: rulesReply([...SOURCE_RULES, ...pluginRules(random, 400)]),
    ping: "",
    oversize: { ...SOURCE_SPLIT, bzip2: true }
  })
)

/** The Ship, an engine of 2006: INFO without a challenge, deaths and money after all players, fragments without a size. */
export const ship = ready(
  { name: "Sourcewire Atlantic Crossing", map: "batavier", people: 11 },
  ({ map, name, people, random }) => {
    const players = crowd(random, { people }).map((player) => ({
      ...player,
      deaths: random.int(0, 12),
      money: 2500 + 50 * random.int(-40, 90)
    }))
    return {
      name: "ship",
      description: "The Ship: its own fields in INFO, deaths and money of every player; answers INFO to anyone",
      info: infoReply({
        protocol: 7,
        name,
        map,
        folder: "ship",
        game: "The Ship",
        appId: 2400,
        players: people,
        maxPlayers: 18,
        environment: "windows",
        theShip: { mode: "hunt", witnesses: 2, duration: 6 },
        version: "1.0.0.4"
      }),
      players: playersReply(players),
      rules: rulesReply(SOURCE_RULES),
      ping: "00000000000000\0",
      challenge: { getChallenge: true },
      trusts: ["info", "getChallenge", "ping"],
      oversize: { how: "split", maxBytes: 1260, layout: "source-no-size" }
    }
  }
)
