/** Sends given replies, byte by byte, to every request of their kind. */
import { fromHex } from "@sourcewire/protocol"
import { readChallenge } from "@sourcewire/protocol/wire"
import { type Intercept, readRequest, withChallenge } from "@sourcewire/server/machines"
import type { GivenReply } from "./GivenReply.ts"

const readHex = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0)

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

/** Handles requests of the kinds that have given replies. All other requests get the replies of the profile. */
export const givenReplies = (given: ReadonlyArray<GivenReply>): Intercept => {
  const byKind = new Map(
    given.map(({ challenge, datagrams, request }) => [
      request,
      { datagrams: datagrams.map(readHex), challenge: challenge === undefined ? undefined : readHex(challenge) }
    ])
  )
  return (datagram, _address, _port, reply) => {
    const kind = readRequest(datagram)
    const found = typeof kind === "string" ? byKind.get(kind) : undefined
    if (found === undefined) return false
    const { challenge, datagrams } = found
    const number = challenge === undefined ? undefined : readChallenge(challenge)
    if (number !== undefined && (kind === "info" || kind === "players" || kind === "rules")) {
      // Compares the challenge itself, because a server may send the challenge 0.
      if (!isSame(withChallenge(datagram, kind, number), datagram)) {
        reply(challenge!)
        return true
      }
    }
    for (const bytes of datagrams) reply(bytes)
    return true
  }
}
