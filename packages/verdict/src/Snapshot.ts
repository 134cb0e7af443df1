/** What a survey keeps of one observation: numbers and hashes instead of texts. */
import { combine, hashText } from "./hash.ts"
import type { Observation, ObservedPlayers } from "./Observation.ts"
import type { PlayerSamples, Sample } from "./PlayerSamples.ts"

/** A PLAYER reply, condensed. */
export interface SeenList extends Sample {
  /** In ms after the survey's first observation. */
  readonly atMs: number
  readonly listed: number
  /** Entries with a negative time of more than a second, no number, or more than 60 days. */
  readonly impossible: number
  /** Whether the list names all players that INFO counts. */
  readonly isComplete: boolean
}

export interface Snapshot {
  /** In ms after the survey's first observation. */
  readonly atMs: number
  readonly players: number
  readonly bots: number
  /** Whether it relays another server's game (SourceTV, HLTV). */
  readonly isRelay: boolean
  readonly name: number
  /** Name, map, folder, player count, slots and keywords. */
  readonly info: number
  readonly list: SeenList | undefined
  /** RULES, if there are enough of them to tell servers apart. */
  readonly rules: number | undefined
  readonly steamId: string | undefined
}

/** Fewer rules are the same on many servers. */
const TELLING_RULES = 20

/** Seconds. A bot's −1 is a custom of GoldSource, and a server that runs for months exists. */
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
      rules === undefined || rules.rules.length < TELLING_RULES
        ? undefined
        : rules.rules.reduce((hash, rule) => combine(hash, hashText(`${rule.name}=${rule.value}`)), 0),
    steamId: steamId === undefined || steamId === "0" ? undefined : steamId
  }
}
