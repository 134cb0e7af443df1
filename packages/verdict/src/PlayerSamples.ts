/**
 * Stores a sample of each player list instead of the whole list, because a survey can have a million servers. A sample consists of the
 * players with the smallest name hashes. Therefore copies of a list have equal samples. If a player is in the sample of one list of a
 * server, and is still connected later, the samples of later lists usually also contain this player.
 */
import { hashText } from "./hash.ts"
import type { ObservedPlayers } from "./Observation.ts"

/** Maximum number of players in a sample. */
export const SAMPLE_SIZE = 16

/** Maximum play time of a player in a sample, in seconds. */
export const LONGEST_PLAY = 366 * 86_400

export interface Sample {
  readonly start: number
  readonly length: number
  /** Whether the sample lacks players of the list because the size of a sample is limited. */
  readonly isPart: boolean
}

/** One player of a sample. */
export interface SampledPlayer {
  readonly name: number
  /** When the player connected, in seconds after the survey's first observation. */
  readonly joined: number
}

export class PlayerSamples {
  private names = new Int32Array(1024)
  private joined = new Float32Array(1024)
  private used = 0

  /** Stores the sample of a list that arrived `at` seconds after the survey's first observation. */
  add({ players }: ObservedPlayers, at: number): Sample {
    const entries: Array<SampledPlayer> = []
    for (const { duration, name } of players) {
      // Omit entries without a name, and entries whose play time is not positive or is too long. Bots on GoldSource have the play time −1,
      // and some games send 0 for all players.
      if (name === "" || !(duration > 0) || duration > LONGEST_PLAY) continue
      entries.push({ name: hashText(name), joined: at - duration })
    }
    entries.sort((a, b) => a.name - b.name)
    // If several players have the same name, omit all of them, because they cannot be distinguished.
    const distinct = entries.filter(({ name }, i) => name !== entries[i - 1]?.name && name !== entries[i + 1]?.name)
    const length = Math.min(SAMPLE_SIZE, distinct.length)
    const start = this.used
    this.makeRoom(length)
    for (let i = 0; i < length; i++) {
      this.names[start + i] = distinct[i]!.name
      this.joined[start + i] = distinct[i]!.joined
    }
    this.used += length
    return { start, length, isPart: distinct.length > length }
  }

  players({ length, start }: Sample): Array<SampledPlayer> {
    return Array.from({ length }, (_, i) => ({ name: this.names[start + i]!, joined: this.joined[start + i]! }))
  }

  private makeRoom(count: number): void {
    if (this.used + count <= this.names.length) return
    const names = new Int32Array(Math.ceil(this.names.length * 1.5))
    const joined = new Float32Array(names.length)
    names.set(this.names)
    joined.set(this.joined)
    this.names = names
    this.joined = joined
  }
}
