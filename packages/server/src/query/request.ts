/**
 * Decodes requests as tolerantly as real servers do. The text of INFO may be missing or lack its NUL. Requests may be padded (Steam pads to
 * 1200 bytes) or end with unknown bytes. The challenge may be missing.
 */
import { HEADER_BYTES, messageType, MessageType } from "@sourcewire/protocol/wire"

/** Offset of the challenge in each kind of request: after header and type byte; in INFO also after `Source Engine Query` and its NUL. */
const CHALLENGE_AT = { info: 25, players: 5, rules: 5 } as const

const INFO_TEXT = Uint8Array.from("Source Engine Query", (c) => c.charCodeAt(0))

/** Maximum length of the first word of a text query, in bytes. */
const MAX_TEXT = 24

/**
 * The kind of a request. `word` is the first word of a text query, for example `details`. `text` is the complete query, for example `info
 * 49`. If the query is longer than 25 bytes, `text` is its first 25 bytes.
 */
export type QueryRequest =
  | "info"
  | "players"
  | "rules"
  | "ping"
  | "getChallenge"
  | { readonly word: string; readonly text: string }
  | undefined

/** The kind of the request in a datagram; `undefined` if no game server replies to such a datagram. */
export const readRequest = (datagram: Uint8Array): QueryRequest => {
  switch (messageType(datagram)) {
    case -1:
      return undefined
    case MessageType.A2S_INFO:
      return isInfo(datagram) ? "info" : undefined
    case MessageType.A2S_PLAYER:
      return "players"
    case MessageType.A2S_RULES:
      return "rules"
    case MessageType.A2S_SERVERQUERY_GETCHALLENGE:
      return "getChallenge"
    case MessageType.A2A_PING:
      return endsWord(datagram[HEADER_BYTES + 1]) ? "ping" : word(datagram)
    default:
      return word(datagram)
  }
}

/**
 * The challenge in a request; `undefined` if the challenge is missing, −1 or 0. If a request has no challenge, its padding may start with
 * zeros at the offset of the challenge.
 */
export const readChallenge = (datagram: Uint8Array, asked: "info" | "players" | "rules"): number | undefined => {
  const at = CHALLENGE_AT[asked]
  if (datagram.length < at + 4) return undefined
  const challenge = int32At(datagram, at)
  return challenge === -1 || challenge === 0 ? undefined : challenge
}

/** Whether the challenge in a request is −1, which requests a new challenge. */
export const requestsChallenge = (datagram: Uint8Array, asked: "info" | "players" | "rules"): boolean =>
  int32At(datagram, CHALLENGE_AT[asked]) === -1

/** Returns a copy of the request `datagram` with this challenge. */
export const withChallenge = (
  datagram: Uint8Array,
  asked: "info" | "players" | "rules",
  challenge: number
): Uint8Array => {
  const at = CHALLENGE_AT[asked]
  const changed = new Uint8Array(Math.max(datagram.length, at + 4))
  changed.set(datagram)
  new DataView(changed.buffer).setInt32(at, challenge, true)
  return changed
}

const int32At = (datagram: Uint8Array, at: number): number =>
  datagram[at]! | (datagram[at + 1]! << 8) | (datagram[at + 2]! << 16) | (datagram[at + 3]! << 24)

const isInfo = (datagram: Uint8Array): boolean => {
  const start = HEADER_BYTES + 1
  if (datagram.length === start) return true
  for (let i = 0; i < INFO_TEXT.length; i++) if (datagram[start + i] !== INFO_TEXT[i]) return false
  return true
}

/** Whether this byte ends a word: NUL, newline or space, or `undefined`, which means the end of the datagram. */
const endsWord = (byte: number | undefined): boolean =>
  byte === undefined || byte === 0 || byte === 0x0a || byte === 0x20

const word = (datagram: Uint8Array): QueryRequest => {
  let text = ""
  for (let i = HEADER_BYTES; text.length <= MAX_TEXT; i++) {
    const byte = datagram[i]
    if (byte === undefined || byte === 0 || byte === 0x0a) break
    text += String.fromCharCode(byte)
  }
  const first = text.split(" ", 1)[0]!
  return first === "" || first.length > MAX_TEXT ? undefined : { word: first, text: text.trimEnd() }
}
