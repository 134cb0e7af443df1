/** Decodes any datagram of the protocols, and determines its kind of message. */
import type * as Result from "effect/Result"
import { fail } from "./internal/result.ts"
import type { Codec } from "./Codec.ts"
import { type Dissected, dissectAs, encodeAs } from "./internal/interpret/byCodec.ts"
import { type DissectedField, addUnread } from "./Dissection.ts"
import { type DecodeError, EncodeError, Malformed } from "./Errors.ts"
import { noDatagram, read } from "./internal/edge.ts"
import { malformed } from "./internal/malformed.ts"
import type { Message } from "./Message.ts"
import * as codecs from "./Message.ts"
import * as MessageType from "./MessageType.ts"
import type { TextOptions } from "./Text.ts"
import {
  CHALLENGE_BYTES,
  readChallenge,
  HEADER_BYTES,
  isBytes,
  isConnectionless,
  isHandshakeChallenge,
  isSplit,
  MAX_PROTOCOL_VERSION,
  u32
} from "./Wire.ts"
import { beginsWith, isGoldSourceLog } from "./Words.ts"

/**
 * Decodes one complete datagram: a reply, a request, or a message of an open connection. The fragments of a split reply must be joined
 * first; see `Reassembler`.
 *
 * @example
 * import { decode } from "@sourcewire/protocol"
 * const result = decode(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x41, 0x4b, 0xa1, 0xd5, 0x22))
 */
export const decode = (datagram: Uint8Array, options?: TextOptions): Result.Result<Message, DecodeError> => {
  const codec = findCodec(datagram)
  return codec instanceof Malformed ? fail(codec) : codec.decode(datagram, options)
}

/** Encodes a message as one complete datagram. To split the datagram into fragments, use `splitDatagram`. */
export const encode = (message: Message, options?: TextOptions): Result.Result<Uint8Array, EncodeError> => {
  const tag: unknown = read(() => message._tag)
  if (typeof tag === "string" && Object.hasOwn(byTag, tag)) {
    return encodeAs(byTag[tag as Message["_tag"]] as Codec<Message>, message, options)
  }
  const text = "message must be an object with the _tag of a message, such as InfoRequest"
  return fail(new EncodeError({ message: text, messageTag: "Message", field: "_tag" }))
}

/** Decodes a datagram like {@link decode}, and also returns the position of every field. */
export const dissect = (datagram: Uint8Array, options?: TextOptions): Dissected<Message> => {
  const codec = findCodec(datagram)
  if (!(codec instanceof Malformed)) return dissectAs(codec, datagram, options)
  const fields: Array<DissectedField> = []
  if (isBytes(datagram)) addUnread(fields, datagram)
  return { result: fail(codec), fields }
}

const byTag = codecs as { readonly [Tag in Message["_tag"]]: Codec<Extract<Message, { readonly _tag: Tag }>> }

const findCodec = (datagram: Uint8Array): Codec<Message> | Malformed => {
  if (!isBytes(datagram)) return noDatagram("Datagram", datagram)
  if (!isConnectionless(datagram)) {
    if (isSplit(datagram))
      return refused(datagram, "header", 0, "is −2: a fragment, to be joined with the others first")
    if (datagram.length < HEADER_BYTES) return refused(datagram, "header", 0, "needs 4 bytes")
    return looksLikeMasterRequest(datagram) ? codecs.MasterRequest : codecs.ConnectionMessage
  }
  const type = datagram[HEADER_BYTES]
  if (type === undefined) return refused(datagram, "type", HEADER_BYTES, "is missing")
  // Document 000 (docs/protocol/document-000.md) shows the header −1 as eight FF bytes. A datagram that begins with eight FF bytes is
  // rejected: no message has the type FF, and the decoder would read every field at a wrong offset.
  if (type === 0xff) return refused(datagram, "type", HEADER_BYTES, "is a fifth FF, which is no message type")
  return typed(type, datagram)
}

/**
 * Whether a datagram is a request to a master. A message of an open connection can begin with the same byte as a request to a master.
 * Therefore the function also requires an address at the position of the field `seed`.
 */
const looksLikeMasterRequest = (datagram: Uint8Array): boolean => {
  if (datagram[0] !== MessageType.A2M_GET_SERVERS_BATCH2) return false
  const nul = datagram.indexOf(0, 2)
  return (
    nul > 0 && /^\d{1,3}(\.\d{1,3}){3}:\d{1,5}$/.test(String.fromCharCode(...datagram.subarray(2, Math.min(nul, 32))))
  )
}

/** The codec for each type byte. If several messages share a type byte, {@link typed} selects the codec without this table. */
const byType = /* @__PURE__ */ (() => {
  const table: Array<Codec<Message>> = []
  for (const codec of Object.values(byTag) as ReadonlyArray<Codec<Message>>) {
    const { bare, type } = codec.layout
    if (type !== undefined && bare !== true) table[type] = codec
  }
  return table
})()

const typed = (type: number, datagram: Uint8Array): Codec<Message> => {
  switch (type) {
    case MessageType.S2C_CHALLENGE:
      return challengeOrHandshake(datagram)
    case MessageType.A2S_GETCHALLENGE:
      return beginsWith(datagram, "qconnect") ? codecs.CsgoHandshakeRequest : codecs.HandshakeRequest
    case MessageType.C2S_CONNECT:
      return hasHostVersion(datagram) ? codecs.CsgoConnectRequest : codecs.ConnectRequest
    case MessageType.A2A_PING:
      if (endsAt(datagram, HEADER_BYTES + 1)) return codecs.PingRequest
      return beginsWith(datagram, AGE_REQUEST) ? codecs.ProxyAgeRequest : codecs.UnknownMessage
    case MessageType.A2C_PRINT:
      return isGoldSourceLog(datagram) ? codecs.GoldSourceLogLine : codecs.PrintReply
    case MessageType.M2A_SERVER_BATCH:
      return beginsWith(datagram, "f\n") ? codecs.MasterReply : codecs.UnknownMessage
    default:
      return byType[type] ?? command(datagram)
  }
}

/**
 * Returns the codec of a datagram with the type byte S2C_CHALLENGE. If the datagram has at most nine bytes, or only NULs after the ninth
 * byte, it contains the challenge for a query. Any other datagram is a reply to a handshake request. This reply has one of three forms.
 */
const challengeOrHandshake = (datagram: Uint8Array): Codec<Message> => {
  if (datagram.length <= CHALLENGE_BYTES || readChallenge(datagram) !== undefined) return codecs.ChallengeReply
  if (isHandshakeChallenge(datagram)) return codecs.HandshakeChallenge
  return beginsWith(datagram, "A00000000 ") ? codecs.GoldSourceHandshakeChallenge : codecs.CsgoHandshakeChallenge
}

const AGE_REQUEST = "i\0sourcewire age"

const hasHostVersion = (datagram: Uint8Array): boolean =>
  datagram.length >= CHALLENGE_BYTES && u32(datagram, HEADER_BYTES + 1) > MAX_PROTOCOL_VERSION

const RCON_CHALLENGE = "challenge rcon"
const JOIN = "getchallenge"
const [NEW_LINE, SPACE] = [10, 32]

/** Returns the codec of a message that begins with a word in place of a type byte. */
const command = (datagram: Uint8Array): Codec<Message> => {
  if (beginsWith(datagram, "rcon ")) return codecs.RconRequest
  if (beginsWith(datagram, "print\n")) return codecs.QuakePrint
  if (beginsWith(datagram, "s\n") && datagram.length >= HEADER_BYTES + 2 + 4) return codecs.MasterChallenge
  if (beginsWith(datagram, JOIN)) {
    const next = datagram[HEADER_BYTES + JOIN.length]
    const isWord = next === undefined || next === 0 || next === NEW_LINE || next === SPACE
    return isWord ? codecs.GoldSourceHandshakeRequest : codecs.UnknownMessage
  }
  if (!beginsWith(datagram, RCON_CHALLENGE)) return codecs.UnknownMessage
  if (endsAt(datagram, HEADER_BYTES + RCON_CHALLENGE.length)) return codecs.RconChallengeRequest
  return beginsWith(datagram, `${RCON_CHALLENGE} `) ? codecs.RconChallengeReply : codecs.UnknownMessage
}

/**
 * Whether the datagram ends at `position`, or contains only spaces, newlines and NULs from `position` on. Some clients send spaces,
 * newlines or NULs after a command.
 */
const endsAt = (datagram: Uint8Array, position: number): boolean => {
  for (let i = position; i < datagram.length; i++) {
    const byte = datagram[i]
    if (byte !== 0 && byte !== 0x0a && byte !== 0x20) return false
  }
  return true
}

const refused = (datagram: Uint8Array, field: string, offset: number, reason: string): Malformed =>
  malformed("Datagram", datagram, field, offset, `the datagram's ${field} at byte ${offset} ${reason}`)
