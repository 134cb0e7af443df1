/**
 * Collects the addresses of a reply that is requested several times. A round is one request with the datagrams that the master sends in
 * reply. For each address, this module stores the rounds in which the address arrived.
 *
 * Xash3D's masters send a long list in many datagrams. Each datagram contains the end mark, but not the number of datagrams. Therefore only
 * the reply to a further request can show whether a datagram was lost. The list counts as complete when each of two rounds has returned all
 * known addresses.
 */
import { MAX_MASTER_ROUNDS } from "../Limits.ts"

/** Stores in which rounds each address of a list arrived. */
export class MasterRounds {
  /** The keys are addresses, in the order of arrival. Each value is a bit set of the rounds in which the address arrived. */
  private readonly roundsOf = new Map<string, number>()
  private round = 0
  private answered = 0

  /** Adds the addresses of a datagram to the current round, or to the previous round if `isLate` is true. */
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

  /** Whether there was an earlier round. If so, a late datagram may belong to the previous round. */
  get isLater(): boolean {
    return this.round > 0
  }

  /** Whether at least one datagram of the current round has arrived. */
  get isAnswered(): boolean {
    return (this.answered & (1 << this.round)) !== 0
  }

  /** Whether each of at least two rounds has returned all known addresses. */
  get isSettled(): boolean {
    let full = this.answered
    for (const rounds of this.roundsOf.values()) full &= rounds
    return (full & (full - 1)) !== 0
  }

  /** Starts another round. Returns `false` if the maximum number of rounds is reached. */
  next(): boolean {
    if (this.round + 1 >= MAX_MASTER_ROUNDS) return false
    this.round++
    return true
  }
}
