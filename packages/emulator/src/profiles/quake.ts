/** Profiles of engines that descend from Quake and answer Valve's queries besides their own. */
import { GOLDSOURCE_RULES, rulesReply } from "./cvars.ts"
import { infoReply } from "./info.ts"
import { ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** A text as its UTF-8, one character per byte. */
const utf8 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/**
 * Xash3D: INFO to anyone and without extra data flags, players and rules against a challenge, nothing ever split. Bots come as soon as
 * somebody plays, so that with 0 people it is empty, and silent to PLAYER.
 */
export const xash3d = ready(
  { name: "Sourcewire ^3Crossfire^7", map: "crossfire", people: 3 },
  ({ map, name, people, random }) => {
    const bots = people === 0 ? 0 : 5
    return {
      name: "xash3d",
      description: "Xash3D FWGS: a short INFO that anyone gets, bots counted as players, rules in one large datagram",
      info: infoReply({
        protocol: 49,
        name,
        map,
        folder: "valve",
        game: "Half-Life",
        appId: 0,
        players: people + bots,
        maxPlayers: 16,
        bots,
        version: "0.21"
      }),
      players: playersReply(crowd(random, { people, bots, botDuration: -1 })),
      hidesPlayers: true,
      rules: rulesReply(GOLDSOURCE_RULES),
      ping: "",
      texts: {
        ping: { latin1: "ack" },
        info: { latin1: `info\n${utf8(name)}: wrong version\n` },
        "info 49": {
          latin1: `info\n\\p\\49\\map\\${utf8(map)}\\dm\\1\\team\\0\\coop\\0\\numcl\\${people}\\maxcl\\16\\gamedir\\valve\\password\\0\\host\\${utf8(name)}`
        },
        getchallenge: { latin1: "challenge # 0", challenge: "signed" }
      },
      challenge: { lifetimeMs: 5000 },
      trusts: ["info", "getChallenge", "text"],
      oversize: { how: "whole", maxBytes: 1400, bufferBytes: 8192 }
    }
  }
)

/** Warsow on the qfusion engine: the challenge is always 0, so that in truth everything is answered to anyone; no rules. */
export const warsow = ready(
  { name: "Sourcewire Bomb and Defuse", map: "wbomb1", people: 6, port: 44400 },
  ({ people, random, ...own }) => ({
    name: "warsow",
    description: "Warsow (qfusion): its challenge is always 0, and it has no rules",
    info: infoReply({
      protocol: 252,
      ...own,
      folder: "basewsw",
      game: "Warsow",
      appId: 265_850,
      appId16: 0,
      players: people,
      maxPlayers: 16,
      version: "2.2.0.0",
      keywords: "generic",
      gameId: "265850"
    }),
    players: playersReply(crowd(random, { people })),
    ping: "00000000000000\0",
    texts: { ping: { latin1: "ack " } },
    challenge: { constant: 0, getChallenge: true },
    trusts: ["info", "players", "ping", "getChallenge"],
    oversize: { how: "whole", maxBytes: 1400 }
  })
)
