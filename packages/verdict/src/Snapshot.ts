/** The part of an observation that a survey stores: numbers, the SteamID, and hashes instead of other texts. */
import { combine, hashText } from "./hash.ts"
import type { Observation, ObservedPlayers } from "./Observation.ts"
import type { PlayerSamples, Sample } from "./PlayerSamples.ts"

/** The part of a PLAYER reply that a survey stores. */
export interface SeenList extends Sample {
  /** When the list arrived, in ms after the survey's first observation. */
  readonly atMs: number
  readonly listed: number
  /** Number of entries whose play time is below −1 s, not a number, or at least 60 days. */
  readonly impossible: number
  /**
   * Number of entries that may be missing from Steam's count: bots with a negative play time, and players who arrived after the count or
   * shortly before it.
   */
  readonly uncounted: number
  /**
   * Whether the list is complete: it is not truncated, and the number of its entries is at least INFO's player count minus INFO's bot
   * count.
   */
  readonly isComplete: boolean
}

export interface Snapshot {
  /** When INFO arrived, in ms after the survey's first observation. */
  readonly atMs: number
  readonly players: number
  readonly bots: number
  /** Whether the server relays another server's game (SourceTV, HLTV). */
  readonly isRelay: boolean
  readonly name: number
  /** Hash of name, map, folder, player count, slots and keywords. */
  readonly info: number
  readonly list: SeenList | undefined
  /** Hash of the rules. Absent if the server has too few rules to distinguish it from other servers. */
  readonly rules: number | undefined
  readonly steamId: string | undefined
}

/**
 * The rules of a server are compared with the rules of other servers only if there are at least this many rules. Shorter lists of rules are
 * the same on many servers.
 */
const MIN_RULES = 20

/**
 * A play time of at least this many seconds counts as impossible. The limit is 60 days, because a server can run for weeks without a
 * restart.
 */
const LONG_PLAY = 60 * 86_400

/**
 * Steam counts a new player with a delay of up to this many seconds. Players who arrived within this time before the count may be missing
 * from the count.
 */
const STEAM_LAG = 120

/**
 * Whether a SteamID identifies a single server. Servers without their own SteamID send a placeholder, which is the same for many servers.
 * In a placeholder, the account number or the universe is 0. For example, 0, 1 and 2 are placeholders, because their universe is 0.
 */
const isIdentity = (steamId: string): boolean => {
  if (!/^\d{1,20}$/.test(steamId)) return false
  const id = BigInt(steamId)
  return BigInt.asUintN(32, id) !== 0n && id >> 56n !== 0n
}

const RELAYS: ReadonlySet<string | number> = new Set(["sourcetv", "proxy", 0x70])

/** The values with which a player list is compared: the counts in INFO, and the time of Steam's count. */
export interface Counted {
  readonly players: number
  readonly bots: number
  /** The time at which Steam counted, in seconds after the survey's first observation; infinity if this time is unknown. */
  readonly steamAt: number
}

export const condenseList = (
  players: ObservedPlayers,
  counted: Counted,
  atMs: number,
  samples: PlayerSamples
): SeenList => {
  const entries = players.players
  const longest = atMs / 1000 - counted.steamAt + STEAM_LAG
  return {
    ...samples.add(players, atMs / 1000),
    atMs,
    listed: entries.length,
    impossible: entries.filter(({ duration }) => !(duration >= -1 && duration < LONG_PLAY)).length,
    uncounted: entries.filter(({ duration }) => duration < 0 || duration <= longest).length,
    isComplete: players.truncated !== true && entries.length >= counted.players - counted.bots
  }
}

/** Returns the snapshot of an observation, or `undefined` if the observation has no INFO reply. For `steamAt`, see {@link Counted}. */
export const condense = (
  observation: Observation,
  { base, samples, steamAt }: { readonly base: number; readonly samples: PlayerSamples; readonly steamAt: number }
): Snapshot | undefined => {
  const { atMs, info, players, playersAtMs = atMs, rules } = observation
  if (info === undefined) return undefined
  const { bots = 0, folder, keywords = "", map, maxPlayers, name, serverType = "", steamId } = info
  const nameHash = hashText(name)
  const state = `${map}\n${folder}\n${info.players}/${maxPlayers}\n${keywords}`
  return {
    atMs: Math.round(atMs - base),
    players: info.players,
    bots,
    isRelay: RELAYS.has(serverType),
    name: nameHash,
    info: combine(nameHash, hashText(state)),
    list:
      players === undefined
        ? undefined
        : condenseList(players, { players: info.players, bots, steamAt }, Math.round(playersAtMs - base), samples),
    rules:
      rules === undefined || rules.rules.length < MIN_RULES
        ? undefined
        : rules.rules.reduce((hash, rule) => combine(hash, hashText(`${rule.name}=${rule.value}`)), 0),
    steamId: steamId === undefined || !isIdentity(steamId) ? undefined : steamId
  }
}
