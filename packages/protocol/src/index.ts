/**
 * Valve's game-server query protocols as typed codecs, which convert bytes to messages, and messages to bytes. The package uses no
 * network and no clock.
 *
 * @module
 */
export type { Dissected } from "./internal/interpret/byCodec.ts"
export { decode, dissect, encode } from "./Datagram.ts"
export type { DissectedField } from "./Dissection.ts"
export { EncodeError, Malformed, type DecodeError } from "./Errors.ts"
export { fromHex, toHex } from "./Hex.ts"
export { ChallengeReply, GoldSourceInfoReply, InfoReply, PingReply, PlayersReply, RulesReply } from "./Message.ts"
export type { Message, Player, Rule } from "./Message.ts"
export type { Encoding, TextOptions } from "./Text.ts"
