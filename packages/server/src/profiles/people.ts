/**
 * Generated players.
 *
 * @module
 */
import type { Player, PlayersReply } from "@sourcewire/protocol"
import type { Random } from "../internal/random.ts"
import { botName, playerName } from "./names.ts"

/** How a game fills its entries. */
export interface Crowd {
  readonly people: number
  readonly bots?: number
  /** `slot` counts from 0 over all; `zero` is what many games send. Default `slot`. */
  readonly index?: "slot" | "zero"
  /** Seconds for bots: -1 on GoldSource engines; absent means as for people. */
  readonly botDuration?: number
}

/** Whole seconds as a 32-bit float plays them back; fractions are kept to what the wire holds. */
const seconds = (random: Random): number => Math.fround(Math.floor(random.next() ** 2 * 14_400_000) / 1000)

/** Entries of people and bots; scores fall off steeply, a few are negative. */
export const crowd = (random: Random, { people, bots = 0, index = "slot", botDuration }: Crowd): Array<Player> =>
  Array.from({ length: people + bots }, (_, slot) => {
    const isBot = slot >= people
    return {
      index: index === "slot" ? slot & 0xff : 0,
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
