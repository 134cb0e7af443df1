/** The queries that only show whether a server replies: A2A_PING, GETCHALLENGE, and A2S_INFO as a ping. */
import { ChallengeReply, type DecodeError, type Encoding, PingReply } from "@sourcewire/protocol"
import { MessageType, messageType, REQUESTS } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Query } from "./kind.ts"
import { info } from "./info.ts"

/**
 * The query for a challenge. The query sends GETCHALLENGE and A2S_PLAYER in turn, because servers without GETCHALLENGE send a challenge in
 * reply to A2S_PLAYER.
 */
export const challenge: Query<ChallengeReply> = {
  name: "challenge",
  valve: "GETCHALLENGE",
  opening: REQUESTS.challenge,
  alternate: { packet: REQUESTS.players, instead: true },
  answers: [MessageType.S2C_CHALLENGE],
  decode: (datagram) => ChallengeReply.decode(datagram)
}

/** The result of a ping. */
export interface Pong {
  /** The request that the server replied to: `ping` for A2A_PING, `info` for A2S_INFO. A challenge counts as a reply to A2S_INFO. */
  readonly via: "ping" | "info"
  /** The payload of A2A_ACK; absent for `info`. */
  readonly payload?: string
}

const infoOrChallenge = [...info.answers, MessageType.S2C_CHALLENGE]

const decode = (datagram: Uint8Array, encoding: Encoding): Result.Result<Pong, DecodeError> =>
  messageType(datagram) === MessageType.A2A_ACK
    ? Result.map(PingReply.decode(datagram, { encoding }), ({ payload }): Pong => ({ via: "ping", payload }))
    : Result.succeed({ via: "info" })

/** A ping that sends only A2A_PING. Servers of newer engine versions do not reply to A2A_PING. */
export const ping: Query<Pong> = {
  name: "ping",
  valve: "A2A_PING",
  opening: REQUESTS.ping,
  answers: [MessageType.A2A_ACK],
  decode
}

/** A ping that sends only A2S_INFO. The first reply ends the query, even if this reply is a challenge. */
export const infoPing: Query<Pong> = {
  name: "ping",
  valve: "A2S_INFO",
  opening: REQUESTS.info,
  answers: infoOrChallenge,
  decode
}

/** A ping for a server whose engine is unknown. The query sends A2A_PING and A2S_INFO in turn. */
export const anyPing: Query<Pong> = {
  name: "ping",
  valve: "A2A_PING or A2S_INFO",
  opening: REQUESTS.ping,
  alternate: { packet: REQUESTS.info, instead: true, answers: infoOrChallenge },
  answers: [MessageType.A2A_ACK, ...infoOrChallenge],
  decode
}
