/** Replies that a user wrote byte by byte, sent to every request of their kind. */
import { fromHex } from "@sourcewire/protocol"
import { type Intercept, asked, readChallenge, challengeReply } from "@sourcewire/server/machines"
import type { GivenReply } from "../bridge/Api.ts"

/** The number that a client must return if a challenge is required. Only loopback and the page's own network reach such a server. */
const CHALLENGE = 0x5357

/** Handles requests of the kinds that have given replies. All other requests get the replies of the profile. */
export const givenReplies = (given: ReadonlyArray<GivenReply>): Intercept => {
  const byKind = new Map(
    given.map(({ datagrams, request, requireChallenge = false }) => {
      const bytes = datagrams.map((hex) => fromHex(hex) ?? new Uint8Array(0))
      return [request, { bytes, requireChallenge }] as const
    })
  )
  return (datagram, _address, _port, reply) => {
    const kind = asked(datagram)
    if (typeof kind !== "string") return false
    const found = byKind.get(kind)
    if (found === undefined) return false
    const isChallenged = kind === "info" || kind === "players" || kind === "rules"
    if (found.requireChallenge && isChallenged && readChallenge(datagram, kind) === undefined) {
      reply(challengeReply(CHALLENGE))
      return true
    }
    for (const bytes of found.bytes) reply(bytes)
    return true
  }
}
