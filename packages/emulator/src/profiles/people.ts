/**
 * Generates players from a seed, with plausible names, scores and times. The names include scripts and special cases that cause errors in
 * clients.
 */
import type { Player, PlayersReply } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import vocabulary from "./vocabulary.json" with { type: "json" }

/**
 * Returns a random name. Most names consist of ASCII characters. About one name in twelve contains another script or an emoji, or is empty.
 */
const playerName = (random: Random): string => {
  const { prefixes, suffixes, unusualNames, words } = vocabulary
  return random.chance(1 / 12)
    ? random.pick(unusualNames)
    : `${random.pick(prefixes)}${random.pick(words)}${random.chance(0.3) ? random.int(1, 99) : ""}${random.pick(suffixes)}`
}

interface Entries {
  /** Index of the first player: 1 on GoldSource, because old GoldSource clients drop a player with index 0 (default: 0). */
  readonly first?: 0 | 1
  /** Whether every player has the index 0, as on many Source games (default: false). */
  readonly allZero?: boolean
  /** Play time of bots in seconds: −1 on GoldSource engines (default: a random time, as for people). */
  readonly botDuration?: number
}

/** Returns a random play time in seconds, with a fraction, rounded to a 32-bit float. */
const seconds = (random: Random): number => Math.fround(Math.floor(random.next() ** 2 * 14_400_000) / 1000)

/** Returns random players: first the people, then the bots. Few scores are high, and some are negative. Bot names are single words. */
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

/** Returns a PLAYER reply. The count in the reply has one byte: above 255 players, it is the number of players modulo 256, as on Rust. */
export const playersReply = (players: ReadonlyArray<Player>): PlayersReply => ({
  _tag: "PlayersReply",
  announced: players.length & 0xff,
  players,
  truncated: false
})
