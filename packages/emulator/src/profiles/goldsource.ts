/** Profiles of Valve's GoldSource engine and of HLTV, its proxy for spectators. */
import type { GoldSourceInfoReply } from "@sourcewire/protocol"
import type { Oversize, TextAnswer } from "@sourcewire/server/machines"
import { AMX_RULES, GOLDSOURCE_RULES, rulesReply } from "./cvars.ts"
import { ready } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** GoldSource cuts at 1400 bytes with a header of 9. */
const GOLDSOURCE_SPLIT: Oversize = { how: "split", maxBytes: 1400, layout: "goldsource" }

/** What the engine says by itself, whoever answers A2S: a NUL behind the letter of a ping, and the challenge for joining. */
const ENGINE_PING = "\0"
const ENGINE_CHALLENGE: TextAnswer = { latin1: "A00000000 # 2\n\0", challenge: "unsigned" }
const STEAM_CHALLENGE: TextAnswer = { latin1: "A00000000 # 3 72057598332895232 0\n\0", challenge: "unsigned" }

/** The queries of 1998, which every Half-Life server understood. */
const OLD_QUERIES: Readonly<Record<string, TextAnswer>> = {
  details: "legacyInfo",
  players: "players",
  rules: "rules",
  ping: "ping"
}

/** Counter-Strike 1.6 on ReHLDS with Reunion: both dialects of INFO, the older first, and the text queries to anyone. */
export const cs16 = ready(
  { name: "Sourcewire Public CS 1.6 [no steam, no cry]", map: "de_inferno", people: 19 },
  ({ map, name, people, port, random }) => {
    const bots = 3
    const shared = {
      name,
      map,
      folder: "cstrike",
      game: "Counter-Strike",
      players: people + bots,
      maxPlayers: 32,
      protocol: 48,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: false,
      vac: true,
      bots
    } as const
    return {
      name: "cs16",
      description:
        "Counter-Strike 1.6 with both dialects of INFO and split rules; answers the text queries of 1998 to anyone",
      info: {
        _tag: "InfoReply",
        ...shared,
        appId: 10,
        version: "1.1.2.7/Stdio",
        port,
        steamId: "90071995831291906",
        gameId: "10"
      },
      legacyInfo: {
        _tag: "GoldSourceInfoReply",
        ...shared,
        address: `127.0.0.1:${port}`,
        protocol: 47,
        mod: {
          link: "www.counter-strike.net",
          downloadLink: "",
          version: 1,
          size: 184_000_000,
          type: "multiplayerOnly",
          dll: "own"
        }
      },
      players: playersReply(crowd(random, { people, bots, first: 1 })),
      rules: rulesReply([...GOLDSOURCE_RULES, ...AMX_RULES]),
      ping: ENGINE_PING,
      texts: { ...OLD_QUERIES, getchallenge: ENGINE_CHALLENGE, "getchallenge steam": STEAM_CHALLENGE },
      trusts: ["ping", "text"],
      oversize: GOLDSOURCE_SPLIT
    }
  }
)

/** ReHLDS that has no Steam: A2S goes to Steam's library, so of the queries it answers pings alone. */
export const rehlds = ready({ name: "", map: "", people: 0 }, () => ({
  name: "rehlds",
  description: "ReHLDS without Steam: it answers pings and the challenge for joining, and no A2S at all",
  ping: ENGINE_PING,
  texts: { ping: "ping", getchallenge: ENGINE_CHALLENGE, "getchallenge steam": STEAM_CHALLENGE },
  trusts: ["ping", "text"],
  oversize: GOLDSOURCE_SPLIT
}))

/** HLTV puts a blank in place of every byte of its name that is not ASCII. */
const ascii = (text: string): string =>
  String.fromCharCode(...Array.from(new TextEncoder().encode(text), (byte) => (byte < 0x80 ? byte : 0x20)))

/** Size of a datagram with HLTV's answer to a ping, which is a letter and zeros. */
const HLTV_PING_BYTES = 1400

/** An HLTV proxy: only the older dialect, no challenge on anything, the players of the game beside a count of spectators. */
export const hltv = ready(
  { name: "Sourcewire HLTV", map: "de_train", people: 3, port: 27020 },
  ({ people, port, random, ...own }) => {
    const name = ascii(own.name)
    const map = ascii(own.map)
    const legacyInfo: GoldSourceInfoReply = {
      _tag: "GoldSourceInfoReply",
      address: `127.0.0.1:${port}`,
      name,
      map,
      folder: "cstrike",
      game: "HLTV",
      players: 0,
      maxPlayers: 128,
      protocol: 48,
      serverType: "sourcetv",
      environment: "linux",
      passwordProtected: false,
      vac: false
    }
    const watched = crowd(random, { people, first: 1 })
    const itself = { index: people + 1, name }
    const info = {
      "*hltv": 1,
      hdelay: 30,
      name,
      hspecs: 0,
      hslots: 128,
      protocol: 48,
      address: legacyInfo.address,
      players: 0,
      proxy: 1,
      proxyaddress: "127.0.0.1:27015",
      max: 128,
      gamedir: "cstrike",
      description: "HLTV",
      hostname: name,
      map,
      type: "p",
      password: 0,
      os: "l",
      secure: 0
    }
    const infoString = Object.entries(info)
      .map(([key, value]) => `\\${key}\\${value}`)
      .join("")
    return {
      name: "hltv",
      description: "An HLTV proxy: the older dialect of INFO only, and no challenge before any answer",
      legacyInfo,
      players: playersReply([...watched, itself].map((player) => ({ ...player, score: 0, duration: 1 }))),
      rules: rulesReply([
        { name: "GameServer", value: info.proxyaddress },
        { name: "HLTVProxy", value: "1" },
        { name: "HLTVDelay", value: "30.0" },
        { name: "HLTVChat", value: "0" },
        { name: "HLTVDemo", value: "none" }
      ]),
      ping: "\0".repeat(HLTV_PING_BYTES - 5),
      texts: {
        ...OLD_QUERIES,
        info: { latin1: `C${legacyInfo.address}\0${name}\0${map}\0cstrike\0HLTV\0\0\x80\x30` },
        infostring: { latin1: `infostringresponse\0${infoString}\0` },
        getchallenge: ENGINE_CHALLENGE
      },
      trusts: ["info", "players", "rules", "ping", "text"],
      oversize: GOLDSOURCE_SPLIT
    }
  }
)
