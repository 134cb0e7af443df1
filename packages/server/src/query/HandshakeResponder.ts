/**
 * Replies to clients that want to join. The reply to a handshake request is a challenge. The reply to a connect request is an acceptance or
 * a rejection. After an acceptance, the responder sends nothing more to the client. The responder uses the message form of Source 2013 or
 * of CS:GO, and stores no state per client.
 *
 * **The responder does not amplify.** The full reply to a handshake request is larger than the request. Therefore an unverified address
 * first gets a plain challenge of 9 bytes. A client that returns this challenge in its next handshake request gets the full reply. A client
 * also gets the full reply if it pads its request to at least the size of this reply. Valve's servers send the full reply even to
 * unverified addresses. With `repliesToUnverified`, the responder does the same: a spoofed request of 20 bytes then causes a reply of up to
 * 61 bytes to the victim. The responder replies to a connect request only if the reply is not larger than the request, or if the request
 * contains a valid challenge.
 *
 * @example
 * import { startServer } from "@sourcewire/emulator"
 * import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
 * import { layer } from "@sourcewire/transport-node/effect"
 * const intercept = inFront(new HandshakeResponder({ form: "csgo" }))
 * await using server = await startServer({ transport: layer, intercept })
 * console.log(server.port)
 */
import { liveTiming } from "@sourcewire/core/engine"
import { toHex } from "@sourcewire/protocol"
import {
  beginsWith,
  type Codec,
  ConnectionAccepted,
  ConnectionRejected,
  ConnectRequest,
  CsgoConnectRequest,
  CsgoHandshakeChallenge,
  CsgoHandshakeRequest,
  encodeAs,
  HandshakeChallenge,
  HandshakeRequest,
  MessageType,
  messageType
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { ChallengeIssuer } from "./Challenge.ts"
import { RateLimiter } from "../limits/RateLimit.ts"
import { demand, func } from "@sourcewire/inside/checks"
import { answering, handshakeOptions } from "../shapes.ts"
import { NOTHING } from "./prepare.ts"
import type { ChallengeOptions, HandshakeBehaviour } from "./Profile.ts"
import { type Answering, challengeReply, type Intercept } from "./Responder.ts"

/** Options of a handshake responder: the data of the replies, and the conditions for accepting a client. */
export interface HandshakeResponderOptions extends HandshakeBehaviour {
  /** SteamID of the server, in decimal (default: 0). */
  readonly steamId?: string
  /** Whether Valve Anti-Cheat is on (default: false). */
  readonly vac?: boolean
  /**
   * Version of the game, as in INFO. Clients with another version are rejected (default: all versions are accepted). This option applies
   * only to the form of Source 2013.
   */
  readonly version?: string
  /**
   * The encryption key in the reply to a handshake request (default: none). Only replies in the form of Source 2013 contain this key, and
   * only if `authProtocol` is 3 (Steam).
   */
  readonly encryptionKey?: Uint8Array
  readonly rest?: Uint8Array
  /** Whether unverified addresses get replies that are larger than their requests (default: false). */
  readonly repliesToUnverified?: boolean
  /**
   * Limits, for each address, the number of replies that are larger than their requests (default: 100 per second if `repliesToUnverified`
   * is on, otherwise unlimited).
   */
  readonly limit?: RateLimiter
  /** How challenges are created (default: bound to address and port, valid for 30 to 60 s). */
  readonly challenge?: ChallengeOptions
}

const NO_BYTES = new Uint8Array(0)

/**
 * Default limit for each address if `repliesToUnverified` is on, in replies per second. The players behind one address need far fewer
 * replies than this limit, but a flood exceeds it.
 */
const UNVERIFIED_PER_SECOND = 100

/** Version of Source 2013's network protocol. */
const PROTOCOL_VERSION = 24

/** Version of CS:GO's program. */
const HOST_VERSION = 13_881

const STEAM = 3

/** The lobby number that means "no lobby". */
const NO_LOBBY = "18446744073709551615"

/** The text that Source 2013 servers send in an acceptance. */
const ZEROS = "0000000000"

/** Reasons for a rejection. The game of the player translates these keys. */
const REJECTIONS = {
  badChallenge: "#GameUI_ServerRejectBadChallenge",
  oldVersion: "#GameUI_ServerRejectOldVersion",
  badPassword: "#GameUI_ServerRejectBadPassword"
} as const

/** The fields of a connect request that determine the reply. Both message forms are decoded to these fields. */
interface Connecting {
  readonly challenge: number
  /** The client's own challenge, which the reply must repeat. Only requests in the form of Source 2013 contain it. */
  readonly clientChallenge?: number
  readonly isCurrent: boolean
  readonly password: string
}

/** Replies to clients that want to join. */
export class HandshakeResponder implements Answering {
  private readonly options: HandshakeResponderOptions
  private readonly limit: RateLimiter | undefined
  /** Issuer of the plain challenges. A client returns such a challenge in its next handshake request, to prove its address. */
  private readonly proofs: ChallengeIssuer
  /** Issuer of the challenges in full replies to handshake requests. A client returns such a challenge in its connect request. */
  private readonly challenges: ChallengeIssuer

  constructor(options: HandshakeResponderOptions = {}) {
    demand(handshakeOptions, options)
    const challenge: ChallengeOptions = { bind: "endpoint", ...options.challenge }
    this.options = options
    const isOpen = options.repliesToUnverified === true
    this.limit = options.limit ?? (isOpen ? new RateLimiter({ perSecond: UNVERIFIED_PER_SECOND }) : undefined)
    this.challenges = new ChallengeIssuer(challenge)
    // CS:GO clients return the challenge of the handshake reply in two requests: in a handshake request, to prove their address, and in the
    // connect request. Therefore `proofs` and `challenges` are the same issuer in CS:GO's form.
    this.proofs = options.form === "csgo" ? this.challenges : new ChallengeIssuer(challenge)
  }

  /** Whether this client got `serverChallenge` in a recent handshake. */
  accepts(serverChallenge: number, address: string, port: number, now: number): boolean {
    return this.challenges.accepts(serverChallenge, address, port, now)
  }

  respond(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    switch (messageType(datagram)) {
      case MessageType.A2S_GETCHALLENGE:
        return this.begin(datagram, address, port, now)
      case MessageType.C2S_CONNECT:
        return this.connect(datagram, address, port, now)
      default:
        return NOTHING
    }
  }

  private begin(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    const isCsgo = this.options.form === "csgo"
    // A Source 2013 server treats a request in CS:GO's form like a request in the form of Source 2013.
    const request: Result.Result<HandshakeRequest | CsgoHandshakeRequest, unknown> =
      isCsgo && beginsWith(datagram, "qconnect")
        ? CsgoHandshakeRequest.decode(datagram)
        : HandshakeRequest.decode(datagram)
    if (Result.isFailure(request)) return NOTHING
    const { challenge } = request.success
    const isProved = this.proofs.accepts(challenge, address, port, now)
    const reply =
      this.options.redirect !== undefined
        ? this.rejection(redirectTo(this.options.redirect), challenge)
        : isCsgo
          ? this.csgoChallenge(
              isProved && request.success._tag === "CsgoHandshakeRequest",
              challenge,
              address,
              port,
              now
            )
          : this.sourceChallenge(challenge, address, port, now)
    if (reply.length <= datagram.length) return [reply]
    if (this.options.repliesToUnverified !== true && !isProved) {
      return [challengeReply(this.proofs.issue(address, port, now))]
    }
    return this.limited(reply, address, now)
  }

  private connect(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    const connecting = this.options.form === "csgo" ? this.readCsgo(datagram) : this.readSource(datagram)
    if (connecting === undefined) return NOTHING
    const { challenge, clientChallenge, isCurrent, password } = connecting
    const isKnown = this.accepts(challenge, address, port, now)
    const { password: needed = "", redirect } = this.options
    const reason = !isKnown
      ? REJECTIONS.badChallenge
      : !isCurrent
        ? REJECTIONS.oldVersion
        : password !== needed
          ? REJECTIONS.badPassword
          : redirect === undefined
            ? undefined
            : redirectTo(redirect)
    const reply = reason === undefined ? this.acceptance(clientChallenge) : this.rejection(reason, clientChallenge)
    if (reply.length <= datagram.length) return [reply]
    return isKnown ? this.limited(reply, address, now) : NOTHING
  }

  private readSource(datagram: Uint8Array): Connecting | undefined {
    const { protocolVersion = PROTOCOL_VERSION, version } = this.options
    const request = Result.getOrUndefined(ConnectRequest.decode(datagram))
    return (
      request && {
        challenge: request.serverChallenge,
        clientChallenge: request.clientChallenge,
        isCurrent:
          request.protocolVersion === protocolVersion && (version === undefined || request.version === version),
        password: request.password
      }
    )
  }

  private readCsgo(datagram: Uint8Array): Connecting | undefined {
    const { hostVersion = HOST_VERSION } = this.options
    const request = Result.getOrUndefined(CsgoConnectRequest.decode(datagram))
    return (
      request && {
        challenge: request.challenge,
        isCurrent: request.hostVersion === hostVersion,
        password: request.password
      }
    )
  }

  private limited(reply: Uint8Array, address: string, now: number): ReadonlyArray<Uint8Array> {
    return this.limit?.allows(address, now, reply.length) === false ? NOTHING : [reply]
  }

  private sourceChallenge(clientChallenge: number, address: string, port: number, now: number): Uint8Array {
    const { authProtocol = STEAM, encryptionKey = NO_BYTES, rest = NO_BYTES, steamId = "0", vac = false } = this.options
    return encodeBytes(HandshakeChallenge, {
      _tag: "HandshakeChallenge",
      serverChallenge: this.challenges.issue(address, port, now),
      clientChallenge,
      authProtocol,
      ...(authProtocol === STEAM
        ? {
            encryptionKeySize: encryptionKey.length,
            encryptionKey: toHex(encryptionKey),
            steamId,
            vac,
            rest: toHex(rest)
          }
        : {})
    })
  }

  private csgoChallenge(isProved: boolean, challenge: number, address: string, port: number, now: number): Uint8Array {
    const { hostVersion = HOST_VERSION, lobbyType = "", password = "", steamId = "0", vac = false } = this.options
    return encodeBytes(CsgoHandshakeChallenge, {
      _tag: "CsgoHandshakeChallenge",
      challenge: isProved ? challenge : this.challenges.issue(address, port, now),
      authProtocol: STEAM,
      encryption: 0,
      steamId,
      vac,
      context: isProved ? formatContext(challenge) : "connect-retry",
      hostVersion,
      lobbyType,
      passwordRequired: password !== "",
      lobbyId: NO_LOBBY,
      friendsRequired: false,
      valveServer: false,
      certificateRequired: false
    })
  }

  /**
   * Encodes an acceptance. How CS:GO encodes this message is not documented. Therefore the message in CS:GO's form contains only the type
   * byte.
   */
  private acceptance(clientChallenge: number | undefined): Uint8Array {
    return encodeBytes(
      ConnectionAccepted,
      clientChallenge === undefined
        ? { _tag: "ConnectionAccepted", payload: "" }
        : { _tag: "ConnectionAccepted", clientChallenge, text: ZEROS }
    )
  }

  private rejection(text: string, clientChallenge: number | undefined): Uint8Array {
    const hasNumber = this.options.form !== "csgo" && clientChallenge !== undefined
    return encodeBytes(ConnectionRejected, {
      _tag: "ConnectionRejected",
      ...(hasNumber ? { clientChallenge } : {}),
      text
    })
  }
}

const redirectTo = (address: string): string => `ConnectRedirectAddress:${address}`

const formatContext = (challenge: number): string =>
  `connect0x${(challenge >>> 0).toString(16).toUpperCase().padStart(8, "0")}`

const encodeBytes = <A extends { readonly _tag: string }>(codec: Codec<A>, message: A): Uint8Array =>
  Result.getOrThrow(encodeAs(codec, message))

/**
 * Creates an intercept that passes each datagram to a responder before the server gets it. The server does not get datagrams to which the
 * responder replied. Example: `startServer({ intercept: inFront(new HandshakeResponder()) })`.
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
