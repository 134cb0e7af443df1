/**
 * What happens to datagrams on their way: lost, late, twice, changed, out of order, forged. The one place for it, and for its words; the
 * network in memory, the fault matrix and the emulated servers send through it. It sends nothing and waits for nothing.
 */

/** Faults of the way between two hosts. Shares are probabilities per datagram and direction, 0 unless given. */
export interface PathFaults {
  /** Share that never arrives. */
  readonly loss?: number
  /** Share that arrives twice. */
  readonly duplicate?: number
  /** Share that is held back by up to `reorderMs`, so that later ones overtake it. */
  readonly reorder?: number
  /** Longest hold of a reordered datagram, in ms; 50 unless given. */
  readonly reorderMs?: number
  /** Share of which one byte is changed. */
  readonly corrupt?: number
  /** Share that a copy with changed bytes from another address comes along with. */
  readonly spoof?: number
  /** One-way delay, in ms. */
  readonly delayMs?: number
  /** Added to the delay, evenly from 0 up to this, in ms. */
  readonly jitterMs?: number
}

/** A datagram that gets through. */
export interface Passage {
  readonly bytes: Uint8Array
  readonly afterMs: number
  /** It claims to come from another sender. */
  readonly forged: boolean
}

/** Draws what happens to each datagram. */
export class NetworkPath {
  private readonly random: () => number
  private readonly delayMs: number

  /** `delayMs` is the delay of faults that name none. */
  constructor(random: () => number, delayMs = 0) {
    this.random = random
    this.delayMs = delayMs
  }

  /** What arrives of a datagram, in the order in which it was handed over. */
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

  /** Whether something of that share happens this time. */
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
