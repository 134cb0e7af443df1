/**
 * The server side of RCON over UDP, without a socket and a clock: decodes requests, issues and verifies challenges, compares passwords, and
 * bans addresses.
 *
 * An address that has not returned a challenge gets no more bytes than it sent. There are three exceptions. Two of them have a rate limit:
 * the reply with the challenge (30 bytes for a request of 18 bytes from an old client), and the message to a banned address. The third
 * exception is the dialect of Xash3D, which has no challenges: each request with the correct password gets a full reply. Only an address
 * that has returned a challenge can be banned.
 */
import { decode, encode } from "@sourcewire/protocol"
import type { Encoding, Message } from "@sourcewire/protocol"
import { decodeText, encodeText } from "@sourcewire/protocol/wire"
import { TokenBucket } from "@sourcewire/core/engine"
import * as Result from "effect/Result"
import { ChallengeIssuer } from "../query/Challenge.ts"
import { goldSourceReply, hltvReply, MAX_TEXT_BYTES, quakeReply } from "./goldSourceReply.ts"
import type { LoginAttempts } from "./loginAttempts.ts"
import { passwordMatches } from "./password.ts"

/** The server to imitate: HLDS, its proxy HLTV, or Xash3D. */
export type UdpDialect = "goldsource" | "hltv" | "quake"

type RconRequest = Extract<Message, { readonly _tag: "RconRequest" }>

/** The action that the caller must take after a received datagram. */
export type ConsoleAnswer =
  | { readonly kind: "send"; readonly datagrams: ReadonlyArray<Uint8Array> }
  /** Run this command, pass its output to {@link GoldSourceConsole.reply}, and send the returned datagrams. */
  | { readonly kind: "command"; readonly command: string }
  /** The datagram is not an RCON message. The caller may reply to it. */
  | { readonly kind: "foreign" }

const FOREIGN: ConsoleAnswer = { kind: "foreign" }
const send = (datagrams: ReadonlyArray<Uint8Array>): ConsoleAnswer => ({ kind: "send", datagrams })
const NOTHING = send([])

/** Minimum lifetime of a challenge. HLDS accepts a challenge for an hour. This console accepts a challenge for 30 to 60 minutes. */
const CHALLENGE_LIFETIME_MS = 1_800_000

/**
 * Minimum lifetime of a challenge in the dialect of HLTV. HLTV accepts a challenge for 40 s after it first sent the challenge. This console
 * accepts a challenge for 20 to 40 s.
 */
const HLTV_CHALLENGE_LIFETIME_MS = 20_000

/**
 * Size from which a request is too large, in bytes: its command is not run. On HLDS, the text after the header (four bytes) must be shorter
 * than 512 bytes.
 */
const TOO_LARGE_BYTES = 4 + 512

/**
 * Maximum number of replies per second to challenge requests that are shorter than the reply. This number is enough for administrators, and
 * limits an attack to 300 bytes/s.
 */
const SHORT_CHALLENGES_PER_SECOND = 10

const latin1 = (text: string): Uint8Array => encodeText(text, "latin1")!

const encodeMessage = (message: Message): Uint8Array => Result.getOrThrow(encode(message))

/** Options of a console over UDP. */
export interface ConsoleOptions {
  readonly dialect: UdpDialect
  readonly password: Uint8Array
  readonly attempts: LoginAttempts
  readonly encoding: Encoding
  /**
   * Maximum number of text bytes per 0x6C datagram (default: 1393). If the number is larger, datagrams with more than 1393 text bytes are
   * sent in fragments.
   */
  readonly maxTextBytes?: number | undefined
  readonly challenges?: ChallengeIssuer | undefined
}

/** Processes the datagrams of one socket, and decides how to reply to each datagram. */
export class GoldSourceConsole {
  readonly #options: ConsoleOptions
  private readonly challenges: ChallengeIssuer
  private readonly shortChallenges = new TokenBucket(SHORT_CHALLENGES_PER_SECOND, 2 * SHORT_CHALLENGES_PER_SECOND)
  private splitId = 1

  constructor(options: ConsoleOptions) {
    this.#options = options
    const lifetimeMs = options.dialect === "hltv" ? HLTV_CHALLENGE_LIFETIME_MS : CHALLENGE_LIFETIME_MS
    this.challenges = options.challenges ?? new ChallengeIssuer({ lifetimeMs })
  }

  /** Processes a datagram. `now` is the time of a monotonic clock, in ms. */
  receive(datagram: Uint8Array, address: string, port: number, now: number): ConsoleAnswer {
    const { attempts, dialect } = this.#options
    if (attempts.isBanned(address, now)) {
      return dialect !== "hltv" && attempts.mayRefuse(address, now)
        ? send([encodeMessage({ _tag: "PrintReply", text: "You have been banned from this server.\n" })])
        : NOTHING
    }
    // Decode the datagram as Latin-1: each byte becomes one character. Therefore the original bytes of the password can be compared.
    const message = decode(datagram, { encoding: "latin1" })
    if (Result.isFailure(message)) return FOREIGN
    const request = message.success
    if (request._tag === "RconChallengeRequest") {
      return dialect === "quake" ? NOTHING : this.challenge(datagram, address, port, now)
    }
    if (request._tag !== "RconRequest") return FOREIGN
    if (dialect === "quake") return this.quake(request)
    if (dialect === "hltv") return this.hltv(request, address, port, now)
    return this.goldSource(datagram, request, address, port, now)
  }

  reply(text: string): ReadonlyArray<Uint8Array> {
    const { dialect, encoding, maxTextBytes = MAX_TEXT_BYTES } = this.#options
    const bytes = encodeText(text.replaceAll("\0", ""), encoding) ?? new TextEncoder().encode(text)
    if (dialect === "quake") return quakeReply(bytes)
    if (dialect === "hltv") return hltvReply(bytes)
    return goldSourceReply(bytes, maxTextBytes, () => this.splitId++)
  }

  private challenge(datagram: Uint8Array, address: string, port: number, now: number): ConsoleAnswer {
    const challenge = this.challenges.issue(address, port, now) >>> 0
    const reply = encodeMessage({ _tag: "RconChallengeReply", challenge })
    const isFree = reply.length <= datagram.length
    return isFree || this.shortChallenges.take(now) === 0 ? send([reply]) : NOTHING
  }

  private goldSource(
    datagram: Uint8Array,
    request: RconRequest,
    address: string,
    port: number,
    now: number
  ): ConsoleAnswer {
    const { challenge, command, password } = request
    if (challenge === undefined || !this.challenges.accepts(challenge | 0, address, port, now)) {
      const refusal = encodeMessage({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
      // The address is not verified. Therefore truncate the reply to the size of the request.
      return send([refusal.subarray(0, datagram.length)])
    }
    if (this.#options.password.length === 0) {
      return this.say("Bad rcon_password.\nNo password set for this server.\n")
    }
    if (!this.isRight(password)) {
      this.#options.attempts.failed(address, now)
      return this.say("Bad rcon_password.\n")
    }
    return datagram.length < TOO_LARGE_BYTES ? this.run(command) : NOTHING
  }

  /**
   * HLTV does not reply if the request has fewer than four words, an unknown challenge or a wrong password, or if the address is banned.
   */
  private hltv(request: RconRequest, address: string, port: number, now: number): ConsoleAnswer {
    const { challenge, command, password } = request
    if (command.trim() === "" || challenge === undefined) return NOTHING
    if (!this.challenges.accepts(challenge | 0, address, port, now)) return NOTHING
    if (this.isRight(password)) return this.run(command)
    this.#options.attempts.failed(address, now)
    return NOTHING
  }

  /**
   * Xash3D does not reply to a wrong password. Xash3D does not verify addresses. Therefore the source of the request may be spoofed, and a
   * wrong password does not cause a ban.
   */
  private quake({ challenge, command, password }: RconRequest): ConsoleAnswer {
    return challenge === undefined && this.isRight(password) ? this.run(command) : NOTHING
  }

  private isRight(password: string): boolean {
    return passwordMatches(latin1(password), this.#options.password)
  }

  private say(text: string): ConsoleAnswer {
    return send(goldSourceReply(latin1(text), MAX_TEXT_BYTES, () => this.splitId++))
  }

  private run(command: string): ConsoleAnswer {
    // HLDS reads a command only up to the line end.
    const bytes = latin1(command.replace(/[\r\n].*$/s, ""))
    return { kind: "command", command: decodeText(bytes, 0, bytes.length, this.#options.encoding).text }
  }
}
