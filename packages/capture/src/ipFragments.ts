/**
 * Joins fragments of IP packets. Some servers never split a reply themselves. They send up to 8 kB in one datagram, and IP divides the
 * datagram into fragments.
 *
 * @module
 */

/** A fragment of an IP packet's payload. */
export interface IpFragment {
  /** Addresses and identification of the packet, which are the same for all its fragments. */
  readonly key: string
  /** Position in the payload, in bytes. */
  readonly offset: number
  /** Whether further fragments follow this fragment. */
  readonly more: boolean
  readonly bytes: Uint8Array
}

/** Maximum number of incomplete packets to store. This limits the memory if many fragments are missing in a capture. */
export const MAX_INCOMPLETE_PACKETS = 64

/**
 * Maximum payload of an IP packet, in bytes. If the fragments of a packet contain more bytes in total, the packet is invalid and is
 * dropped.
 */
const MAX_PAYLOAD_BYTES = 0xffff

interface Incomplete {
  readonly pieces: Array<IpFragment>
  bytes: number
}

export class IpFragments {
  /** Incomplete packets. The oldest packet is first. */
  private readonly incomplete = new Map<string, Incomplete>()

  /**
   * Adds a fragment. The fragments of a packet can be added in any order. Returns the payload of the packet if all its fragments are
   * present, otherwise `undefined`.
   */
  add(fragment: IpFragment): Uint8Array | undefined {
    const packet = this.incomplete.get(fragment.key) ?? this.begin(fragment.key)
    const { pieces } = packet
    if (pieces.some((piece) => piece.offset === fragment.offset)) return undefined
    packet.bytes += fragment.bytes.length
    if (packet.bytes > MAX_PAYLOAD_BYTES) {
      this.incomplete.delete(fragment.key)
      return undefined
    }
    pieces.push(fragment)
    pieces.sort((a, b) => a.offset - b.offset)
    const last = pieces.at(-1)!
    if (last.more || pieces.some((piece, i) => piece.offset !== fragmentEnd(pieces[i - 1]))) return undefined
    this.incomplete.delete(fragment.key)
    const whole = new Uint8Array(fragmentEnd(last))
    for (const piece of pieces) whole.set(piece.bytes, piece.offset)
    return whole
  }

  private begin(key: string): Incomplete {
    if (this.incomplete.size >= MAX_INCOMPLETE_PACKETS) {
      this.incomplete.delete(this.incomplete.keys().next().value!)
    }
    const packet: Incomplete = { pieces: [], bytes: 0 }
    this.incomplete.set(key, packet)
    return packet
  }
}

const fragmentEnd = (fragment: IpFragment | undefined): number =>
  fragment === undefined ? 0 : fragment.offset + fragment.bytes.length
