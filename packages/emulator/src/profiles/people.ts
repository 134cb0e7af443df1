/** Players made up from a seed, with names, scores and times as games have them. */
import type { Player, PlayersReply } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import { botName, playerName } from "./names.ts"

/** How a game fills its entries. */
export interface Crowd {
  readonly people: number
  readonly bots?: number
  /** Number of the first entry: 1 on GoldSource, whose old clients drop number 0. Default 0. */
  readonly first?: 0 | 1
  /** Every entry has the number 0, as on many Source games. Default false. */
  readonly allZero?: boolean
  /** Seconds for bots: -1 on GoldSource engines; absent means as for people. */
  readonly botDuration?: number
}

/** Whole seconds as a 32-bit float plays them back; fractions are kept to what the wire holds. */
const seconds = (random: Random): number => Math.fround(Math.floor(random.next() ** 2 * 14_400_000) / 1000)

/** Entries of people and bots; scores fall off steeply, a few are negative. */
export const crowd = (
  random: Random,
  { people, bots = 0, first = 0, allZero = false, botDuration }: Crowd
): Array<Player> =>
  Array.from({ length: people + bots }, (_, slot) => {
    const isBot = slot >= people
    return {
      index: allZero ? 0 : (slot + first) & 0xff,
      name: isBot ? botName(random) : playerName(random),
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
