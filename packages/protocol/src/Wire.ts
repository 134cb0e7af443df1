/**
 * Reads the beginning of a datagram: four bytes that mark the datagram as complete or as a fragment, then the type byte, then (in some
 * messages) a challenge. The declarations describe all further fields. `internal/splitHeader.ts` reads the rest of a fragment's header.
 */
import * as types from "./MessageType.ts"

/**
 * The type byte of each message, by Valve's name for the message. This constant is an object and not a namespace export (`export * as`),
 * because bundlers convert a namespace to an object that calls a function for each access to a name. A function creates the object, so
 * that bundlers can remove the object if a program does not use it.
 */
export const MessageType: Readonly<typeof types> = /* @__PURE__ */ (() => Object.freeze({ ...types }))()

/**
 * Number of bytes before the type byte of a connectionless message. Requests to a master server are not connectionless messages; they begin
 * with the type byte.
 */
export const HEADER_BYTES = 4

/** Size of an S2C_CHALLENGE, and of requests that contain only a challenge: header, type byte and challenge. */
export const CHALLENGE_BYTES = HEADER_BYTES + 1 + 4

/** The mark of a complete connectionless message: FF FF FF FF, or −1 as a `long`. */
export const WHOLE = 0xffffffff

/** The mark of a fragment of a split reply: FE FF FF FF, or −2 as a `long`. */
export const SPLIT = 0xfffffffe

/**
 * Whether a value is a `Uint8Array`. A `Buffer` is also a `Uint8Array`. The function accepts arrays of other realms (test runners, frames),
 * and rejects arrays whose memory was transferred, for example to another thread.
 */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) &&
  (value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]") &&
  ((value as Uint8Array).length > 0 || (value.buffer as ArrayBuffer).detached !== true)

/** Reads the 32-bit number (Valve's `long`) at the offset `at` as an unsigned number. */
export const u32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0

/** Whether a datagram is a complete connectionless message. */
export const isConnectionless = (datagram: Uint8Array): boolean => isBytes(datagram) && u32(datagram, 0) === WHOLE

/** Whether a datagram is a fragment of a split reply. */
export const isSplit = (datagram: Uint8Array): boolean => datagramKind(datagram) === FRAGMENT

/** The number that {@link datagramKind} returns for a fragment, in place of a type byte. */
export const FRAGMENT = -2

/**
 * Returns the type byte of a connectionless message, {@link FRAGMENT} for a fragment, and −1 for any other datagram. Call this function
 * once instead of calling both {@link isConnectionless} and {@link isSplit}.
 */
export const datagramKind = (datagram: Uint8Array): number => {
  // Compares single bytes, because a number as large as FF FF FF FF is a heap object until V8 compiles the code.
  if (!isBytes(datagram) || (datagram[1]! & datagram[2]! & datagram[3]!) !== 0xff) return -1
  const first = datagram[0]
  if (first === 0xff) return datagram[HEADER_BYTES] ?? -1
  return first === 0xfe ? FRAGMENT : -1
}

/** The type byte of a connectionless message, even if {@link MessageType} does not contain it; −1 for any other datagram. */
export const messageType = (datagram: Uint8Array): number => Math.max(-1, datagramKind(datagram))

/**
 * If an S2C_CHALLENGE contains this text in place of the challenge, the datagram is a reply to a handshake request, and this reply has the
 * form of Source 2013.
 */
export const HANDSHAKE_MAGIC = "3IOZ"

/**
 * Maximum version of the network protocol. INFO has one byte for this version. This number distinguishes two connect requests: the request
 * of Source 2013 begins with the version of the network protocol, and the request of CS:GO begins with the version of the program, which is
 * above 10,000.
 */
export const MAX_PROTOCOL_VERSION = 0xff

/** Whether a datagram is the S2C_CHALLENGE of a Source 2013 handshake. */
export const isHandshakeChallenge = (datagram: Uint8Array): boolean =>
  messageType(datagram) === types.S2C_CHALLENGE &&
  datagram.length > CHALLENGE_BYTES &&
  String.fromCharCode(...datagram.subarray(HEADER_BYTES + 1, CHALLENGE_BYTES)) === HANDSHAKE_MAGIC

/**
 * The challenge in an S2C_CHALLENGE; `undefined` for any other datagram. NULs after the challenge are ignored, because some servers append
 * NULs. A reply to a handshake request has the same type byte. For this reply, the result is also `undefined`.
 */
export const readChallenge = (datagram: Uint8Array, type: number = messageType(datagram)): number | undefined => {
  if (type !== types.S2C_CHALLENGE || datagram.length < CHALLENGE_BYTES) return undefined
  if (datagram.length > CHALLENGE_BYTES) {
    if (isHandshakeChallenge(datagram)) return undefined
    for (let i = CHALLENGE_BYTES; i < datagram.length; i++) if (datagram[i] !== 0) return undefined
  }
  return u32(datagram, HEADER_BYTES + 1) | 0
}
