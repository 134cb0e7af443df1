/**
 * Valve's game-server query protocols as typed codecs: bytes to messages and back. Pure: no I/O, no clock.
 *
 * @module
 */
export type { Codec, Dissected, TextOptions } from "./Codec.ts"
export { decode, dissect, encode } from "./Datagram.ts"
export type { DissectedField } from "./Dissection.ts"
export * from "./Errors.ts"
export { withoutFtl } from "./Ftl.ts"
export { fromHex, toHex } from "./Hex.ts"
export { isConnectionless } from "./internal/header.ts"
export * as Limits from "./Limits.ts"
export * from "./Message.ts"
export type { Joined, JoinedFragment, ReassemblerOptions, SplitLayout, SplitLimits, SplitOptions } from "./Split.ts"
export { isSplit, join, Reassembler, splitDatagram } from "./Split.ts"
export { dissectFragment } from "./SplitDissection.ts"
export { decodeText, ENCODINGS, encodeText } from "./Text.ts"
export type { Encoding } from "./Text.ts"
