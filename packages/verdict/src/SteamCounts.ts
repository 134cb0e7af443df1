/**
 * Stores Steam's counts of players and bots for each address. The counts of a server are stored in one number, because a list can have a
 * million servers.
 */
import type { ListEntry } from "./Observation.ts"

const MOST_PLAYERS = 0xffff
const MOST_BOTS = 0xff

const counted = (value: unknown, most: number): number =>
  typeof value === "number" ? Math.max(0, Math.min(most, Math.trunc(value))) : 0

export class SteamCounts {
  private readonly counts: Map<string, number>

  /** Creates counts from the result of {@link entries} (default: no counts). */
  constructor(entries: Iterable<readonly [address: string, counts: number]> = []) {
    this.counts = new Map(entries)
  }

  get size(): number {
    return this.counts.size
  }

  /** Adds an entry of Steam's list. If the entry has no address or no player count, the method ignores the entry. */
  add(entry: unknown): void {
    if (typeof entry !== "object" || entry === null) return
    const { addr, bots, players, secure } = entry as Readonly<Record<string, unknown>>
    if (typeof addr !== "string" || typeof players !== "number") return
    const counts = counted(players, MOST_PLAYERS) * (MOST_BOTS + 1) + counted(bots, MOST_BOTS)
    this.counts.set(addr, counts * 2 + Number(secure === true))
  }

  get(address: string): ListEntry | undefined {
    const entry = this.counts.get(address)
    if (entry === undefined) return undefined
    const counts = entry >>> 1
    return { players: counts >>> 8, bots: counts & MOST_BOTS, secure: (entry & 1) === 1 }
  }

  /** Returns each address with its counts in one number. You can store these entries in a file, and later pass them to the constructor. */
  entries(): Iterable<readonly [address: string, counts: number]> {
    return this.counts
  }
}
