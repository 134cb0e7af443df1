/** The stored part of an observation: numbers and hashes in place of texts. */
import { combine, hashText } from "./hash.ts"
import type { Observation, ObservedPlayers } from "./Observation.ts"
import type { PlayerSamples, Sample } from "./PlayerSamples.ts"

/** The stored part of a PLAYER reply. */
export interface SeenList extends Sample {
  /** In ms after the survey's first observation. */
  readonly atMs: number
  readonly listed: number
  /** Number of entries whose play time is below −1 s, not a number, or above 60 days. */
  readonly impossible: number
  /** Whether the list contains all players that INFO counts. */
  readonly isComplete: boolean
}

export interface Snapshot {
  /** In ms after the survey's first observation. */
  readonly atMs: number
  readonly players: number
  readonly bots: number
  /** Whether the server relays another server's game (SourceTV, HLTV). */
  readonly isRelay: boolean
  readonly name: number
  /** Hash of name, map, folder, player count, slots and keywords. */
  readonly info: number
  readonly list: SeenList | undefined
  /** Hash of RULES, if there are enough of them to distinguish servers. */
  readonly rules: number | undefined
  readonly steamId: string | undefined
}

/** Minimum number of rules: shorter lists are the same on many servers. */
const MIN_RULES = 20

/** Maximum play time of a connected player, in seconds. GoldSource sends −1 for bots, and servers can run for months. */
const LONG_PLAY = 60 * 86_400

const RELAYS: ReadonlySet<string | number> = new Set(["sourcetv", "proxy", 0x70])

export const condenseList = (
  players: ObservedPlayers,
  counted: { readonly players: number; readonly bots: number },
  atMs: number,
  samples: PlayerSamples
): SeenList => {
  const entries = players.players
  return {
    ...samples.add(players, atMs / 1000),
    atMs,
    listed: entries.length,
    impossible: entries.filter(({ duration }) => !(duration >= -1 && duration < LONG_PLAY)).length,
    isComplete: players.truncated !== true && entries.length >= counted.players - counted.bots
  }
}

export const condense = (observation: Observation, base: number, samples: PlayerSamples): Snapshot | undefined => {
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
        : condenseList(players, { players: info.players, bots }, Math.round(playersAtMs - base), samples),
    rules:
      rules === undefined || rules.rules.length < MIN_RULES
        ? undefined
        : rules.rules.reduce((hash, rule) => combine(hash, hashText(`${rule.name}=${rule.value}`)), 0),
    steamId: steamId === undefined || steamId === "0" ? undefined : steamId
  }
}
