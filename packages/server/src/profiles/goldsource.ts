/**
 * Profiles of GoldSource and of engines of its kind.
 *
 * @module
 */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import { seeded } from "../internal/random.ts"
import type { Oversize, Profile, TextAnswer } from "../Profile.ts"
import { AMX_RULES, GOLDSOURCE_RULES, rulesReply } from "./cvars.ts"
import type { ProfileOptions } from "./options.ts"
import { crowd, playersReply } from "./people.ts"

/** GoldSource cuts at 1400 bytes with a header of 9. */
const GOLDSOURCE_SPLIT: Oversize = { how: "split", maxBytes: 1400, layout: "goldsource" }

/** The queries of 1998, which every Half-Life server understood. */
const OLD_QUERIES: Readonly<Record<string, TextAnswer>> = {
  details: "legacyInfo",
  players: "players",
  rules: "rules",
  ping: "ping"
}

/** Counter-Strike 1.6 on ReHLDS with Reunion: both dialects of INFO, the older first, and the text queries to anyone. */
export const cs16 = (options: ProfileOptions = {}): Profile => {
  const random = seeded(options.seed ?? 1)
  const {
    port = 27015,
    people = 19,
    map = "de_inferno",
    name = "Sourcewire Public CS 1.6 [no steam, no cry]"
  } = options
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
  const info: InfoReply = {
    _tag: "InfoReply",
    ...shared,
    appId: 10,
    version: "1.1.2.7/Stdio",
    port,
    steamId: "90071995831291906",
    gameId: "10"
  }
  const legacyInfo: GoldSourceInfoReply = {
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
  }
  return {
    name: "cs16",
    description:
      "Counter-Strike 1.6 with both dialects of INFO and split rules; answers the text queries of 1998 to anyone",
    info,
    legacyInfo,
    players: playersReply(crowd(random, { people, bots, first: 1 })),
    rules: rulesReply([...GOLDSOURCE_RULES, ...AMX_RULES]),
    ping: "",
    texts: OLD_QUERIES,
    trusts: ["text"],
    oversize: GOLDSOURCE_SPLIT
  }
}

/** An HLTV proxy: only the older dialect, no challenge on anything, the players of the game beside a count of spectators. */
export const hltv = (options: ProfileOptions = {}): Profile => {
  const random = seeded(options.seed ?? 1)
  const { port = 27020, people = 3, map = "de_train", name = "Sourcewire HLTV" } = options
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
  const players = crowd(random, { people, first: 1 }).map((player) => ({ ...player, score: 0, duration: 1 }))
  return {
    name: "hltv",
    description: "An HLTV proxy: the older dialect of INFO only, and no challenge before any answer",
    legacyInfo,
    players: playersReply(players),
    rules: rulesReply([
      { name: "GameServer", value: "127.0.0.1:27015" },
      { name: "HLTVProxy", value: name },
      { name: "HLTVDelay", value: "30.0" },
      { name: "HLTVChat", value: "0" },
      { name: "HLTVDemo", value: "" }
    ]),
    ping: "\0",
    texts: {
      ...OLD_QUERIES,
      info: {
        latin1: `C127.0.0.1:${port}\0${name}\0${map}\0cstrike\0HLTV\0\0\x80\x30`
      }
    },
    trusts: ["info", "players", "rules", "ping", "text"],
    oversize: GOLDSOURCE_SPLIT
  }
}

/** Xash3D: INFO to anyone and without extra data flags, players and rules against a challenge, nothing ever split. */
export const xash3d = (options: ProfileOptions = {}): Profile => {
  const random = seeded(options.seed ?? 1)
  const { people = 3 } = options
  const bots = 5
  return {
    name: "xash3d",
    description: "Xash3D FWGS: a short INFO that anyone gets, bots counted as players, rules in one large datagram",
    info: {
      _tag: "InfoReply",
      protocol: 49,
      name: options.name ?? "Sourcewire ^3Crossfire^7",
      map: options.map ?? "crossfire",
      folder: "valve",
      game: "Half-Life",
      appId: 0,
      players: people + bots,
      maxPlayers: 16,
      bots,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: false,
      vac: false,
      version: "0.21"
    },
    players: people + bots === 0 ? undefined : playersReply(crowd(random, { people, bots, botDuration: -1 })),
    rules: rulesReply(GOLDSOURCE_RULES),
    ping: "",
    texts: { ping: { latin1: "ack" } },
    challenge: { lifetimeMs: 5000 },
    trusts: ["info", "getChallenge"],
    oversize: { how: "whole", maxBytes: 1400 }
  }
}

/** Warsow on the qfusion engine: the challenge is always 0, so that in truth everything is answered to anyone; no rules. */
export const warsow = (options: ProfileOptions = {}): Profile => {
  const random = seeded(options.seed ?? 1)
  const { port = 44400, people = 6 } = options
  return {
    name: "warsow",
    description: "Warsow (qfusion): its challenge is always 0, and it has no rules",
    info: {
      _tag: "InfoReply",
      protocol: 252,
      name: options.name ?? "Sourcewire Bomb and Defuse",
      map: options.map ?? "wbomb1",
      folder: "basewsw",
      game: "Warsow",
      appId: 265_850,
      appId16: 0,
      players: people,
      maxPlayers: 16,
      bots: 0,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: false,
      vac: false,
      version: "2.2.0.0",
      port,
      keywords: "generic",
      gameId: "265850"
    },
    players: playersReply(crowd(random, { people })),
    ping: "00000000000000\0",
    texts: { ping: { latin1: "ack " } },
    challenge: { constant: 0, getChallenge: true },
    trusts: ["info", "players", "ping", "getChallenge"],
    oversize: { how: "whole", maxBytes: 1400 }
  }
}
