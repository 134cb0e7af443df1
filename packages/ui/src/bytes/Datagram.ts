/** A datagram of the page, with its sender, receiver and time. */

export interface Datagram {
  readonly bytes: Uint8Array
  /** Time in milliseconds. In a capture, this is a Unix time. In a live query, it is the time since the first datagram. */
  readonly timeMs?: number | undefined
  /** The sender in the format `host:port`. */
  readonly from?: string
  readonly to?: string
}

/** Total number of bytes of all datagrams. */
export const countBytes = (datagrams: ReadonlyArray<Datagram>): number =>
  datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0)
