/**
 * What can be asked of a server: per kind of query the datagrams that open it and the replies that end it. Data for the exchange,
 * no behaviour over time.
 */
import {
  ChallengeReply,
  GoldSourceInfoReply,
  InfoReply,
  PingReply,
  PlayersReply,
  RulesReply
} from "@sourcewire/protocol"
import type { DecodeError, Encoding } from "@sourcewire/protocol"
import { MessageType, messageType, REQUESTS } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { demand, isObject, readable } from "../edge.ts"

/** Sign of life: which kind of request was answered. */
export interface Pong {
  /** `ping` for A2A_PING, `info` for A2S_INFO (an answer or a challenge). */
  readonly via: "ping" | "info"
  /** What A2A_ACK carried; absent for `info`. */
  readonly payload?: string
}

/** A request in bytes: as it opens the query, and with a challenge. */
interface Request {
  readonly opening: Uint8Array
  /** Absent where a challenge is no part of the request. */
  readonly withChallenge?: (challenge: number) => Uint8Array
}

/** A kind of query. */
export interface Query<A> {
  /** As in the client's API. */
  readonly name: "info" | "players" | "rules" | "ping" | "challenge"
  /** Valve's name, for messages to people. */
  readonly valve: string
  readonly request: Request
  /**
   * Another request worth trying after so many silences: old engines hand out challenges only for GETCHALLENGE, new ones have no ping.
   * `instead`: in turn with the opening, rather than just before it.
   */
  readonly alternate?: { readonly packet: Uint8Array; readonly after: number; readonly instead: boolean }
  /** What silence to it says, where that is known: then it is waited for once, for as long as an answer takes. */
  readonly silence?: A
  /** Whether its silence is worth a question whether the server is there at all; see `Timeout.alive`. */
  readonly asksForLife?: boolean
  /** Whether a reply of this type is (part of) the answer; any other type is somebody else's. */
  readonly accepts: (type: number) => boolean
  /** Whether a reply of this type can only be to {@link Query.alternate}. */
  readonly answersAlternate?: (type: number) => boolean
  /** `type` is that of the datagram, for who knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
  /** The answer if it is of the old dialect, after which one of the new may follow. A method, so that queries of all kinds fit one list. */
  legacyOf?(answer: A): GoldSourceInfoReply | undefined
}

/** A request with another number in it, at an offset: a copy is far cheaper than encoding anew. */
export const numbered = (request: Uint8Array, at: number, number: number): Uint8Array => {
  const packet = request.slice()
  // A DataView for each would cost as much as all the rest.
  packet[at] = number
  packet[at + 1] = number >> 8
  packet[at + 2] = number >> 16
  packet[at + 3] = number >> 24
  return packet
}

/** The challenge stands in the last four bytes of each request that has one. */
const patched =
  (request: Uint8Array) =>
  (challenge: number): Uint8Array =>
    numbered(request, request.length - 4, challenge)

/** A2S_INFO, answered in either dialect. */
export const info: Query<InfoReply | GoldSourceInfoReply> = {
  name: "info",
  valve: "A2S_INFO",
  asksForLife: true,
  request: {
    opening: REQUESTS.info,
    withChallenge: patched(REQUESTS.challengedInfo)
  },
  accepts: (type) => type === MessageType.S2A_INFO_SRC || type === MessageType.S2A_INFO_DETAILED,
  decode: (
    datagram,
    encoding,
    type = messageType(datagram)
  ): Result.Result<InfoReply | GoldSourceInfoReply, DecodeError> =>
    type === MessageType.S2A_INFO_SRC
      ? InfoReply.decode(datagram, { encoding })
      : GoldSourceInfoReply.decode(datagram, { encoding }),
  legacyOf: (answer) => (answer._tag === "GoldSourceInfoReply" ? answer : undefined)
}

/** A2S_PLAYER: asks who plays. */
export const players: Query<PlayersReply> = {
  name: "players",
  valve: "A2S_PLAYER",
  asksForLife: true,
  request: { opening: REQUESTS.players, withChallenge: patched(REQUESTS.players) },
  alternate: { packet: REQUESTS.challenge, after: 2, instead: false },
  accepts: (type) => type === MessageType.S2A_PLAYER,
  decode: (datagram, encoding) => PlayersReply.decode(datagram, { encoding })
}

const playersOfEmpty: Query<PlayersReply> = {
  ...players,
  silence: { _tag: "PlayersReply", announced: 0, players: [], truncated: false }
}

const isEmpty = ({ bots = 0, players: count }: InfoReply | GoldSourceInfoReply): boolean => count === 0 && bots === 0

/**
 * A2S_PLAYER to a server that has given this INFO. Where nobody plays by that, some engines (Xash3D) say nothing, which is an empty list.
 * A list that comes counts, whatever INFO says: HLTV's counts spectators.
 */
export const playersAfter = (info: InfoReply | GoldSourceInfoReply): Query<PlayersReply> => {
  demand("info", "an object", isObject, info)
  return Result.getOrThrow(readable(() => (isEmpty(info) ? playersOfEmpty : players), "info"))
}

/** A2S_RULES: asks for the public settings. */
export const rules: Query<RulesReply> = {
  name: "rules",
  valve: "A2S_RULES",
  asksForLife: true,
  request: { opening: REQUESTS.rules, withChallenge: patched(REQUESTS.rules) },
  alternate: { packet: REQUESTS.challenge, after: 2, instead: false },
  accepts: (type) => type === MessageType.S2A_RULES,
  decode: (datagram, encoding) => RulesReply.decode(datagram, { encoding })
}

/** GETCHALLENGE, or where that is not known a challenge by way of A2S_PLAYER. */
export const challenge: Query<ChallengeReply> = {
  name: "challenge",
  valve: "GETCHALLENGE",
  request: { opening: REQUESTS.challenge },
  alternate: { packet: REQUESTS.players, after: 1, instead: true },
  accepts: (type) => type === MessageType.S2C_CHALLENGE,
  decode: (datagram) => ChallengeReply.decode(datagram)
}

const isPong = (type: number): boolean => type === MessageType.A2A_ACK
const isInfoOrChallenge = (type: number): boolean => info.accepts(type) || type === MessageType.S2C_CHALLENGE

const decodePong = (datagram: Uint8Array, encoding: Encoding): Result.Result<Pong, DecodeError> =>
  isPong(messageType(datagram))
    ? Result.map(PingReply.decode(datagram, { encoding }), ({ payload }): Pong => ({ via: "ping", payload }))
    : Result.succeed({ via: "info" })

/** A2A_PING alone: silence where the server has dropped it, as newer ones have. */
export const ping: Query<Pong> = {
  name: "ping",
  valve: "A2A_PING",
  request: { opening: REQUESTS.ping },
  accepts: isPong,
  decode: decodePong
}

/** A2S_INFO as a ping: whatever comes back first proves the round trip. */
export const infoPing: Query<Pong> = {
  name: "ping",
  valve: "A2S_INFO",
  request: { opening: REQUESTS.info },
  accepts: isInfoOrChallenge,
  decode: decodePong
}

/** A2A_PING and A2S_INFO in turn, for a server of which nothing is known. */
export const anyPing: Query<Pong> = {
  name: "ping",
  valve: "A2A_PING or A2S_INFO",
  request: { opening: REQUESTS.ping },
  alternate: { packet: REQUESTS.info, after: 1, instead: true },
  accepts: (type) => isPong(type) || isInfoOrChallenge(type),
  answersAlternate: isInfoOrChallenge,
  decode: decodePong
}

/** Each kind by its name. */
export const QUERIES = { info, players, rules, challenge, ping: anyPing }
