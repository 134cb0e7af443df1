/**
 * Simulates the faults of a network between two hosts: loss, delay, duplication, corruption, reordering and spoofing. The network in
 * memory, the fault matrix and the emulated servers use this module. The module itself does not send datagrams, and does not wait.
 */

/**
 * Faults of the network between two hosts, in both directions. Each share is the probability that a fault affects a datagram (default: 0).
 */
export interface PathFaults {
  /** Share of lost datagrams. */
  readonly loss?: number
  /** Share of duplicated datagrams. */
  readonly duplicate?: number
  /** Share of datagrams that are delayed by up to `reorderMs`, so that later datagrams may overtake them. */
  readonly reorder?: number
  /** Maximum delay of a reordered datagram, in ms (default: 50). */
  readonly reorderMs?: number
  /** Share of datagrams in which the network changes one byte. */
  readonly corrupt?: number
  /**
   * Share of datagrams of which an additional, spoofed copy arrives. The copy has another source address than the original, and one byte
   * differs.
   */
  readonly spoof?: number
  /** One-way delay, in ms. */
  readonly delayMs?: number
  /** Maximum of a random delay that is added to `delayMs`, in ms. */
  readonly jitterMs?: number
}

/** A datagram that arrives at its destination, and its delay. */
export interface Passage {
  readonly bytes: Uint8Array
  readonly afterMs: number
  /** Whether the datagram has a spoofed source. */
  readonly forged: boolean
}

/** Decides at random what happens to each datagram. */
export class NetworkPath {
  private readonly random: () => number
  private readonly delayMs: number

  /** `delayMs` is the default of `PathFaults.delayMs`. */
  constructor(random: () => number, delayMs = 0) {
    this.random = random
    this.delayMs = delayMs
  }

  /** Returns the datagrams that arrive if `bytes` is sent. Different delays (`afterMs`) may change the order of arrival. */
  pass(bytes: Uint8Array, faults: PathFaults): ReadonlyArray<Passage> {
    const passages: Array<Passage> = []
    const add = (bytes: Uint8Array, forged = false) =>
      void passages.push({ bytes, afterMs: this.delay(faults), forged })
    if (this.happens(faults.spoof)) add(this.changed(bytes), true)
    if (this.happens(faults.loss)) return passages
    if (this.happens(faults.duplicate)) add(bytes)
    add(this.happens(faults.corrupt) ? this.changed(bytes) : bytes)
    return passages
  }

  /** Whether a fault with this probability occurs now. */
  happens(share: number | undefined): boolean {
    return share !== undefined && share > 0 && this.random() < share
  }

  private delay({ delayMs = this.delayMs, jitterMs = 0, reorder, reorderMs = 50 }: PathFaults): number {
    const held = this.happens(reorder) ? this.random() * reorderMs : 0
    return delayMs + this.random() * jitterMs + held
  }

  private changed(bytes: Uint8Array): Uint8Array {
    const changed = Uint8Array.from(bytes)
    const at = Math.floor(this.random() * changed.length)
    changed[at] = changed[at]! ^ (1 + Math.floor(this.random() * 255))
    return changed
  }
}
