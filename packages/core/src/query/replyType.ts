/**
 * What a datagram is a reply to, as far as its first bytes tell.
 *
 * @module
 */
import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"

const TYPE_AT = 4
const CHALLENGE_BYTES = 9

/** The type byte of a datagram with the header of a whole one, else −1. */
export const typeOf = (datagram: Uint8Array): number =>
  datagram.length > TYPE_AT &&
  datagram[0] === 0xff &&
  datagram[1] === 0xff &&
  datagram[2] === 0xff &&
  datagram[3] === 0xff
    ? datagram[TYPE_AT]!
    : -1

/** The challenge in a reply of type 0x41; `undefined` for the texts and handshakes that share its type. */
export const challengeOf = (datagram: Uint8Array): number | undefined => {
  if (datagram.length === CHALLENGE_BYTES) {
    return datagram[5]! | (datagram[6]! << 8) | (datagram[7]! << 16) | (datagram[8]! << 24)
  }
  const message = decode(datagram)
  return Result.isSuccess(message) && message.success._tag === "ChallengeReply" ? message.success.challenge : undefined
}
