/**
 * RCON over UDP as a pure state machine, one command at a time: datagrams, commands and `now` in; datagrams to send, events and the
 * next deadline out.
 *
 * **GoldSource** (HLDS, ReHLDS, HLTV; document 002). A challenge is fetched (`challenge rcon`), then the command goes out with it
 * and the quoted password. A challenge is used again for {@link CHALLENGE_TTL_MS}: HLDS keeps one for 60 minutes, HLTV for 30 to 40
 * seconds, after which it meets the command with silence. A server that says 0x39 `No challenge for your address.` did not run the
 * command, so it is sent once more with a new challenge, at most {@link MAX_CHALLENGES} times.
 *
 * **Quake style** (Xash3D and others): `rcon "password" command` without a challenge, answered by `print\n` datagrams,
 * by silence when the password is wrong.
 *
 * **Where a reply ends.** Nothing says so: one or many datagrams (0x6C or `print`, some of them split), then silence. The
 * {@link QuietRule} decides. A reply that has lost a fragment is a `Timeout`; the loss of a whole datagram can't be noticed.
 *
 * Requests for a challenge are repeated; a command is not, since its reply may have been lost instead.
 *
 * @module
 */
import type { DecodeError, Message } from "@sourcewire/protocol"
import { decode, encode, encodeText, isSplit, LimitExceeded, Limits, Reassembler } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { SocketFault } from "../Datagrams.ts"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, INITIAL_RTO_SHARE } from "../Limits.ts"
import type { TimeoutPhase } from "../QueryError.ts"
import { AuthenticationFailed, PortClosed, Refused, SendFailed, Timeout, TooManyChallenges } from "../QueryError.ts"
import type { QuietRule } from "./quietRule.ts"
import type { RconError, TimeLimits } from "./session.ts"

/** How long a challenge is used again: less than HLTV's shortest memory. */
export const CHALLENGE_TTL_MS = 25_000

/** Challenges fetched for one command before it counts as hopeless. */
export const MAX_CHALLENGES = 3

/** HLDS and ReHLDS drop longer command datagrams without a word. */
const LONG_COMMAND_BYTES = 500

/** GoldSource cuts its output at line ends, up to 1400 bytes per datagram; a line rarely has more than 100. */
const NEARLY_FULL_BYTES = 1300

/** What each datagram counts besides its text towards the reply's cap, so that empty ones are not free. */
const DATAGRAM_COST_BYTES = 16

/** Which of the two to speak. */
export type Dialect = "goldsource" | "quake"

/** What happened to the command under way. */
export type GoldSourceEvent =
  | { readonly kind: "part"; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly error?: RconError }

type State =
  | { readonly at: "idle" }
  | { readonly at: "challenge"; readonly probes: number; readonly resendAt: number }
  | { readonly at: "command" }
  | { readonly at: "reply"; readonly quietAt: number; readonly bytes: number }

interface Command {
  /** One character per byte. */
  readonly text: string
  readonly limits: TimeLimits
  readonly startedAt: number
  readonly isLogin: boolean
}

const IDLE: State = { at: "idle" }
const PRINT = [0xff, 0xff, 0xff, 0xff, ...new TextEncoder().encode("print\n")]
const BAD_PASSWORD = /^Bad rcon_password\.\s*(No password set for this server\.\s*)?$/
const BANNED = /^You have been banned from this server\.\s*$/
const BAD_CHALLENGE = /^(No challenge for your address|Bad challenge)\.?\s*$/

/** See the module. `events` and `datagrams` collect until the owner takes them. */
export class GoldSourceMachine {
  readonly #quiet: QuietRule
  /** One character per byte, so that the codec's `latin1` gives the bytes back. */
  readonly #password: string
  readonly #reassembler = new Reassembler()
  readonly #dialect: Dialect
  #challenge: { readonly number: number; readonly at: number } | undefined
  #state: State = IDLE
  #command: Command | undefined
  #challenges = 0
  #sentAt = 0
  /** Since when the present step has waited for an answer; noise does not prolong it. */
  #waitingSince = 0
  #sent = 0
  #received = 0
  #events: Array<GoldSourceEvent> = []
  #datagrams: Array<Uint8Array> = []

  constructor(options: { readonly password: Uint8Array; readonly dialect: Dialect; readonly quiet: QuietRule }) {
    this.#password = toLatin1(options.password)
    this.#dialect = options.dialect
    this.#quiet = options.quiet
  }

  /** When {@link expire} wants to be called; `Infinity` when nothing is awaited. */
  get deadline(): number {
    switch (this.#state.at) {
      case "idle":
        return Number.POSITIVE_INFINITY
      case "challenge":
        return Math.min(this.#state.resendAt, this.#silentUntil(), this.#lastMoment())
      case "command":
        return Math.min(this.#silentUntil(), this.#lastMoment())
      case "reply":
        return Math.min(this.#state.quietAt, this.#lastMoment())
    }
  }

  /** What happened since the last call. */
  takeEvents(): ReadonlyArray<GoldSourceEvent> {
    const events = this.#events
    this.#events = []
    return events
  }

  /** What is to be sent, in order. */
  takeDatagrams(): ReadonlyArray<Uint8Array> {
    const datagrams = this.#datagrams
    this.#datagrams = []
    return datagrams
  }

  /**
   * Begins a command, which is bytes without NUL or line end. None may be under way. A log-in is the empty command, which is over
   * with its first empty answer.
   */
  start(command: Uint8Array, limits: TimeLimits, now: number, isLogin = false): void {
    this.#command = { text: toLatin1(command), limits, startedAt: now, isLogin }
    this.#challenges = 0
    this.#sent = 0
    this.#received = 0
    this.#reassembler.reset()
    const known = this.#challenge
    if (this.#dialect === "quake" || (known !== undefined && now < known.at + CHALLENGE_TTL_MS)) this.#sendCommand(now)
    else this.#fetchChallenge(now)
  }

  /** Forgets the command under way. */
  cancel(): void {
    this.#command = undefined
    this.#state = IDLE
  }

  /** The next command fetches a challenge: servers may bind them to the port asked from, and that has changed. */
  forgetChallenge(): void {
    this.#challenge = undefined
  }

  /** The system reports that the server's port is closed, or that sending failed. */
  fault(kind: SocketFault["kind"], message: string): void {
    if (this.#command === undefined) return
    this.#end(
      kind === "refused"
        ? new PortClosed({ message: "Nothing listens on this UDP port." })
        : new SendFailed({ message })
    )
  }

  /** A datagram of the server arrived; the caller may reuse it at once. */
  receive(datagram: Uint8Array, now: number): void {
    if (this.#command === undefined) return
    this.#received += 1
    if (isSplit(datagram)) this.#fragment(datagram, now)
    else this.#whole(datagram, now)
    // Nothing that comes puts this off, and datagrams without a pause may keep a timer waiting.
    if (now >= this.#lastMoment()) this.expire(now)
  }

  #fragment(datagram: Uint8Array, now: number): void {
    const joined = this.#reassembler.add(datagram)
    if (Result.isFailure(joined)) return joined.failure._tag === "Malformed" ? undefined : this.#end(joined.failure)
    if (joined.success !== undefined) return this.#whole(joined.success.bytes, now)
    // The rest of a fragment is close behind; the reply is not over before it.
    if (this.#state.at === "reply") this.#state = { ...this.#state, quietAt: now + this.#quiet.quietMs(true) }
    return undefined
  }

  /** A deadline passed. */
  expire(now: number): void {
    const state = this.#state
    if (state.at === "reply") {
      if (now >= state.quietAt)
        this.#end(this.#reassembler.missing() === undefined ? undefined : this.#timeout("split"))
      else if (now >= this.#lastMoment()) this.#end(this.#timeout("reply"))
    } else if (state.at !== "idle" && now >= Math.min(this.#silentUntil(), this.#lastMoment())) {
      this.#end(this.#timeout(state.at === "challenge" ? "request" : "challenge"))
    } else if (state.at === "challenge" && now >= state.resendAt) {
      this.#probe(state.probes + 1, now)
    }
  }

  #whole(datagram: Uint8Array, now: number): void {
    if (PRINT.every((byte, i) => datagram[i] === byte)) {
      if (this.#dialect === "goldsource") return undefined
      const nul = datagram.indexOf(0, PRINT.length)
      return this.#part(datagram.slice(PRINT.length, nul < 0 ? undefined : nul), now)
    }
    const message = decode(datagram, { encoding: "latin1" })
    if (Result.isFailure(message)) return this.#garbled(message.failure)
    return this.#dialect === "quake" ? undefined : this.#message(message.success, now)
  }

  #message(message: Message, now: number): void {
    switch (message._tag) {
      case "RconChallengeReply":
        if (this.#state.at !== "challenge") return undefined
        // After a repetition nobody can say which request this answers.
        if (this.#state.probes === 1) this.#quiet.sample(now - this.#sentAt)
        this.#challenge = { number: message.challenge, at: now }
        return this.#sendCommand(now)
      case "ConnectionRejected":
        return this.#rejected(message.text, now)
      case "PrintReply":
        return this.#printed(message.text, now)
      default:
        return undefined
    }
  }

  #printed(text: string, now: number): void {
    if (BANNED.test(text)) return this.#end(banned(text.trim()))
    if (this.#state.at === "command") {
      if (BAD_CHALLENGE.test(text)) return this.#rejected(text, now)
      if (BAD_PASSWORD.test(text)) {
        const said = text.trim().replaceAll("\n", " ")
        return this.#end(
          new AuthenticationFailed({ message: `The server refused the RCON password: ${said}`, text: said })
        )
      }
    }
    return this.#part(encodeText(text, "latin1")!, now)
  }

  #rejected(text: string, now: number): void {
    if (this.#state.at !== "command") return undefined
    const said = text.trim()
    if (!BAD_CHALLENGE.test(text))
      return this.#end(new Refused({ message: `The server refused the command: ${said}`, text: said }))
    this.#challenge = undefined
    if (this.#challenges < MAX_CHALLENGES) return this.#fetchChallenge(now)
    return this.#end(
      new TooManyChallenges({
        message: `The server disowned ${this.#challenges} challenges in a row. A router that changes our port would explain it.`,
        rounds: this.#challenges
      })
    )
  }

  #part(bytes: Uint8Array, now: number): void {
    const state = this.#state
    // Before a command of ours is out, this belongs to one that was given up.
    if (state.at !== "command" && state.at !== "reply") return undefined
    if (state.at === "command") this.#quiet.sample(now - this.#sentAt)
    // The empty command prints nothing; a server on which it does is waited for like any other.
    if (this.#command!.isLogin && bytes.length === 0) return this.#end()
    const total = bytes.length + DATAGRAM_COST_BYTES + (state.at === "reply" ? state.bytes : 0)
    if (total > Limits.MAX_RCON_REPLY_BYTES) {
      const max = Limits.MAX_RCON_REPLY_BYTES
      return this.#end(
        new LimitExceeded({ message: `The reply is longer than ${max} bytes.`, limit: "MAX_RCON_REPLY_BYTES", max })
      )
    }
    if (bytes.length > 0) this.#events.push({ kind: "part", bytes })
    this.#state = {
      at: "reply",
      quietAt: now + this.#quiet.quietMs(bytes.length >= NEARLY_FULL_BYTES),
      bytes: total
    }
    return undefined
  }

  /** Unreadable datagrams are noise, unless one is what an answer to this command begins with. */
  #garbled(error: DecodeError): void {
    if (error._tag === "Malformed" && error.messageTag === "RconChallengeReply" && this.#state.at === "challenge")
      this.#end(error)
  }

  #fetchChallenge(now: number): void {
    this.#challenges += 1
    this.#waitingSince = now
    this.#probe(1, now)
  }

  #probe(probes: number, now: number): void {
    const firstMs = Math.min(INITIAL_RTO_MS, INITIAL_RTO_SHARE * this.#command!.limits.timeoutMs)
    this.#state = { at: "challenge", probes, resendAt: now + firstMs * BACKOFF_FACTOR ** (probes - 1) }
    this.#sentAt = now
    this.#send({ _tag: "RconChallengeRequest" })
  }

  #sendCommand(now: number): void {
    this.#state = { at: "command" }
    this.#waitingSince = now
    this.#sentAt = now
    const challenge = this.#challenge === undefined ? {} : { challenge: this.#challenge.number }
    this.#send({ _tag: "RconRequest", ...challenge, password: this.#password, command: this.#command!.text })
  }

  #send(message: Message): void {
    const datagram = encode(message, { encoding: "latin1" })
    if (Result.isFailure(datagram)) return this.#end(datagram.failure)
    this.#sent += 1
    this.#datagrams.push(datagram.success)
    return undefined
  }

  #silentUntil(): number {
    return this.#waitingSince + this.#command!.limits.timeoutMs
  }

  /** The end of the command's time; whatever the server sends does not put it off. */
  #lastMoment(): number {
    const command = this.#command
    return command === undefined ? Number.POSITIVE_INFINITY : command.startedAt + command.limits.totalTimeoutMs
  }

  #end(error?: RconError): void {
    this.cancel()
    this.#events.push({ kind: "ended", ...(error === undefined ? {} : { error }) })
  }

  #timeout(phase: TimeoutPhase): Timeout {
    const { isLogin, limits, text } = this.#command!
    const waitedMs = Math.min(limits.timeoutMs, limits.totalTimeoutMs)
    const told: Partial<Record<TimeoutPhase, string>> = {
      request: `No answer within ${waitedMs} ms. The server may be off, elsewhere, or without RCON.`,
      split: "Part of the reply was lost on the way: a fragment did not arrive.",
      reply: `The server was still sending after ${limits.totalTimeoutMs} ms (totalTimeoutMs).`
    }
    const why = isLogin
      ? "HLTV and Xash3D say nothing to a wrong password."
      : text.length + this.#password.length > LONG_COMMAND_BYTES
        ? `HLDS says nothing to commands longer than about ${LONG_COMMAND_BYTES} bytes with the password.`
        : "The request or its reply may have been lost; it is not repeated, since the command may have been carried out."
    return new Timeout({
      message: told[phase] ?? `The server did not answer the command within ${waitedMs} ms. ${why}`,
      phase: phase === "challenge" && isLogin ? "authentication" : phase,
      sent: this.#sent,
      received: this.#received
    })
  }
}

const banned = (text: string): Refused =>
  new Refused({
    message: `The server has banned this address: "${text}" It lifts the ban by "removeip" with our address in its console, or when its sv_rcon_banpenalty is over.`,
    text
  })

const toLatin1 = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
