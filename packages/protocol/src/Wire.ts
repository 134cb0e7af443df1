/**
 * How every datagram of the family begins: four bytes that say whether it is whole, and the byte of its type. The one place that
 * knows them; what follows the type is in the declarations, the rest of a fragment's header in `internal/splitHeader.ts`.
 */
import { isBytes, u32 } from "./internal/bytes.ts"
import { demandText } from "./internal/edge.ts"
import * as types from "./MessageType.ts"

/** The type bytes by Valve's names, in an object: bundlers make a call of each look at a name of a module that is exported whole. */
export const MessageType = /* @__PURE__ */ Object.freeze({ ...types })

/** Bytes in front of a connectionless message's type. A request to a master server has none. */
export const HEADER_BYTES = 4

/** Bytes of S2C_CHALLENGE, and of the requests that bring the number back behind their type: header, type and number. */
export const CHALLENGE_BYTES = HEADER_BYTES + 1 + 4

/** FF FF FF FF, −1 as a `long`: a whole, connectionless message. */
export const WHOLE = 0xffffffff

/** FE FF FF FF, −2 as a `long`: a fragment of a split reply. */
export const SPLIT = 0xfffffffe

/** The header of a datagram, {@link WHOLE} or {@link SPLIT}; 0 for any other. */
const headerOf = (datagram: Uint8Array): number => {
  if (!isBytes(datagram) || datagram[3] !== 0xff || datagram[2] !== 0xff || datagram[1] !== 0xff) return 0
  return datagram[0] === 0xff ? WHOLE : datagram[0] === 0xfe ? SPLIT : 0
}

/** Whether a datagram is a whole, connectionless message. */
export const isConnectionless = (datagram: Uint8Array): boolean => headerOf(datagram) === WHOLE

/** Whether a datagram is a fragment of a split reply. */
export const isSplit = (datagram: Uint8Array): boolean => headerOf(datagram) === SPLIT

/** In the place of a type: the datagram is a fragment. */
export const FRAGMENT = -2

/** The type byte of a connectionless message, or {@link FRAGMENT}; −1 for every other datagram. One look for who asks both. */
export const kindOf = (datagram: Uint8Array): number => {
  const header = headerOf(datagram)
  if (header === SPLIT) return FRAGMENT
  return header === WHOLE && datagram.length > HEADER_BYTES ? datagram[HEADER_BYTES]! : -1
}

/** The type byte of a connectionless message, one of {@link MessageType} or another; −1 for every other datagram. */
export const messageType = (datagram: Uint8Array): number => Math.max(-1, kindOf(datagram))

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
  const datagram = new Uint8Array(HEADER_BYTES + latin1.length).fill(0xff, 0, HEADER_BYTES)
  for (let i = 0; i < latin1.length; i++) datagram[HEADER_BYTES + i] = latin1.charCodeAt(i)
  return datagram
}

/** An S2C_CHALLENGE with this text in the place of the number answers a handshake: `Z O I 3`. */
export const HANDSHAKE_MAGIC = "3IOZ"

/** Whether it is the handshake's S2C_CHALLENGE. */
export const isHandshakeChallenge = (datagram: Uint8Array): boolean =>
  beginsWith(datagram, `A${HANDSHAKE_MAGIC}`) && datagram.length > CHALLENGE_BYTES

/** Whether it is a GoldSource server's log line, which is an A2C_PRINT by its type. */
export const isGoldSourceLog = (datagram: Uint8Array): boolean => beginsWith(datagram, "log L ")

/**
 * The number in an S2C_CHALLENGE, which some servers pad with NULs; `undefined` for the handshake and the texts that share its type,
 * and for everything else.
 */
export const challengeOf = (datagram: Uint8Array, type: number = messageType(datagram)): number | undefined => {
  if (type !== types.S2C_CHALLENGE || datagram.length < CHALLENGE_BYTES) return undefined
  if (datagram.length > CHALLENGE_BYTES) {
    if (isHandshakeChallenge(datagram)) return undefined
    for (let i = CHALLENGE_BYTES; i < datagram.length; i++) if (datagram[i] !== 0) return undefined
  }
  return u32(datagram, HEADER_BYTES + 1) | 0
}
