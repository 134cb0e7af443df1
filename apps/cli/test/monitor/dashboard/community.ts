/**
 * Invented game servers of a community, with their current and past replies. The servers are full in the evening and change their maps.
 * Some servers had outages.
 */
import { profiles } from "@sourcewire/emulator"
import type { InfoReply, Player, PlayersReply, RulesReply } from "@sourcewire/protocol"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Kind {
  readonly game: string
  readonly appId: number
  readonly folder: string
  readonly version: string
  readonly maxPlayers: number
  readonly bots?: number
  readonly maps: ReadonlyArray<string>
}

const KINDS = {
  css: {
    game: "Counter-Strike: Source",
    appId: 240,
    folder: "cstrike",
    version: "6630498",
    maxPlayers: 32,
    maps: ["de_dust2", "de_inferno", "cs_office", "de_nuke", "de_train"]
  },
  tf2: {
    game: "Team Fortress",
    appId: 440,
    folder: "tf",
    version: "9543365",
    maxPlayers: 24,
    bots: 2,
    maps: ["pl_badwater", "cp_dustbowl", "koth_harvest_final", "ctf_2fort", "pl_upward"]
  },
  gmod: {
    game: "DarkRP",
    appId: 4000,
    folder: "garrysmod",
    version: "2025.03.26",
    maxPlayers: 100,
    maps: ["rp_downtown_v4c_v2", "rp_rockford_v2b", "gm_construct"]
  },
  l4d2: {
    game: "Left 4 Dead 2",
    appId: 550,
    folder: "left4dead2",
    version: "2.2.4.3",
    maxPlayers: 8,
    maps: ["c1m1_hotel", "c2m1_highway", "c5m1_waterfront", "c8m1_apartment"]
  },
  dods: {
    game: "Day of Defeat: Source",
    appId: 300,
    folder: "dod",
    version: "6630498",
    maxPlayers: 32,
    maps: ["dod_donner", "dod_anzio", "dod_kalt", "dod_avalanche"]
  },
  valheim: {
    game: "Valheim",
    appId: 892970,
    folder: "valheim",
    version: "0.220.5",
    maxPlayers: 64,
    maps: ["Midgard"]
  }
} as const satisfies Readonly<Record<string, Kind>>

export interface Server {
  readonly address: string
  readonly group: string
  readonly name: string
  readonly kind: Kind
  readonly port: number
  /**
   * Share of the server's player slots that are in use on a weekend evening. `peopleAt` multiplies this share by a random factor from 0.75
   * to 1.25.
   */
  readonly popularity: number
  readonly rttMs: number
  /** The outages of the server, in hours before now. */
  readonly silent: ReadonlyArray<readonly [from: number, to: number]>
  readonly seed: number
}

/** Returns a pseudo-random number from 0 to 1, which depends only on the arguments. */
const chance = (...numbers: ReadonlyArray<number>): number => {
  let hash = 0x811c9dc5
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

type Line = readonly [kind: keyof typeof KINDS, group: string, name: string, popularity: number, rttMs: number]

const LINES: ReadonlyArray<Line> = [
  ["css", "Counter-Strike", "Harbour | Dust2 24/7 | 66 tick", 1, 14],
  ["css", "Counter-Strike", "Harbour | Office & friends", 0.8, 14],
  ["css", "Counter-Strike", "Harbour | Zombie escape ☣ no lag", 0.9, 15],
  ["css", "Counter-Strike", "Harbour | Surf beginners", 0.5, 15],
  ["css", "Counter-Strike", "Harbour | Bunny hop timer", 0.3, 15],
  ["css", "Counter-Strike", "Harbour | Match server #1", 0.35, 16],
  ["css", "Counter-Strike", "Harbour | Match server #2", 0.2, 16],
  ["tf2", "Team Fortress", "Harbour ★ Payload, no crits", 1, 22],
  ["tf2", "Team Fortress", "Harbour ★ 2Fort instant respawn", 0.95, 22],
  ["tf2", "Team Fortress", "Harbour ★ King of the hill", 0.6, 23],
  ["tf2", "Team Fortress", "Harbour ★ Mann vs. Machine", 0.3, 23],
  ["tf2", "Team Fortress", "Harbour ★ Trade & idle", 0.7, 23],
  ["tf2", "Team Fortress", "Harbour ★ Jump academy", 0.25, 24],
  ["gmod", "Role play", "Lighthouse RP – serious, English", 0.85, 31],
  ["gmod", "Role play", "Lighthouse RP – deutsch", 0.6, 9],
  ["gmod", "Role play", "Lighthouse sandbox", 0.3, 31],
  ["gmod", "Role play", "Lighthouse TTT #1", 0.5, 32],
  ["gmod", "Role play", "Lighthouse TTT #2", 0.2, 32],
  ["l4d2", "Left 4 Dead", "Harbour co-op expert", 0.9, 18],
  ["l4d2", "Left 4 Dead", "Harbour versus 4v4", 0.7, 18],
  ["l4d2", "Left 4 Dead", "Harbour realism", 0.3, 19],
  ["dods", "Day of Defeat", "Harbour | Donner & Anzio", 0.7, 21],
  ["dods", "Day of Defeat", "Harbour | Rifles only", 0.3, 21],
  ["valheim", "Valheim", "Fjord of the Elders", 0.3, 44],
  ["valheim", "Valheim", "Fjord – new world", 0.15, 44],
  ["css", "Sydney", "Harbour AU | Dust2 24/7", 0.7, 284],
  ["css", "Sydney", "Harbour AU | Deathmatch", 0.4, 285],
  ["tf2", "Sydney", "Harbour AU ★ Payload", 0.6, 283],
  ["gmod", "Sydney", "Lighthouse AU sandbox", 0.2, 290],
  ["l4d2", "Sydney", "Harbour AU versus", 0.3, 287]
]

export const COMMUNITY: ReadonlyArray<Server> = LINES.map(([kind, group, name, popularity, rttMs], seed) => {
  const port = 27_015 + 10 * (seed % 4)
  const host = group === "Sydney" ? "198.51.100" : "192.0.2"
  return {
    address: `${host}.${10 + Math.floor(seed / 4)}:${port}`,
    group,
    name,
    kind: KINDS[kind],
    port,
    popularity,
    rttMs,
    // All servers were restarted a week ago. Some servers had a later outage, and one server is down now.
    silent: [
      [170.5, 170.2],
      ...(seed === 0 ? ([[11.8, 9.6]] as const) : []),
      ...(seed % 9 === 4 ? ([[60, 52.5]] as const) : []),
      ...(seed === 12 ? ([[3.4, -DAY_MS]] as const) : [])
    ],
    seed
  }
})

const PEOPLE = (
  "Falcon|=OG= Moss|Kestrel|Rubble|the Turnip|Comet_77|Sprocket|Zoë|Łukasz|Bandit.exe|Lantern|[DM] Otter|Nimbus|Marble|Quartz|" +
  "Дядя Фёдор|Thistle|xX Anvil Xx|Cobalt|Player_1|Ember|Fjord|Gadget|Harpoon <3|Ibis|señor gato|Krill|Lobster|Magpie|Nettle|Oxide|" +
  "Pebble|Quiver|Mr. Raven|Saddle|Tundra|Ærø|Biscuit|Dynamo|Jigsaw"
).split("|")

/**
 * The current local time at a server with a short round-trip time, in hours. At a server with a long round-trip time, the local time is ten
 * hours later.
 */
const HOUR_NOW = 20.5

/**
 * Returns the number of players at the time `at`, as a share of the number of players on a weekend evening. The share is low at night and
 * high in the evening of the server's time zone.
 */
const tide = ({ rttMs }: Server, at: number, now: number): number => {
  const hour = HOUR_NOW + (at - now) / HOUR_MS + (rttMs > 100 ? 10 : 0)
  const evening = Math.max(0, Math.sin(((hour - 14) / 24) * 2 * Math.PI))
  const weekday = Math.floor(at / DAY_MS + 4) % 7
  return (0.12 + 0.88 * evening ** 0.8) * (weekday === 0 || weekday === 6 ? 1 : 0.82)
}

/** Returns the number of players, other than bots, on a server at the time `at`. */
const peopleAt = (server: Server, at: number, now: number): number => {
  const { kind, popularity, seed } = server
  const turn = Math.floor(at / (7 * MINUTE_MS))
  const noise = 0.75 + 0.5 * chance(seed, turn)
  return Math.min(
    kind.maxPlayers - (kind.bots ?? 0),
    Math.round(kind.maxPlayers * popularity * tide(server, at, now) * noise)
  )
}

const TEMPLATE = profiles.css()

/**
 * Returns a server's reply to INFO at the time `at`, or `undefined` if the server has an outage at this time. The outages of a server are
 * relative to the time `now`.
 */
const infoAt = (server: Server, at: number, now: number): InfoReply | undefined => {
  const { kind, name, port, seed, silent } = server
  if (silent.some(([from, to]) => at >= now - from * HOUR_MS && at < now - to * HOUR_MS)) return undefined
  const { bots = 0, maps, ...facts } = kind
  return {
    ...(TEMPLATE.info as InfoReply),
    ...facts,
    gameId: String(kind.appId),
    name,
    map: maps[Math.floor((at + seed * 11 * MINUTE_MS) / (40 * MINUTE_MS)) % maps.length]!,
    players: peopleAt(server, at, now) + bots,
    bots,
    port,
    keywords: ""
  }
}

const playersAt = (server: Server, at: number, now: number): ReadonlyArray<Player> =>
  Array.from({ length: peopleAt(server, at, now) + (server.kind.bots ?? 0) }, (_, slot) => ({
    index: 0,
    name: PEOPLE[(slot + 7 * server.seed) % PEOPLE.length]!,
    score: Math.floor(chance(server.seed, slot) ** 2 * 80),
    duration: 60 + Math.floor(chance(slot, server.seed, 3) ** 2 * 9000)
  }))

/**
 * Returns all replies of a server at the time `at`, or `undefined` if the server has an outage at this time. If the server belongs to the
 * group `CROWD`, returns only the reply to INFO.
 */
export const answerAt = (server: Server, at: number, now: number) => {
  const info = infoAt(server, at, now)
  if (info === undefined) return undefined
  const rttMs = server.rttMs * (0.96 + 0.1 * chance(server.seed, Math.floor(at / MINUTE_MS)) ** 3)
  if (server.group === CROWD) return { info, rttMs }
  const players = playersAt(server, at, now)
  return {
    info,
    players: { _tag: "PlayersReply", announced: players.length, players, truncated: false } satisfies PlayersReply,
    rules: TEMPLATE.rules as RulesReply,
    rttMs
  }
}

/** The name of the group that contains all servers that `makeCrowd` creates. */
export const CROWD = "list"

const GREETINGS = ["Old", "Happy", "Salty", "Northern", "Rusty", "Silent", "Brave", "Lucky"]
const PLACES = ["Harbour", "Lighthouse", "Fjord", "Orchard", "Foundry", "Canyon", "Meadow", "Citadel"]
const kinds: ReadonlyArray<Kind> = Object.values(KINDS)

/** Creates `count` invented servers of several games, in the group `CROWD`. */
export const makeCrowd = (count: number): ReadonlyArray<Server> =>
  Array.from({ length: count }, (_, i) => {
    const seed = i + 1000
    const kind = kinds[Math.floor(chance(seed, 1) * kinds.length)]!
    const pick = (from: ReadonlyArray<string>, salt: number): string =>
      from[Math.floor(chance(seed, salt) * from.length)]!
    return {
      address: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}:27015`,
      group: CROWD,
      name: `${pick(GREETINGS, 2)} ${pick(PLACES, 3)} ${kind.game} #${i}`,
      kind,
      port: 27_015,
      popularity: chance(seed, 4) ** 3,
      rttMs: 8 + 250 * chance(seed, 5) ** 2,
      silent: chance(seed, 6) < 0.08 ? [[HOUR_MS, -DAY_MS]] : [],
      seed
    }
  })
