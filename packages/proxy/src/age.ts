/**
 * How old a proxy's answers are, as it tells another proxy that asks it in a game server's place: what `Age` is to HTTP. Without it,
 * proxies that ask each other in a circle would confirm each other's answers for ever; an age only grows on its way round.
 *
 * The question is an A2A_PING with bytes after its NUL, which a game server answers as any ping or not at all. Whoever asks gets no
 * more bytes than it sent.
 */
import type { Query } from "@sourcewire/core/query"
import { connectionless, MessageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Part, PARTS } from "./cache.ts"

/** Time in ms since the game server sent each reply; absent if there is none. */
export type Ages = { readonly [P in Part]?: number | undefined }

const MARK = "sourcewire age"

const REQUEST_BYTES = 64

/** No proxy serves a reply that is nearly as old as this, in ms. */
const MAX_AGE_MS = 999_999_999

const REQUEST = new Uint8Array(REQUEST_BYTES)
REQUEST.set(connectionless(`i\0${MARK}`))

export const isAgeRequest = (datagram: Uint8Array): boolean =>
  datagram.length === REQUEST_BYTES && REQUEST.every((byte, at) => datagram[at] === byte)

export const ageReply = (ages: Ages): Uint8Array => {
  // Rounded up: no age may shrink on its way.
  const numbers = PARTS.map((part) => ages[part]).map((age) =>
    age === undefined ? "-" : Math.min(MAX_AGE_MS, Math.max(0, Math.ceil(age)))
  )
  return connectionless(`j${MARK} ${numbers.join(" ")}\0`)
}

const agesOf = (datagram: Uint8Array): Ages | "none" => {
  const text = String.fromCharCode(...datagram.subarray(5, REQUEST_BYTES))
  const numbers = new RegExp(`^${MARK} (\\d+|-) (\\d+|-) (\\d+|-)\\0$`).exec(text)?.slice(1)
  if (numbers === undefined) return "none"
  const [info, players, rules] = numbers.map((age) => (age === "-" ? undefined : Number(age)))
  return { info, players, rules }
}

/** The request, for an exchange. `"none"` is a plain reply to a ping: of a game server. */
export const ageQuery: Query.Query<Ages | "none"> = {
  name: "ping",
  valve: "A2A_PING",
  opening: REQUEST,
  answers: [MessageType.A2A_ACK],
  decode: (datagram) => Result.succeed(agesOf(datagram))
}
