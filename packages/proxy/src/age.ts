/**
 * The age request: a proxy uses it to query another proxy for the age of its replies, like the `Age` header of HTTP. Without ages, proxies
 * that query each other in a circle would confirm each other's stale replies forever. Each proxy adds the time for which it stored a reply
 * to the age that its upstream reported for this reply.
 *
 * The request is an A2A_PING with bytes after its NUL. A game server treats this request as a ping or ignores it. The reply is no larger
 * than the request.
 */
import type { Query } from "@sourcewire/core/query"
import { connectionless, MessageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Part, PARTS } from "./cache.ts"

/** For each kind of reply, the time in ms since the game server sent the last reply of this kind; absent if there was no such reply. */
export type Ages = { readonly [P in Part]?: number | undefined }

const MARK = "sourcewire age"

const REQUEST_BYTES = 64

/**
 * The maximum age that a proxy reports, in ms: 11 days. A proxy stops serving INFO, PLAYER and RULES replies long before they reach this
 * age.
 */
const MAX_AGE_MS = 999_999_999

const REQUEST = new Uint8Array(REQUEST_BYTES)
REQUEST.set(connectionless(`i\0${MARK}`))

export const isAgeRequest = (datagram: Uint8Array): boolean =>
  datagram.length === REQUEST_BYTES && REQUEST.every((byte, at) => datagram[at] === byte)

export const ageReply = (ages: Ages): Uint8Array => {
  // Round up. If each proxy of a chain rounded down, the last proxy would report an age that is too low.
  const numbers = PARTS.map((part) => ages[part]).map((age) =>
    age === undefined ? "-" : Math.min(MAX_AGE_MS, Math.max(0, Math.ceil(age)))
  )
  return connectionless(`j${MARK} ${numbers.join(" ")}\0`)
}

const parseAges = (datagram: Uint8Array): Ages | "none" => {
  const text = String.fromCharCode(...datagram.subarray(5, REQUEST_BYTES))
  const numbers = new RegExp(`^${MARK} (\\d+|-) (\\d+|-) (\\d+|-)\\0$`).exec(text)?.slice(1)
  if (numbers === undefined) return "none"
  const [info, players, rules] = numbers.map((age) => (age === "-" ? undefined : Number(age)))
  return { info, players, rules }
}

/** The age request as a query. If the reply is an ordinary ping reply, which a game server would send, the result is `"none"`. */
export const ageQuery: Query.Query<Ages | "none"> = {
  name: "ping",
  valve: "A2A_PING",
  opening: REQUEST,
  answers: [MessageType.A2A_ACK],
  decode: (datagram) => Result.succeed(parseAges(datagram))
}
