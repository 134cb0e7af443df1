/**
 * The parts, for programs that read from sockets of their own: a codec for every message, the header and type of a datagram, joining
 * and making of split replies, texts, and the packets of Source RCON.
 *
 * @module
 */
export type { Codec } from "./Codec.ts"
export { dissectAs, encodeAs } from "./internal/interpret/byCodec.ts"
export type { Declaration } from "./declarations/Declaration.ts"
export { declarationOf } from "./declarations/declarations.ts"
export { ChecksumMismatch, InvalidOption, LimitExceeded } from "./Errors.ts"
export { withoutFtl } from "./Ftl.ts"
export { REQUESTS } from "./generated/requests.ts"
export * as Limits from "./Limits.ts"
export * from "./Message.ts"
export * from "./SourceRcon.ts"
export * from "./Split.ts"
export * from "./Meaning.ts"
export { dissectFragment } from "./SplitDissection.ts"
export { decodeText, ENCODINGS, encodeText } from "./Text.ts"
export { TaggedError } from "./TaggedError.ts"
export {
  CHALLENGE_BYTES,
  challengeOf,
  FRAGMENT,
  HEADER_BYTES,
  isConnectionless,
  isHandshakeChallenge,
  isSplit,
  kindOf,
  MessageType,
  messageType
} from "./Wire.ts"
export * from "./Words.ts"
