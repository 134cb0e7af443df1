/** Recognizes and builds messages whose kind is determined by their text. The text follows the header, with one byte per character. */
import { demandText } from "./internal/edge.ts"
import { HEADER_BYTES, isConnectionless, WHOLE } from "./Wire.ts"

/**
 * Whether a datagram is a connectionless message whose bytes after the header begin with the text `latin1`. The text has one byte per
 * character.
 */
export const beginsWith = (datagram: Uint8Array, latin1: string): boolean => {
  demandText(latin1, "latin1")
  if (!isConnectionless(datagram) || datagram.length < HEADER_BYTES + latin1.length) return false
  for (let i = 0; i < latin1.length; i++) if (datagram[HEADER_BYTES + i] !== latin1.charCodeAt(i)) return false
  return true
}

/**
 * Builds a datagram from the header and a text. The text contains the type byte and the rest of the message, with one byte per character.
 */
export const connectionless = (latin1: string): Uint8Array => {
  demandText(latin1, "latin1")
  const datagram = new Uint8Array(HEADER_BYTES + latin1.length)
  new DataView(datagram.buffer).setUint32(0, WHOLE)
  for (let i = 0; i < latin1.length; i++) datagram[HEADER_BYTES + i] = latin1.charCodeAt(i)
  return datagram
}

/** Whether a datagram is a log line of a GoldSource server. The first letter of such a line is equal to the type byte of A2C_PRINT. */
export const isGoldSourceLog = (datagram: Uint8Array): boolean => beginsWith(datagram, "log L ")
