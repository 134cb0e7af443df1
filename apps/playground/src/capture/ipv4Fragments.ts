/**
 * Joins IPv4 fragments: servers that never split a reply send 8 kB in one datagram, which the network then cuts.
 *
 * @module
 */

/** A piece of an IP packet's payload. */
export interface IpFragment {
  /** The same for all pieces of a packet: addresses and identification. */
  readonly key: string
  /** Where the piece stands, in bytes. */
  readonly offset: number
  /** Whether further pieces follow. */
  readonly more: boolean
  readonly bytes: Uint8Array
}

/** Packets that are held incomplete. A capture that lacks pieces must not fill the memory. */
const MAX_INCOMPLETE = 64

/** The packets that lack pieces. */
export class Ipv4Fragments {
  readonly #incomplete = new Map<string, Array<IpFragment>>()

  /** Takes a piece, and gives the payload that it completes. */
  add(fragment: IpFragment): Uint8Array | undefined {
    const pieces = this.#incomplete.get(fragment.key) ?? []
    if (pieces.length === 0) {
      if (this.#incomplete.size >= MAX_INCOMPLETE) {
        for (const oldest of this.#incomplete.keys()) {
          this.#incomplete.delete(oldest)
          break
        }
      }
      this.#incomplete.set(fragment.key, pieces)
    }
    if (pieces.some((piece) => piece.offset === fragment.offset)) return undefined
    pieces.push(fragment)
    pieces.sort((a, b) => a.offset - b.offset)
    const last = pieces.at(-1)!
    if (last.more || pieces.some((piece, i) => piece.offset !== endOf(pieces[i - 1]))) return undefined
    this.#incomplete.delete(fragment.key)
    const whole = new Uint8Array(endOf(last))
    for (const piece of pieces) whole.set(piece.bytes, piece.offset)
    return whole
  }
}

const endOf = (fragment: IpFragment | undefined): number =>
  fragment === undefined ? 0 : fragment.offset + fragment.bytes.length
