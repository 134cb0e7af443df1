/**
 * Any datagram of the family: finds out which message it is.
 *
 * @module
 */
import * as Result from "effect/Result"
import type { Codec, Dissected, TextOptions } from "./Codec.ts"
import { HANDSHAKE_MAGIC } from "./declarations/handshake.ts"
import type { DecodeError } from "./Errors.ts"
import { EncodeError, HEX_SHOWN_BYTES, Malformed } from "./Errors.ts"
import { toHex } from "./Hex.ts"
import { isBytes, noDatagram, read } from "./internal/edge.ts"
import { HEADER_BYTES, isConnectionless, isSplit } from "./internal/header.ts"
import type { Message } from "./Message.ts"
import * as codecs from "./Message.ts"

/**
 * Reads one whole datagram: a reply, a request, or a message of an open connection. A reply that came in fragments has to be joined
 * first, see `Reassembler`.
 *
 * @example
 * import { decode } from "@sourcewire/protocol"
 * const result = decode(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x41, 0x4b, 0xa1, 0xd5, 0x22))
 */
export const decode = (datagram: Uint8Array, options?: TextOptions): Result.Result<Message, DecodeError> => {
  const codec = codecOf(datagram)
  return codec instanceof Malformed ? Result.fail(codec) : codec.decode(datagram, options)
}

/** Writes a message as one whole datagram. Cutting it into fragments is the matter of `splitDatagram`. */
export const encode = (message: Message, options?: TextOptions): Result.Result<Uint8Array, EncodeError> => {
  const tag: unknown = read(() => message._tag)
  if (typeof tag === "string" && Object.hasOwn(byTag, tag)) {
    return (byTag[tag as Message["_tag"]] as Codec<Message>).encode(message, options)
  }
  const text = "message must be an object whose _tag is that of a message, as in InfoRequest"
  return Result.fail(new EncodeError({ message: text, messageTag: "Message", field: "_tag" }))
}

/** Like {@link decode}, with every field's place. */
export const dissect = (datagram: Uint8Array, options?: TextOptions): Dissected<Message> => {
  const codec = codecOf(datagram)
  return codec instanceof Malformed ? { result: Result.fail(codec), fields: [] } : codec.dissect(datagram, options)
}

const byTag = codecs as { readonly [Tag in Message["_tag"]]: Codec<Extract<Message, { readonly _tag: Tag }>> }

const codecOf = (datagram: Uint8Array): Codec<Message> | Malformed => {
  if (!isBytes(datagram)) return noDatagram("Datagram", datagram)
  if (!isConnectionless(datagram)) {
    if (isSplit(datagram))
      return malformed(datagram, "header", 0, "is −2: a fragment, to be joined with the others first")
    if (datagram.length < HEADER_BYTES) return malformed(datagram, "header", 0, "needs 4 bytes")
    return looksLikeMasterRequest(datagram) ? codecs.MasterRequest : codecs.ConnectionMessage
  }
  const type = datagram[HEADER_BYTES]
  if (type === undefined) return malformed(datagram, "type", HEADER_BYTES, "is missing")
  // Document 000 prints −1 with eight FF; no message has this type, and taking it for one would shift every field.
  if (type === 0xff) return malformed(datagram, "type", HEADER_BYTES, "is a fifth FF, which is no message type")
  return typed(type, datagram)
}

/** Its type byte may as well begin a message id, so the seed has to be an address. */
const looksLikeMasterRequest = (datagram: Uint8Array): boolean => {
  if (datagram[0] !== 0x31) return false
  const nul = datagram.indexOf(0, 2)
  return (
    nul > 0 && /^\d{1,3}(\.\d{1,3}){3}:\d{1,5}$/.test(String.fromCharCode(...datagram.subarray(2, Math.min(nul, 32))))
  )
}

const typed = (type: number, datagram: Uint8Array): Codec<Message> => {
  switch (type) {
    case 0x49:
      return codecs.InfoReply
    case 0x44:
      return codecs.PlayersReply
    case 0x45:
      return codecs.RulesReply
    case 0x41:
      return challengeOrHandshake(datagram)
    case 0x6d:
      return codecs.GoldSourceInfoReply
    case 0x54:
      return codecs.InfoRequest
    case 0x55:
      return codecs.PlayersRequest
    case 0x56:
      return codecs.RulesRequest
    case 0x57:
      return codecs.GetChallengeRequest
    case 0x69:
      return endsAt(datagram, HEADER_BYTES + 1) ? codecs.PingRequest : codecs.UnknownMessage
    case 0x6a:
      return codecs.PingReply
    case 0x6c:
      return startsWith(datagram, HEADER_BYTES, "log L ") ? codecs.GoldSourceLogLine : codecs.PrintReply
    case 0x39:
      return codecs.ConnectionRejected
    case 0x71:
      return codecs.HandshakeRequest
    case 0x6b:
      return codecs.ConnectRequest
    case 0x42:
      return codecs.ConnectionAccepted
    case 0x52:
      return codecs.LogLine
    case 0x53:
      return codecs.SecretLogLine
    case 0x66:
      return datagram[HEADER_BYTES + 1] === 0x0a ? codecs.MasterReply : codecs.UnknownMessage
    case 0x63:
      return rconChallenge(datagram)
    case 0x72:
      return startsWith(datagram, HEADER_BYTES, "rcon ") ? codecs.RconRequest : codecs.UnknownMessage
    default:
      return codecs.UnknownMessage
  }
}

/** 9 bytes are a challenge; longer ones are the handshake's if its magic follows, else (`getchallenge` of ReHLDS) text. */
const challengeOrHandshake = (datagram: Uint8Array): Codec<Message> => {
  const whole = HEADER_BYTES + 5
  if (datagram.length <= whole) return codecs.ChallengeReply
  if (startsWith(datagram, HEADER_BYTES + 1, HANDSHAKE_MAGIC)) return codecs.HandshakeChallenge
  for (let i = whole; i < datagram.length; i++) if (datagram[i] !== 0) return codecs.UnknownMessage
  return codecs.ChallengeReply
}

const RCON_CHALLENGE = "challenge rcon"

const rconChallenge = (datagram: Uint8Array): Codec<Message> => {
  if (!startsWith(datagram, HEADER_BYTES, RCON_CHALLENGE)) return codecs.UnknownMessage
  const after = HEADER_BYTES + RCON_CHALLENGE.length
  if (endsAt(datagram, after)) return codecs.RconChallengeRequest
  return startsWith(datagram, after, " ") ? codecs.RconChallengeReply : codecs.UnknownMessage
}

/** Whether only blank, newline and NUL follow: what clients put after a command. */
const endsAt = (datagram: Uint8Array, position: number): boolean => {
  for (let i = position; i < datagram.length; i++) {
    const byte = datagram[i]
    if (byte !== 0 && byte !== 0x0a && byte !== 0x20) return false
  }
  return true
}

const startsWith = (datagram: Uint8Array, position: number, text: string): boolean => {
  if (datagram.length < position + text.length) return false
  for (let i = 0; i < text.length; i++) if (datagram[position + i] !== text.charCodeAt(i)) return false
  return true
}

const malformed = (datagram: Uint8Array, field: string, offset: number, reason: string): Malformed =>
  new Malformed({
    message: `the datagram's ${field} at byte ${offset} ${reason}`,
    messageTag: "Datagram",
    field,
    offset,
    hex: toHex(datagram, 0, Math.min(datagram.length, HEX_SHOWN_BYTES))
  })
