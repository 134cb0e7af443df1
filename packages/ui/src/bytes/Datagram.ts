/** The input of the page: datagrams with sender, receiver and time. */

export interface Datagram {
  readonly bytes: Uint8Array
  /** Milliseconds: in a capture, since 1970; for live queries, since the first datagram. */
  readonly timeMs?: number | undefined
  /** `host:port` of the sender. */
  readonly from?: string
  readonly to?: string
}

/** Total number of bytes. */
export const countBytes = (datagrams: ReadonlyArray<Datagram>): number =>
  datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0)
