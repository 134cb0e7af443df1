/**
 * The parts, for whoever reads from a socket himself: a codec for every message, joining and
 * cutting of split replies, the header and type of a datagram, texts, and the packets of Source RCON.
 *
 * @module
 */
export type { Codec } from "./Codec.ts"
export { withoutFtl } from "./Ftl.ts"
export * as Limits from "./Limits.ts"
export * from "./Message.ts"
export * from "./SourceRcon.ts"
export { join, Reassembler, splitDatagram } from "./Split.ts"
export type { Joined, JoinedFragment, ReassemblerOptions, SplitLayout, SplitLimits, SplitOptions } from "./Split.ts"
export { dissectFragment } from "./SplitDissection.ts"
export { decodeText, ENCODINGS, encodeText } from "./Text.ts"
export * from "./Wire.ts"
