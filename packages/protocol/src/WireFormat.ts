/**
 * Building blocks for programs with their own sockets: a codec for every message, the header and type of a datagram, split replies, texts,
 * and Source RCON packets.
 *
 * @module
 */
export type { Codec, FastDecoder } from "./Codec.ts"
export { dissectAs, encodeAs } from "./internal/interpret/byCodec.ts"
export type {
  AddressesElement,
  BitsElement,
  BytesElement,
  CodeElement,
  CodeNames,
  DecimalElement,
  Declaration,
  Element,
  FlagElement,
  GroupElement,
  HexadecimalElement,
  Layout,
  ListElement,
  LiteralElement,
  MarkerElement,
  NumberElement,
  NumberKind,
  QuotedElement,
  TextElement,
  WordElement
} from "./declarations/Declaration.ts"
export { findDeclaration, declarations } from "./declarations/declarations.ts"
export { ChecksumMismatch, InvalidOption, LimitExceeded } from "./Errors.ts"
export { type AnyClass, type AnyFunction, withoutFtl } from "./Ftl.ts"
export { REQUESTS } from "./generated/requests.ts"
export * as Limits from "./Limits.ts"
export * from "./Message.ts"
export * from "./SourceRcon.ts"
export * from "./Split.ts"
export * from "./Meaning.ts"
export { dissectFragment } from "./SplitDissection.ts"
export { type DecodedText, decodeText, ENCODINGS, encodeText } from "./Text.ts"
export { TaggedError } from "./TaggedError.ts"
export { unknownOption } from "./UnknownOption.ts"
export {
  CHALLENGE_BYTES,
  readChallenge,
  FRAGMENT,
  HEADER_BYTES,
  isConnectionless,
  isHandshakeChallenge,
  isSplit,
  datagramKind,
  MessageType,
  messageType
} from "./Wire.ts"
export * from "./Words.ts"
