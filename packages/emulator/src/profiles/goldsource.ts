/** Profiles of Valve's GoldSource engine and of HLTV, its proxy for spectators. */
import type { GoldSourceInfoReply } from "@sourcewire/protocol"
import { AMX_RULES, GOLDSOURCE_RULES, toRules, rulesReply } from "./cvars.ts"
import { type Filled, ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

const buildLegacyInfo = ({ legacyInfo, map, name, port }: Filled): GoldSourceInfoReply => ({
  _tag: "GoldSourceInfoReply",
  address: `127.0.0.1:${port}`,
  ...legacyInfo!,
  name,
  map
})

/**
 * Counter-Strike 1.6 on ReHLDS with Reunion. The server sends INFO first in the older dialect and then in the current dialect, and replies
 * to text queries from unverified addresses.
 */
export const cs16 = ready("cs16", (filled) => ({
  legacyInfo: { ...buildLegacyInfo(filled), players: filled.people + filled.bots, bots: filled.bots },
  players: playersReply(crowd(filled, { first: 1 })),
  rules: rulesReply([...GOLDSOURCE_RULES, ...AMX_RULES])
}))

/** ReHLDS without Steam. On ReHLDS, Steam's library replies to A2S queries, so a server without Steam replies only to pings. */
export const rehlds = ready("rehlds")

/** Returns a server name as HLTV sends it: with a space in place of each non-ASCII byte. */
const ascii = (text: string): string =>
  String.fromCharCode(...Array.from(new TextEncoder().encode(text), (byte) => (byte < 0x80 ? byte : 0x20)))

/** Size of HLTV's reply to a ping, in bytes. After the header, the reply contains a letter and zeros. */
const HLTV_PING_BYTES = 1400

/**
 * An HLTV proxy. The proxy sends INFO only in the older dialect, with the number of spectators, and sends no challenges. The player list
 * contains the players of the game and the proxy itself.
 */
export const hltv = ready("hltv", (filled) => {
  const name = ascii(filled.name)
  const map = ascii(filled.map)
  const legacyInfo = buildLegacyInfo({ ...filled, name, map })
  const { address } = legacyInfo
  const itself = { index: filled.people + 1, name }
  const infoString = Object.entries({ ...filled.infoString, name, address, hostname: name, map })
    .map(([key, value]) => `\\${key}\\${value}`)
    .join("")
  return {
    legacyInfo,
    players: playersReply(
      [...crowd(filled, { first: 1 }), itself].map((player) => ({ ...player, score: 0, duration: 1 }))
    ),
    rules: rulesReply(toRules(filled.rules!)),
    ping: "\0".repeat(HLTV_PING_BYTES - 5),
    texts: {
      ...filled.behaviour.texts,
      info: { latin1: `C${address}\0${name}\0${map}\0cstrike\0HLTV\0\0\x80\x30` },
      infostring: { latin1: `infostringresponse\0${infoString}\0` }
    }
  }
})
