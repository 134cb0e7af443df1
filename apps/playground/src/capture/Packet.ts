/**
 * What both kinds of capture file hold.
 *
 * @module
 */

/** A frame as a capture file holds it. */
export interface Packet {
  readonly frame: Uint8Array
  readonly linkType: number
  /** Since 1970. */
  readonly timeMs: number
}
