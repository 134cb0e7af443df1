/**
 * Replies to queries with the data of a profile. The responder receives and returns bytes, and has no socket and no clock. The size of its
 * state does not depend on the number of clients.
 *
 * **The responder does not amplify.** An address that has not returned a challenge gets no more bytes than it sent. Exception: a profile
 * can allow full replies to all addresses ({@link Profile.trusts}). The last two lines of {@link Responder.respond} implement this rule.
 *
 * @example
 * import { profiles } from "@sourcewire/emulator"
 * import { checkProfile, Responder } from "@sourcewire/server"
 * import { challengeReply } from "@sourcewire/server/machines"
 * import * as Result from "effect/Result"
 * const responder = new Responder(Result.getOrThrow(checkProfile(profiles.css())))
 * const request = Uint8Array.of(255, 255, 255, 255, 0x55, 255, 255, 255, 255)
 * const [reply] = responder.respond(request, "192.0.2.7", 50_000, 0)
 * console.log(reply?.length === challengeReply(0).length) // true
 */
import { EncodeError } from "@sourcewire/protocol"
import { connectionless, HEADER_BYTES, MessageType } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { ChallengeIssuer } from "./Challenge.ts"
import {
  encodeReply,
  type Compress,
  NOTHING,
  type Preparation,
  prepared,
  type ReplyName,
  readReply
} from "./prepare.ts"
import { checked, demand, whole } from "@sourcewire/inside/checks"
import { uncheckedProfile, responderOptions } from "../shapes.ts"
import { type QueryRequest, readRequest, requestsChallenge, readChallenge } from "./request.ts"
import type { Profile, RequestKind, TextAnswer } from "./Profile.ts"
import type { RateLimiter } from "../limits/RateLimit.ts"

/** An object that replies to datagrams: for example a responder, a responder with faults, or a cache. */
export interface Answering {
  /**
   * Returns the datagrams to send, in order. The caller must not change these datagrams. The object uses `datagram` only until the call
   * returns. `now` is the time of a monotonic clock in milliseconds. Never throws.
   */
  readonly respond: (datagram: Uint8Array, address: string, port: number, now: number) => ReadonlyArray<Uint8Array>
}

/**
 * A function that receives each datagram before the server. If the function returns `true`, the server ignores the datagram. The function
 * may call `reply` at any time. The function itself must prevent amplification, because the server does not limit the size of the datagrams
 * that the function sends.
 */
export type Intercept = (
  datagram: Uint8Array,
  address: string,
  port: number,
  reply: (datagram: Uint8Array) => void
) => boolean

/** Options of a responder. */
export interface ResponderOptions {
  /** The issuer of challenges (default: a new issuer). If several responders share an address, pass the same issuer to all of them. */
  readonly challenges?: ChallengeIssuer
  /**
   * The function that compresses split replies if the profile sets `oversize.bzip2`, for example `Bzip2.compress`. Without this function,
   * the responder sends uncompressed fragments.
   */
  readonly compress?: Compress
  /** Limits, for each address, the number of replies that are larger than their requests (default: unlimited). */
  readonly limit?: RateLimiter
  /**
   * The first split reply gets this number plus 1 as its id (default: a random number). The id of each further split reply is higher by 1.
   */
  readonly firstSplitId?: number
  /**
   * Called if the responder cannot create a reply: for example, a function of the profile throws or returns a promise, or a field is
   * missing. The query gets no reply, and the server continues. By default, each error is written once with `console.error`.
   */
  readonly onError?: (error: EncodeError) => void
}

const makeIssuer = ({ challenge: { bind, lifetimeMs } = {} }: Profile): ChallengeIssuer =>
  new ChallengeIssuer({ ...(bind && { bind }), ...(lifetimeMs && { lifetimeMs }) })

/** Maximum number of reported errors. Without this limit, every query would report a new error if the message contains changing values. */
const MAX_REPORTS = 16

/** Returns a function that writes each error only once, even if every query causes the error again. */
const reportOnce = (): ((error: EncodeError) => void) => {
  const reported = new Set<string>()
  return ({ message }) => {
    if (reported.has(message) || reported.size >= MAX_REPORTS) return
    reported.add(message)
    // Without this message, the author of a server with a missing field would not see why the server does not reply.
    // oxlint-disable-next-line no-console
    console.error(`Sourcewire cannot reply to a query: ${message}`)
  }
}

interface Answer {
  readonly datagrams: ReadonlyArray<Uint8Array>
  /**
   * Whether the reply may be larger than the request, because the client has proved its address, or because the profile allows full replies
   * to all addresses.
   */
  readonly free: boolean
}

/** Returns the reply to a text query of this client. */
type AnswerText = (address: string, port: number, now: number) => ReadonlyArray<Uint8Array>

const SILENCE: Answer = { datagrams: NOTHING, free: false }

/** The server side of A2S and of the older text queries. */
export class Responder implements Answering {
  readonly profile: Profile
  readonly challenges: ChallengeIssuer
  private readonly limit: RateLimiter | undefined
  private readonly trusts: ReadonlySet<RequestKind>
  private readonly replies: Readonly<Record<ReplyName, () => ReadonlyArray<Uint8Array>>>
  private readonly ping: ReadonlyArray<Uint8Array>
  private readonly texts: ReadonlyMap<string, AnswerText>

  /**
   * Creates a responder. It reports values that it cannot encode to `onError`. To check a profile in advance, call {@link checkProfile}.
   */
  constructor(profile: Profile, options: ResponderOptions = {}) {
    demand(uncheckedProfile, profile, "profile")
    demand(responderOptions, options)
    this.profile = profile
    this.challenges = options.challenges ?? makeIssuer(profile)
    this.limit = options.limit
    this.trusts = new Set(profile.trusts)
    let id = options.firstSplitId ?? Math.floor(Math.random() * 2 ** 31)
    const how: Preparation = {
      compress: options.compress,
      nextId: () => (id = (id + 1) | 0),
      onError: options.onError ?? reportOnce()
    }
    this.replies = {
      info: prepared(profile, "info", how),
      legacyInfo: prepared(profile, "legacyInfo", how),
      players: prepared(profile, "players", how),
      rules: prepared(profile, "rules", how)
    }
    this.ping = profile.ping === undefined ? NOTHING : [connectionless(`j${profile.ping}`)]
    this.texts = new Map(Object.entries(profile.texts ?? {}).map(([word, answer]) => [word, this.text(answer)]))
  }

  respond(datagram: Uint8Array, address: string, port: number, now: number): ReadonlyArray<Uint8Array> {
    const { datagrams, free } = this.answer(readRequest(datagram), datagram, address, port, now)
    const bytes = countBytes(datagrams)
    if (bytes <= datagram.length) return datagrams
    return free && (this.limit === undefined || this.limit.allows(address, now, bytes)) ? datagrams : NOTHING
  }

  private answer(what: QueryRequest, datagram: Uint8Array, address: string, port: number, now: number): Answer {
    switch (what) {
      case undefined:
        return SILENCE
      case "ping":
        return { datagrams: this.ping, free: this.trusts.has("ping") }
      case "getChallenge":
        return this.profile.challenge?.getChallenge === true ? this.challenge(address, port, now) : SILENCE
      case "info":
      case "players":
      case "rules":
        return this.query(what, datagram, address, port, now)
      default: {
        const answer = this.texts.get(what.text) ?? this.texts.get(what.word)
        return answer === undefined ? SILENCE : { datagrams: answer(address, port, now), free: this.trusts.has("text") }
      }
    }
  }

  private query(
    what: "info" | "players" | "rules",
    datagram: Uint8Array,
    address: string,
    port: number,
    now: number
  ): Answer {
    // Do not send a challenge if the profile has no reply for the client that returns the challenge.
    if (this.profile[what] === undefined && (what !== "info" || this.profile.legacyInfo === undefined)) return SILENCE
    const behaviour = this.profile.challenge
    if (this.trusts.has(what)) {
      const wantsConstant = behaviour?.constant !== undefined && what !== "info" && requestsChallenge(datagram, what)
      return wantsConstant ? this.challenge(address, port, now) : { datagrams: this.reply(what), free: true }
    }
    // A constant challenge proves nothing, even if the client returns it. Therefore the server does not send the challenge: it would reply
    // to the repeated request only with the same challenge again.
    if (behaviour?.constant !== undefined) return SILENCE
    const challenge = readChallenge(datagram, what)
    if (challenge === undefined) {
      const isWrong = behaviour?.onWrong === "silence" && what === "info" && requestsChallenge(datagram, what)
      return isWrong ? SILENCE : this.challenge(address, port, now)
    }
    if (this.challenges.accepts(challenge, address, port, now)) return { datagrams: this.reply(what), free: true }
    return behaviour?.onWrong === "silence" ? SILENCE : this.challenge(address, port, now)
  }

  private challenge(address: string, port: number, now: number): Answer {
    const challenge = this.profile.challenge?.constant ?? this.challenges.issue(address, port, now)
    return { datagrams: [challengeReply(challenge)], free: this.trusts.has("getChallenge") }
  }

  private reply(what: "info" | "players" | "rules"): ReadonlyArray<Uint8Array> {
    if (what === "players" && this.hidesPlayers()) return NOTHING
    const replies = this.replies[what]()
    if (what !== "info") return replies
    const legacy = this.replies.legacyInfo()
    return this.profile.firstInfo === "info" ? [...replies, ...legacy] : [...legacy, ...replies]
  }

  private hidesPlayers(): boolean {
    if (this.profile.hidesPlayers !== true) return false
    const info = Result.getOrElse(readReply(this.profile, "info"), () => undefined)
    const list = Result.getOrElse(readReply(this.profile, "players"), () => undefined)
    const isLocked = info?._tag === "InfoReply" && info.passwordProtected === true
    return isLocked || (list?._tag === "PlayersReply" && list.players.length === 0)
  }

  private text(answer: TextAnswer): AnswerText {
    if (answer === "ping") return () => this.ping
    if (typeof answer === "string") return this.replies[answer]
    const { challenge, latin1 } = answer
    const datagrams = [connectionless(latin1)]
    if (challenge === undefined) return () => datagrams
    return (address, port, now) => {
      const number = this.challenges.issue(address, port, now)
      return [connectionless(latin1.replace("#", String(challenge === "signed" ? number : number >>> 0)))]
    }
  }
}

/**
 * Checks that all current replies of a profile can be encoded. A reply cannot be encoded if a number is out of range, a text contains a
 * NUL, or the encoding lacks a character. Counts that are too large for their field are valid: the server sends them modulo 256 (the number
 * of rules: modulo 65 536), as real servers do.
 */
export const checkProfile = (profile: Profile): Result.Result<Profile, EncodeError> => {
  const wrong = checked(uncheckedProfile, profile, "profile")
  if (Result.isFailure(wrong)) {
    const { message, option } = wrong.failure
    return Result.fail(new EncodeError({ message, messageTag: "Profile", field: option }))
  }
  for (const name of ["info", "legacyInfo", "players", "rules"] as const) {
    const encoded = Result.flatMap(readReply(profile, name), (value) => encodeReply(value, name, profile.encoding))
    if (Result.isFailure(encoded)) return Result.fail(encoded.failure)
  }
  return Result.succeed(profile)
}

const INT32 = whole(-(2 ** 31), 2 ** 32 - 1)

const CHALLENGE = `${String.fromCharCode(MessageType.S2C_CHALLENGE)}\0\0\0\0`

/** Encodes an S2C_CHALLENGE with this number. */
export const challengeReply = (challenge: number): Uint8Array => {
  demand(INT32, challenge, "challenge")
  const bytes = connectionless(CHALLENGE)
  new DataView(bytes.buffer).setInt32(HEADER_BYTES + 1, challenge, true)
  return bytes
}

const countBytes = (datagrams: ReadonlyArray<Uint8Array>): number => {
  let bytes = 0
  for (const datagram of datagrams) bytes += datagram.length
  return bytes
}
