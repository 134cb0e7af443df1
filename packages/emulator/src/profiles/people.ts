/**
 * Players made up from a seed, with names, scores and times as games have them. Names are in the manner of the games, with the scripts
 * and oddities that clients stumble over.
 */
import type { Player, PlayersReply } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import vocabulary from "./vocabulary.json" with { type: "json" }

/** Mostly plain, one in twelve with a script, an emoji or an emptiness that a careless client gets wrong. */
const playerName = (random: Random): string => {
  const { prefixes, suffixes, unusualNames, words } = vocabulary
  return random.chance(1 / 12)
    ? random.pick(unusualNames)
    : `${random.pick(prefixes)}${random.pick(words)}${random.chance(0.3) ? random.int(1, 99) : ""}${random.pick(suffixes)}`
}

interface Entries {
  /** Number of the first entry: 1 on GoldSource, whose old clients drop number 0. Default 0. */
  readonly first?: 0 | 1
  /** Every entry has the number 0, as on many Source games. Default false. */
  readonly allZero?: boolean
  /** Seconds for bots: -1 on GoldSource engines; absent means as for people. */
  readonly botDuration?: number
}

/** Whole seconds as a 32-bit float plays them back; fractions are kept to what the wire holds. */
const seconds = (random: Random): number => Math.fround(Math.floor(random.next() ** 2 * 14_400_000) / 1000)

/** Entries of people and bots; scores fall off steeply, a few are negative. Bots have one plain word for a name. */
export const crowd = (
  { bots, people, random }: { readonly bots: number; readonly people: number; readonly random: Random },
  { allZero = false, botDuration, first = 0 }: Entries = {}
): ReadonlyArray<Player> =>
  Array.from({ length: people + bots }, (_, slot) => {
    const isBot = slot >= people
    return {
      index: allZero ? 0 : (slot + first) & 0xff,
      name: isBot ? random.pick(vocabulary.words) : playerName(random),
      score: random.chance(0.1) ? -random.int(1, 9) : Math.floor(random.next() ** 3 * 90),
      duration: isBot && botDuration !== undefined ? botDuration : seconds(random)
    }
  })

/** A PLAYER reply whose count byte tells the truth as far as a byte can: it wraps above 255, as Rust's does. */
export const playersReply = (players: ReadonlyArray<Player>): PlayersReply => ({
  _tag: "PlayersReply",
  announced: players.length & 0xff,
  players,
  truncated: false
})
