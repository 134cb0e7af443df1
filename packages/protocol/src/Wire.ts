/**
 * How every datagram of the family begins: four bytes that say whether it is whole, the byte of its type, and the number of a challenge.
 * The one place that knows them; what follows is in the declarations, the rest of a fragment's header in `internal/splitHeader.ts`.
 */
import * as types from "./MessageType.ts"

/** The type bytes by Valve's names: an object, since of a whole module bundlers make calls, and made by a function, which they leave out. */
export const MessageType = /* @__PURE__ */ (() => Object.freeze({ ...types }))()

/** Bytes in front of a connectionless message's type. A request to a master server has none. */
export const HEADER_BYTES = 4

/** Bytes of S2C_CHALLENGE, and of the requests that bring the number back behind their type: header, type and number. */
export const CHALLENGE_BYTES = HEADER_BYTES + 1 + 4

/** FF FF FF FF, −1 as a `long`: a whole, connectionless message. */
export const WHOLE = 0xffffffff

/** FE FF FF FF, −2 as a `long`: a fragment of a split reply. */
export const SPLIT = 0xfffffffe

/**
 * Whether a value is a `Uint8Array`, as a `Buffer` is one; also of another realm, as test runners and frames make them. One whose memory
 * was transferred elsewhere is none any more. What to say otherwise is in `internal/edge.ts`.
 */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) &&
  (value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]") &&
  ((value as Uint8Array).length > 0 || (value.buffer as ArrayBuffer).detached !== true)

/** Valve's unsigned `long` at `at`. */
export const u32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0

/** Whether a datagram is a whole, connectionless message. */
export const isConnectionless = (datagram: Uint8Array): boolean => isBytes(datagram) && u32(datagram, 0) === WHOLE

/** Whether a datagram is a fragment of a split reply. */
export const isSplit = (datagram: Uint8Array): boolean => kindOf(datagram) === FRAGMENT

/** In the place of a type: the datagram is a fragment. */
export const FRAGMENT = -2

/** The type byte of a connectionless message, or {@link FRAGMENT}; −1 for every other datagram. One look for who asks both. */
export const kindOf = (datagram: Uint8Array): number => {
  // Byte by byte: a number of 32 bits is an object of V8's until code is compiled.
  if (!isBytes(datagram) || (datagram[1]! & datagram[2]! & datagram[3]!) !== 0xff) return -1
  const first = datagram[0]
  if (first === 0xff) return datagram[HEADER_BYTES] ?? -1
  return first === 0xfe ? FRAGMENT : -1
}

/** The type byte of a connectionless message, one of {@link MessageType} or another; −1 for every other datagram. */
export const messageType = (datagram: Uint8Array): number => Math.max(-1, kindOf(datagram))

/** An S2C_CHALLENGE with this text in the place of the number answers a handshake: `Z O I 3`. */
export const HANDSHAKE_MAGIC = "3IOZ"

/** Largest version of a network protocol: INFO has one byte for it. Versions of CS:GO's program, which stand in the same place, are above 10,000. */
export const MAX_PROTOCOL_VERSION = 0xff

/** Whether it is the handshake's S2C_CHALLENGE in the form of Source 2013. */
export const isHandshakeChallenge = (datagram: Uint8Array): boolean =>
  messageType(datagram) === types.S2C_CHALLENGE &&
  datagram.length > CHALLENGE_BYTES &&
  String.fromCharCode(...datagram.subarray(HEADER_BYTES + 1, CHALLENGE_BYTES)) === HANDSHAKE_MAGIC

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
