/**
 * Collects the addresses of a reply that is requested several times, and the rounds in which each address arrived.
 *
 * Xash3D's masters send a long list in many datagrams. Each has the end mark, and none contains the number of datagrams. Only another
 * request can show whether one was lost: the list is complete if two rounds returned all addresses that arrived in any round.
 */
import { MAX_MASTER_ROUNDS } from "../Limits.ts"

/** The rounds of one reply, and their addresses. */
export class MasterRounds {
  /** Addresses in order of arrival, with a bit for each round in which they arrived. */
  private readonly roundsOf = new Map<string, number>()
  private round = 0
  private answered = 0

  /** Adds the addresses of a datagram in this round, or with `isLate` in the previous round. */
  add(addresses: ReadonlyArray<string>, isLate: boolean): void {
    const bit = 1 << (isLate ? this.round - 1 : this.round)
    this.answered |= bit
    for (const address of addresses) this.roundsOf.set(address, (this.roundsOf.get(address) ?? 0) | bit)
  }

  get size(): number {
    return this.roundsOf.size
  }

  get addresses(): ReadonlyArray<string> {
    return [...this.roundsOf.keys()]
  }

  /** Whether a datagram may belong to an earlier round. */
  get isLater(): boolean {
    return this.round > 0
  }

  /** Whether a datagram arrived in this round. */
  get isAnswered(): boolean {
    return (this.answered & (1 << this.round)) !== 0
  }

  /** Whether two rounds returned all addresses. */
  get isSettled(): boolean {
    let full = this.answered
    for (const rounds of this.roundsOf.values()) full &= rounds
    return (full & (full - 1)) !== 0
  }

  /** Starts another round. Returns false if the maximum is reached. */
  next(): boolean {
    if (this.round + 1 >= MAX_MASTER_ROUNDS) return false
    this.round++
    return true
  }
}
