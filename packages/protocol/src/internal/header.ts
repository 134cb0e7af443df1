/**
 * The four bytes every datagram of the family begins with.
 *
 * @module
 */

import { isBytes } from "./edge.ts"

/** Bytes of the header of a connectionless message: −1. */
export const HEADER_BYTES = 4

/** Whether a datagram starts with −1 (FF FF FF FF): a whole connectionless message. */
export const isConnectionless = (datagram: Uint8Array): boolean =>
  isBytes(datagram) &&
  datagram.length >= HEADER_BYTES &&
  datagram[0] === 0xff &&
  datagram[1] === 0xff &&
  datagram[2] === 0xff &&
  datagram[3] === 0xff

/** Whether a datagram starts with −2 (FE FF FF FF): a fragment of a split reply. */
export const isSplit = (datagram: Uint8Array): boolean =>
  isBytes(datagram) &&
  datagram.length >= HEADER_BYTES &&
  datagram[0] === 0xfe &&
  datagram[1] === 0xff &&
  datagram[2] === 0xff &&
  datagram[3] === 0xff
