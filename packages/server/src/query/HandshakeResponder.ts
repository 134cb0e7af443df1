/**
 * Answers the first datagram of clients that want to join (document 004): 0x71 with 0x41 and the magic. It remembers nobody.
 *
 * **It does not amplify.** The handshake's reply is larger than the request as clients send it, so a stranger gets a plain challenge,
 * which is not, and whoever brings that back in place of its own number gets the handshake. Clients that pad their request get it at
 * once. Valve's servers answer everybody at once; `answersStrangers` does as they do, and lets 20 bytes to your server become about
 * 30 at somebody else's.
 *
 * @example
 * import { startServer } from "@sourcewire/emulator"
 * import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
 * import { layer } from "@sourcewire/transport-node/effect"
 * const intercept = inFront(new HandshakeResponder())
 * await using server = await startServer({ transport: layer, intercept })
 * console.log(server.port)
 */
import { liveTiming } from "@sourcewire/core/machines"
import { toHex } from "@sourcewire/protocol"
import { HandshakeChallenge, HandshakeRequest, MessageType, messageType, encodeAs } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { ChallengeIssuer, type ChallengeOptions } from "./Challenge.ts"
import { RateLimiter } from "../limits/RateLimit.ts"
import { demand, func } from "../edge.ts"
import { answering, handshakeOptions } from "../shapes.ts"
import { NOTHING } from "./prepare.ts"
import { type Answering, challengeReply, type Intercept } from "./Responder.ts"

/** What a server says of itself in the handshake, and to whom. */
export interface HandshakeResponderOptions {
  /** How users are to prove who they are. Default 3, which is Steam. */
  readonly authProtocol?: number
  /** Default none. */
  readonly encryptionKey?: Uint8Array
  /** What follows the key: not documented, so sent as given. Default nothing. */
  readonly rest?: Uint8Array
  /** Whether those who have proved nothing get more bytes than they sent. Default no. */
  readonly answersStrangers?: boolean
  /** How much one address may get beyond what it sent. Unlimited unless given, or 100 a second where strangers are answered. */
  readonly limit?: RateLimiter
  /** How challenges are made; by default bound to address and port, for 30 to 60 s. */
  readonly challenge?: ChallengeOptions
}

const NO_BYTES = new Uint8Array(0)

/** More than anybody joins from one address, and too little to flood it with. */
const STRANGERS_PER_SECOND = 100

/** Answers those who want to join. All replies of one responder have the same size. */
export class HandshakeResponder implements Answering {
  readonly #options: HandshakeResponderOptions
  readonly #limit: RateLimiter | undefined
  /** Proofs that a client gets what is sent to it. */
  readonly #proofs: ChallengeIssuer
  /** The challenges in the handshakes; what a client is to bring along when it connects. */
  readonly #challenges: ChallengeIssuer

  constructor(options: HandshakeResponderOptions = {}) {
    demand(handshakeOptions, options)
    const challenge: ChallengeOptions = { bind: "endpoint", ...options.challenge }
    this.#options = options
    const isOpen = options.answersStrangers === true
    this.#limit = options.limit ?? (isOpen ? new RateLimiter({ perSecond: STRANGERS_PER_SECOND }) : undefined)
    this.#proofs = new ChallengeIssuer(challenge)
    this.#challenges = new ChallengeIssuer(challenge)
  }

  /** Whether a challenge is one that this client got in a handshake, and not too long ago. */
  accepts(serverChallenge: number, address: string, port: number, now: number): boolean {
    return this.#challenges.accepts(serverChallenge, address, port, now)
  }

  respond(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    if (messageType(datagram) !== MessageType.A2S_GETCHALLENGE) return NOTHING
    const request = HandshakeRequest.decode(datagram)
    if (Result.isFailure(request)) return NOTHING
    const { challenge } = request.success
    const reply = this.#reply(challenge, address, port, now)
    if (reply.length <= datagram.length) return [reply]
    const isKnown = this.#options.answersStrangers === true || this.#proofs.accepts(challenge, address, port, now)
    if (!isKnown) return [challengeReply(this.#proofs.issue(address, port, now))]
    return this.#limit?.allows(address, now, reply.length) === false ? NOTHING : [reply]
  }

  #reply(clientChallenge: number, address: string, port: number, now: number): Uint8Array {
    const { authProtocol = 3, encryptionKey = NO_BYTES, rest = NO_BYTES } = this.#options
    return Result.getOrThrow(
      encodeAs(HandshakeChallenge, {
        _tag: "HandshakeChallenge",
        serverChallenge: this.#challenges.issue(address, port, now),
        clientChallenge,
        authProtocol,
        encryptionKeySize: encryptionKey.length,
        encryptionKey: toHex(encryptionKey),
        rest: toHex(rest)
      })
    )
  }
}

/**
 * Puts a responder in front of an emulated server: `startServer({ intercept: inFront(new HandshakeResponder()) })`. What it answers,
 * the server does not see.
 */
export const inFront = (responder: Answering, now: () => number = liveTiming.now): Intercept => {
  demand(answering, responder, "responder")
  demand(func, now, "now")
  return (datagram, address, port, reply) => {
    const replies = responder.respond(datagram, address, port, now())
    for (const one of replies) reply(one)
    return replies.length > 0
  }
}
