/** Profiles of engines that descend from Quake and also reply to Valve's queries. */
import { GOLDSOURCE_RULES, rulesReply } from "./cvars.ts"
import { ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** Encodes a text as UTF-8, and returns a string with one character per byte. */
const utf8 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

/**
 * Xash3D sends INFO without a challenge and without extra data flags. It sends PLAYER and RULES replies only after a challenge, and never
 * splits replies. Bots join only when a person joins: with 0 people, the server is empty and does not reply to PLAYER.
 */
export const xash3d = ready("xash3d", ({ info, map, name, people, random }) => {
  const bots = people === 0 ? 0 : 5
  return {
    info: { ...info, players: people + bots, bots },
    players: playersReply(crowd({ people, bots, random }, { botDuration: -1 })),
    rules: rulesReply(GOLDSOURCE_RULES),
    texts: {
      ping: { latin1: "ack" },
      info: { latin1: `info\n${utf8(name)}: wrong version\n` },
      "info 49": {
        latin1: `info\n\\p\\49\\map\\${utf8(map)}\\dm\\1\\team\\0\\coop\\0\\numcl\\${people}\\maxcl\\16\\gamedir\\valve\\password\\0\\host\\${utf8(name)}`
      },
      getchallenge: { latin1: "challenge # 0", challenge: "signed" }
    }
  }
})

/** Warsow on the qfusion engine. The challenge is always 0, so it does not protect against spoofed addresses. The server has no rules. */
export const warsow = ready("warsow", (filled) => ({ players: playersReply(crowd(filled)) }))
