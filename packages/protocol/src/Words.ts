/** Messages that are told by words: text behind the header, one byte per character. */
import { demandText } from "./internal/edge.ts"
import { HEADER_BYTES, isConnectionless, WHOLE } from "./Wire.ts"

/** Whether a text of one byte per character follows the header of a connectionless message. */
export const beginsWith = (datagram: Uint8Array, latin1: string): boolean => {
  demandText(latin1, "latin1")
  if (!isConnectionless(datagram) || datagram.length < HEADER_BYTES + latin1.length) return false
  for (let i = 0; i < latin1.length; i++) if (datagram[HEADER_BYTES + i] !== latin1.charCodeAt(i)) return false
  return true
}

/** The header and a text of one byte per character (the type, and what follows) as a datagram. */
export const connectionless = (latin1: string): Uint8Array => {
  demandText(latin1, "latin1")
  const datagram = new Uint8Array(HEADER_BYTES + latin1.length)
  new DataView(datagram.buffer).setUint32(0, WHOLE)
  for (let i = 0; i < latin1.length; i++) datagram[HEADER_BYTES + i] = latin1.charCodeAt(i)
  return datagram
}

/** Whether it is a GoldSource server's log line, which is an A2C_PRINT by its type. */
export const isGoldSourceLog = (datagram: Uint8Array): boolean => beginsWith(datagram, "log L ")
