/**
 * A generated server list of any size: ordinary servers, other legitimate servers that look unusual, and several kinds of fakes. Each reply
 * is computed from the seed, the server's number and the time. The list stores no data per server, so a list of a million servers
 * needs no more memory than a short list.
 *
 * The kinds of fakes are based on public reports about Valve's lists (ValveSoftware/Source-1-Games #5101, csgo-osx-linux #2540, #2689,
 * #3810, halflife #2064). The number of fakes of each kind is our choice.
 */
import type { InfoReply, Player, PlayersReply } from "@sourcewire/protocol"
import { InvalidOption, type Profile } from "@sourcewire/server"
import { demand, flag, number, optional, shape, text, whole } from "@sourcewire/inside/checks"
import { playersReply } from "./profiles/people.ts"

/** The kinds of legitimate servers. Servers of all kinds except the first look unusual. */
export const HONEST_KINDS = [
  "plain",
  /** Many servers at one address, for example of a hosting company. */
  "hosted",
  /** Many servers with the same name, on different ports of one address. */
  "oneName",
  /** A cache behind an anycast address, with replies that are up to 10 s old. */
  "anycast",
  /** A cache whose replies are up to 30 s old. */
  "cached",
  /** One server at three addresses, as with a query proxy. */
  "mirror",
  "empty",
  /** A server with bots, which INFO reports as bots. */
  "bots",
  /** Steam counts the server's players every two minutes. Steam's last count contains bots, but people have replaced them since. */
  "filled",
  /** GoldSource bots: INFO does not count them, and their play time is −1. */
  "goldsourceBots",
  /** Up to 120 servers at one address that restarted together. Each server has the same bots, and INFO does not report them as bots. */
  "restartedBots",
  /** All names of players are empty, as on CS2. */
  "hiddenNames",
  /** A server whose players do not use Steam, so that Steam does not count them. */
  "nonSteam",
  /** The map changes every few minutes, and all players reconnect at each change. */
  "mapChange",
  /** Deathmatch whose map changes every minute. All players reconnect at each change. */
  "shortMaps",
  /** The player list contains only some of the players, and the selection changes every second. */
  "partialList",
  /** A server that restarts every two minutes, and has different players after each restart. */
  "restart",
  /**
   * Servers that are not logged in to Steam. All these servers send the same placeholder instead of a SteamID, and Steam does not count
   * their players.
   */
  "withoutSteam",
  /** Servers at many addresses with the default name and settings of the game, and with hidden player names. */
  "defaultName",
  /**
   * A server with more players than INFO can report, because its count is one byte. The player list contains at most 255 of the players.
   */
  "crowded",
  /** An empty server that redirects players to its new address. */
  "moved",
  /** A server that spreads players over other ports of its own host. */
  "lobby",
  /** Several SourceTV relays of one match. */
  "relay"
] as const

export const FAKE_KINDS = [
  /** Servers on thousands of ports of a few addresses (see `manyPortsHosts`). */
  "manyPorts",
  /** A server that reports players, but redirects clients in the handshake. */
  "redirecting",
  /** A player list whose play times never change. */
  "frozen",
  /** The player list of one legitimate server, which 40 addresses report. The list changes with time. */
  "mirrored",
  /** One player list, which 40 addresses report, and whose play times never change. */
  "frozenMirrored",
  /** Player names that are chosen from a pool at each query, with new play times. */
  "rotating",
  /** A server that reports more players than Steam counts, and sends no player list. */
  "inflated",
  /** Steam counts bots that INFO reports as players. */
  "botsAsPlayers",
  /** One SteamID at 30 addresses. */
  "sharedSteamId"
] as const

export type HonestKind = (typeof HONEST_KINDS)[number]
export type FakeKind = (typeof FAKE_KINDS)[number]

export interface ListedServer {
  /** The server's position in the list, from 0. */
  readonly index: number
  readonly address: string
  readonly host: string
  readonly port: number
  readonly kind: HonestKind | FakeKind
  readonly isFake: boolean
}

/** The entry of a server in Steam's list, as in `IGameServersService/GetServerList`. The counts are Steam's, not the server's. */
export interface SteamEntry {
  readonly addr: string
  readonly players: number
  readonly bots: number
  readonly secure: boolean
}

export interface ServerListOptions {
  /** Seed of the list (default: 1). */
  readonly seed?: number
  /** Number of legitimate servers, of all kinds (default: 1800). */
  readonly honest?: number
  /** Number of fakes of each kind except `manyPorts` (default: 400). */
  readonly fakesOfEachKind?: number
  /** Number of fakes of the kind `manyPorts` (default: 0). At most 45,536 per address, because they use the ports from 20000 to 65535. */
  readonly manyPorts?: number
  /** Number of addresses that the fakes of the kind `manyPorts` share (default: 203). */
  readonly manyPortsHosts?: number
  /** Seconds between the map changes of each server (default: 1800). */
  readonly mapSeconds?: number
  /** Whether all players of a legitimate server reconnect when its map changes (default: `false`). */
  readonly reconnects?: boolean
  /**
   * First two numbers of the generated addresses (default: `10.0`). After each 2^16 addresses, the next addresses use the second number
   * plus one.
   */
  readonly network?: string
}

const MANY = 10_000_000

const listOptions = shape({
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  honest: optional(whole(0, MANY)),
  fakesOfEachKind: optional(whole(0, MANY)),
  manyPorts: optional(whole(0, MANY)),
  manyPortsHosts: optional(whole(1, 255)),
  mapSeconds: optional(whole(1, MANY)),
  reconnects: optional(flag),
  network: optional(text)
})

/** MurmurHash3's finalizer over two numbers. */
const hash = (a: number, b: number): number => {
  let value = Math.imul(a ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const share = (a: number, b: number): number => hash(a, b) / 2 ** 32

const NAMES =
  "Ash Birch Cedar Dune Ember Fern Grove Hazel Iris Juniper Kelp Larch Moss Nettle Oak Pine Quartz Reed".split(" ")
const MAPS = "de_dust2 de_inferno cs_office de_nuke de_train cs_italy".split(" ")
const BOT_NAMES = "Adam Brad Cliff Dave Ed Frank Greg Hank Ivan Joe Ken Lou".split(" ")

const MANY_PORTS_FIRST = 20_000
/** If legitimate servers of a kind share addresses, this number of servers is at each address. */
const SERVERS_PER_HOST = 120
const MINUTE = 60

/** Returns the players of a legitimate server at the time `at`. In each slot, players play one after another, with breaks between them. */
const livePlayers = (seed: number, at: number): ReadonlyArray<Player> => {
  const slots = 6 + (hash(seed, 1) % 14)
  const players: Array<Player> = []
  for (let slot = 0; slot < slots; slot++) {
    const own = hash(seed, 100 + slot)
    const length = 20 * MINUTE + (own % (100 * MINUTE))
    const since = at + (hash(own, 2) % length)
    const session = Math.floor(since / length)
    if (share(own, session) < 0.2) continue
    const stay = 0.3 + 0.7 * share(own, session + 7)
    const duration = since - session * length
    if (duration > length * stay || duration < 1) continue
    const person = hash(own, session + 11)
    players.push({
      index: slot,
      name: `${NAMES[person % NAMES.length]}${NAMES[(person >>> 8) % NAMES.length]!.toLowerCase()}${(person >>> 4) % 10_000}`,
      score: Math.floor(duration / 30),
      duration: Math.fround(duration)
    })
  }
  return players
}

const bots = (count: number, duration: number): ReadonlyArray<Player> =>
  Array.from({ length: count }, (_, index) => ({
    index,
    name: BOT_NAMES[index % BOT_NAMES.length]!,
    score: index,
    duration
  }))

/**
 * Returns `players` as if all of them had reconnected `seconds` seconds ago. Players who arrived after that time keep their shorter play
 * time.
 */
const reconnect = (players: ReadonlyArray<Player>, seconds: number): ReadonlyArray<Player> =>
  players.map((player) => ({ ...player, duration: Math.fround(Math.min(player.duration, seconds)) }))

/** The SteamID of a server with an anonymous account. */
const steamId = (account: number): string => String(0x0140_0001_0000_0000n + BigInt(account))

/** The SteamID of a server that has not logged in: an anonymous account without a number. */
const NO_STEAM_ID = String(0x0140_0000_0000_0000n)

/** Players whose play times do not change. */
const frozenPlayers = (seed: number): ReadonlyArray<Player> =>
  livePlayers(seed, 100_000 + (seed % 1000)).length >= 6
    ? livePlayers(seed, 100_000 + (seed % 1000))
    : Array.from({ length: 12 }, (_, index) => ({
        index,
        name: `${NAMES[hash(seed, index) % NAMES.length]}${hash(seed, index) % 10_000}`,
        score: index,
        duration: 60 + (hash(seed, index + 50) % 7200)
      }))

const rotatingPlayers = (seed: number, at: number): ReadonlyArray<Player> => {
  const draw = hash(seed, Math.floor(at))
  return Array.from({ length: 18 }, (_, index) => ({
    index,
    name: `${NAMES[hash(draw, index) % NAMES.length]}${hash(draw, index) % 3000}`,
    score: hash(draw, index + 90) % 50,
    duration: 300 + (hash(draw, index + 30) % 7200)
  }))
}

/** The values of a reply that can differ from the reply of a server of the kind `plain`. */
interface Reply {
  readonly players: ReadonlyArray<Player>
  readonly reported?: number
  readonly bots?: number
  readonly name?: string
  readonly steamPlayers?: number
  readonly steamBots?: number
  readonly secure?: boolean
  readonly steamId?: string
  readonly serverType?: InfoReply["serverType"]
  readonly redirect?: string
  readonly list?: ReadonlyArray<Player>
}

export class ServerList {
  readonly size: number
  private readonly seed: number
  private readonly honest: number
  private readonly perKind: number
  private readonly manyPortsHosts: number
  private readonly mapSeconds: number
  private readonly reconnects: boolean
  private readonly network: readonly [number, number]
  /** Number of addresses that are reserved for each kind of legitimate servers that share addresses. */
  private readonly hostsPerKind: number
  /** Number of the first address of the fakes of the kind `manyPorts`. */
  private readonly firstSpam: number
  /** Number of the first address of the legitimate servers that do not share an address. */
  private readonly firstHonest: number
  /** Number of the first address of the fakes of all kinds except `manyPorts`. */
  private readonly firstFake: number

  constructor(options: ServerListOptions = {}) {
    demand(listOptions, options)
    const {
      fakesOfEachKind = 400,
      honest = 1800,
      manyPorts = 0,
      manyPortsHosts = 203,
      mapSeconds = 1800,
      network = "10.0",
      reconnects = false,
      seed = 1
    } = options
    if (!/^\d{1,3}\.\d{1,3}$/.test(network)) {
      throw new InvalidOption({
        message: `network must be two numbers such as "10.0", not "${network.slice(0, 20)}".`,
        option: "network"
      })
    }
    const mostPorts = manyPortsHosts * (65_536 - MANY_PORTS_FIRST)
    if (manyPorts > mostPorts) {
      throw new InvalidOption({
        message: `manyPorts must be at most ${mostPorts} if manyPortsHosts is ${manyPortsHosts}, not ${manyPorts}.`,
        option: "manyPorts"
      })
    }
    this.seed = seed
    this.honest = honest
    this.perKind = fakesOfEachKind
    this.manyPortsHosts = manyPortsHosts
    this.mapSeconds = mapSeconds
    this.reconnects = reconnects
    this.network = network.split(".").map(Number) as [number, number]
    this.hostsPerKind = Math.max(20, Math.ceil(honest / HONEST_KINDS.length / SERVERS_PER_HOST))
    this.firstSpam = Math.max(500, 10 + HONEST_KINDS.length * this.hostsPerKind)
    this.firstHonest = Math.max(1000, this.firstSpam + manyPortsHosts)
    this.firstFake = Math.max(20_000, this.firstHonest + honest)
    this.size = honest + fakesOfEachKind * (FAKE_KINDS.length - 1) + manyPorts
  }

  server(index: number): ListedServer {
    const { host, kind, port } = this.place(index)
    return { index, address: `${host}:${port}`, host, port, kind, isFake: index >= this.honest }
  }

  *servers(): Generator<ListedServer> {
    for (let index = 0; index < this.size; index++) yield this.server(index)
  }

  /** Divides the fakes of one kind into groups of `size`, and returns the number of the group to which a fake belongs. */
  private group(index: number, size: number): number {
    return Math.floor((index - this.honest) / (FAKE_KINDS.length - 1) / size)
  }

  private ip(number: number): string {
    const [first, second] = this.network
    return `${first}.${second + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}`
  }

  private place(index: number): { readonly kind: HonestKind | FakeKind; readonly host: string; readonly port: number } {
    if (index < this.honest) {
      const kind = HONEST_KINDS[index % HONEST_KINDS.length]!
      const number = Math.floor(index / HONEST_KINDS.length)
      // The servers of each of these kinds share addresses.
      if (kind === "hosted" || kind === "oneName" || kind === "restartedBots")
        return {
          kind,
          host: this.ip(10 + HONEST_KINDS.indexOf(kind) * this.hostsPerKind + Math.floor(number / SERVERS_PER_HOST)),
          port: 27_015 + (number % SERVERS_PER_HOST)
        }
      return { kind, host: this.ip(this.firstHonest + index), port: 27_015 }
    }
    const fake = index - this.honest
    const others = FAKE_KINDS.length - 1
    if (fake < this.perKind * others) {
      return {
        kind: FAKE_KINDS[1 + (fake % others)]!,
        host: this.ip(this.firstFake + Math.floor(fake / 16)),
        port: 27_015 + (fake % 16)
      }
    }
    const spam = fake - this.perKind * others
    return {
      kind: "manyPorts",
      host: this.ip(this.firstSpam + (spam % this.manyPortsHosts)),
      port: MANY_PORTS_FIRST + Math.floor(spam / this.manyPortsHosts)
    }
  }

  /** Returns the reply of a server at the time `now`, in seconds since 1970. */
  private reply(server: ListedServer, now: number): Reply {
    const reply = this.kindReply(server, now)
    if (!this.reconnects || server.isFake) return reply
    const since = this.sinceMapChange(server.index, now)
    const reconnected = (players: ReadonlyArray<Player>) => reconnect(players, since + 1)
    return {
      ...reply,
      players: reconnected(reply.players),
      ...(reply.list === undefined ? {} : { list: reconnected(reply.list) })
    }
  }

  private sinceMapChange(index: number, now: number): number {
    return (now + (hash(this.seed, index) % this.mapSeconds)) % this.mapSeconds
  }

  private kindReply({ address, index, kind }: ListedServer, now: number): Reply {
    const own = hash(this.seed, index)
    const at = now % 10_000_000
    const live = () => livePlayers(own, at)
    switch (kind) {
      case "anycast":
        return { players: livePlayers(own, Math.floor(at / 10) * 10) }
      case "cached":
        return { players: livePlayers(own, Math.floor(at / 30) * 30) }
      case "oneName":
        return { players: live(), name: "Arcade Network" }
      case "mirror": {
        const group = Math.floor(index / HONEST_KINDS.length / 3)
        return {
          players: livePlayers(hash(this.seed, 5_000_000 + group), at),
          name: `Mirrored ${group}`,
          steamId: steamId(8_000_000 + group)
        }
      }
      case "empty":
        return { players: [] }
      case "bots":
        return { players: bots(8, (at % 1800) + 1), bots: 8, steamPlayers: 0, steamBots: 8 }
      case "filled":
        // Steam counts the players every two minutes. At the time of each count, only bots are on the server. Directly after the count,
        // people join and replace the bots.
        return {
          players: live().map((player) => ({ ...player, duration: Math.min(player.duration, (at % 120) + 1) })),
          steamPlayers: 0,
          steamBots: 10
        }
      case "goldsourceBots":
        return { players: bots(8, -1), steamPlayers: 0 }
      case "restartedBots":
        return { players: bots(10, (at % 86_400) + 100), steamPlayers: 0, secure: false }
      case "hiddenNames":
        return { players: live().map((player) => ({ ...player, name: "" })) }
      case "nonSteam":
        return { players: live(), steamPlayers: 0, secure: false }
      case "mapChange":
        return { players: reconnect(live(), ((at + own) % 300) + 1) }
      case "shortMaps":
        return { players: reconnect(live(), ((at + own) % 60) + 1) }
      case "partialList": {
        const all = Array.from({ length: 8 }, (_, i) => livePlayers(hash(own, i), at)).flat()
        return { players: all, list: all.filter((_, i) => hash(Math.floor(at), i) % 3 === 0) }
      }
      case "restart": {
        const start = Math.floor((at + own) / 120) * 120 - own
        const players = live().map((player) => ({ ...player, name: `${player.name}${start}` }))
        return { players: reconnect(players, at - start + 1) }
      }
      case "withoutSteam":
        return { players: live(), steamPlayers: 0, secure: false, steamId: NO_STEAM_ID }
      case "defaultName":
        return { players: live().map((player) => ({ ...player, name: "" })), name: "Counter-Strike: Source" }
      case "crowded": {
        const players = Array.from({ length: 24 }, (_, i) => livePlayers(hash(own, i), at)).flat()
        return { players, reported: players.length & 255, list: players.slice(0, 255), steamPlayers: players.length }
      }
      case "moved":
        return { players: [], redirect: "192.0.2.10:27015" }
      case "lobby":
        return { players: live(), redirect: `${address.slice(0, address.lastIndexOf(":"))}:27115` }
      case "relay":
        return {
          players: livePlayers(hash(this.seed, 6_000_000), at),
          serverType: "sourcetv",
          steamPlayers: 0,
          secure: false
        }
      case "manyPorts":
        return { players: frozenPlayers(own), name: `Call now ${own % 50}`, steamPlayers: 0 }
      case "redirecting":
        return { players: live().length === 0 ? frozenPlayers(own) : live(), redirect: "192.0.2.77:27015" }
      case "frozen":
        return { players: frozenPlayers(own) }
      case "mirrored": {
        const source = hash(this.seed, 7_000_000 + this.group(index, 40))
        return { players: [0, 1, 2].flatMap((part) => livePlayers(hash(source, part), at)) }
      }
      case "frozenMirrored":
        return { players: frozenPlayers(hash(this.seed, 8_000_000 + this.group(index, 40))) }
      case "rotating":
        return { players: rotatingPlayers(own, at) }
      case "inflated":
        return { players: [], reported: 20 + (own % 12), steamPlayers: 0 }
      case "botsAsPlayers":
        return { players: bots(16, ((at + own) % 3600) + 600), steamPlayers: 0, steamBots: 16 }
      case "sharedSteamId":
        return { players: live(), steamId: steamId(9_000_000 + this.group(index, 30)) }
      default:
        return { players: live(), name: `Community ${address}` }
    }
  }

  /** Returns the server's INFO reply for the time `nowMs`, in ms since 1970. */
  info(server: ListedServer, nowMs: number): InfoReply {
    const { bots = 0, name, players, reported, serverType = "dedicated", ...reply } = this.reply(server, nowMs / 1000)
    const own = hash(this.seed, server.index)
    const mapNumber = Math.floor((nowMs / 1000 + (own % this.mapSeconds)) / this.mapSeconds)
    return {
      _tag: "InfoReply",
      protocol: 17,
      name: name ?? `Server ${own}`,
      map: MAPS[hash(own, mapNumber) % MAPS.length]!,
      folder: "cstrike",
      game: "Counter-Strike: Source",
      appId: 240,
      players: reported ?? players.length,
      maxPlayers: Math.max(32, reported ?? players.length),
      bots,
      serverType,
      environment: "linux",
      passwordProtected: false,
      vac: this.steam(server, nowMs).secure,
      version: "6630498",
      port: server.port,
      steamId: reply.steamId ?? steamId(own),
      keywords: "alltalk",
      gameId: "240"
    }
  }

  players(server: ListedServer, nowMs: number): PlayersReply {
    const { list, players } = this.reply(server, nowMs / 1000)
    return playersReply(list ?? players)
  }

  /** Returns the address to which the server redirects players, or `undefined` if the server does not redirect players. */
  redirect(server: ListedServer): string | undefined {
    return this.reply(server, 0).redirect
  }

  /** Steam's entry for the server. */
  steam(server: ListedServer, nowMs: number): SteamEntry {
    const { bots = 0, players, secure = true, steamBots = bots, steamPlayers } = this.reply(server, nowMs / 1000)
    return {
      addr: server.address,
      players: steamPlayers ?? Math.max(0, players.length - bots),
      bots: steamBots,
      secure
    }
  }

  /** Returns the server as a profile for `startServer`. */
  profile(server: ListedServer, clock: () => number = Date.now): Profile {
    const redirect = this.redirect(server)
    return {
      name: server.kind,
      description: `A server of a generated list: ${server.kind}`,
      info: () => this.info(server, clock()),
      players: () => this.players(server, clock()),
      handshake: redirect === undefined ? {} : { redirect },
      oversize: { how: "split", layout: "source", maxBytes: 1260 }
    }
  }
}
