/**
 * The addresses of an answer that is asked for again, and in which rounds of asking each of them came.
 *
 * Masters of Xash3D send a long list in many datagrams, each of which has the end mark and none of which says how many there are. Only
 * asking again tells whether one was lost: the list is taken for whole once two rounds have brought everything that came in any.
 */
import { MAX_MASTER_ROUNDS } from "../Limits.ts"

/** The rounds of one answer, and what each has brought. */
export class MasterRounds {
  /** Addresses in order of arrival, each with a bit for every round that brought it. */
  private readonly broughtBy = new Map<string, number>()
  private round = 0
  private answered = 0

  /** Takes what a datagram of this round brought, or with `isLate` one of the round before. */
  add(addresses: ReadonlyArray<string>, isLate: boolean): void {
    const bit = 1 << (isLate ? this.round - 1 : this.round)
    this.answered |= bit
    for (const address of addresses) this.broughtBy.set(address, (this.broughtBy.get(address) ?? 0) | bit)
  }

  get size(): number {
    return this.broughtBy.size
  }

  get addresses(): ReadonlyArray<string> {
    return [...this.broughtBy.keys()]
  }

  /** Whether a round before this one may have sent what comes now. */
  get isLater(): boolean {
    return this.round > 0
  }

  /** Whether this round has brought something. */
  get isAnswered(): boolean {
    return (this.answered & (1 << this.round)) !== 0
  }

  /** Whether two rounds have brought everything. */
  get isSettled(): boolean {
    let full = this.answered
    for (const rounds of this.broughtBy.values()) full &= rounds
    return (full & (full - 1)) !== 0
  }

  /** Begins another round; false when there were enough. */
  next(): boolean {
    if (this.round + 1 >= MAX_MASTER_ROUNDS) return false
    this.round++
    return true
  }
}
