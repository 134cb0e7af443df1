/** What the page works on: bytes that travelled alone, and from whom to whom they went and when. */

export interface Datagram {
  readonly bytes: Uint8Array
  /** Milliseconds; since 1970 from a capture, since the first datagram of an exchange asked live. */
  readonly timeMs?: number | undefined
  /** `host:port` of the sender. */
  readonly from?: string
  readonly to?: string
}

/** Bytes of all of them. */
export const sizeOf = (datagrams: ReadonlyArray<Datagram>): number =>
  datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0)
