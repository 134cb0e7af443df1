/**
 * RCON over UDP as a pure state machine, one command at a time: datagrams, commands and `now` in; datagrams to send, events and the
 * next deadline out.
 *
 * | state | what happens | next |
 * |---|---|---|
 * | `idle` | a command; the challenge is known, or none is needed | `command` |
 * | `idle` | a command otherwise | `challenge` |
 * | `challenge` | the challenge | `command` |
 * | `command` | 0x39 `No challenge for your address.`: the command did not run | `challenge`, at most {@link MAX_CHALLENGES} times |
 * | `command` | a refusal | `idle`, with an error |
 * | `command`, `reply` | a part of the reply | `reply` |
 * | `command`, `reply` | the answer to an echo that we sent behind the command | `idle`, the reply is whole |
 * | `reply` | silence, as the {@link QuietRule} has it | `idle`, the reply is whole, or a fragment of it is missing |
 * | any | the time is over | `idle`, with a `Timeout` |
 *
 * **GoldSource** (HLDS, ReHLDS, HLTV; document 002). A challenge is fetched (`challenge rcon`), then the command goes out with it
 * and the quoted password. HLDS keeps a challenge for 60 minutes; it is used again for {@link CHALLENGE_TTL_MS}.
 *
 * **HLTV** drops requests of fewer than four words, so an empty command would not log in; `echo` does, on every engine. It answers
 * a command without output, a wrong password and a challenge of more than 40 s with silence alike. So each command gets a challenge
 * of its own there (one that is asked for again keeps its age, so any may be the last moment's), and one that meets silence is
 * followed by an echo: where that comes back, there was no output. HLTV is known by how its log-in's answer ends.
 *
 * **Quake style** (Xash3D, ioquake3, DarkPlaces): `rcon password command` without a challenge, with quotes where the password is not
 * one word, answered by `print\n` datagrams or, in QuakeWorld's family, by datagrams of type `n`. Xash3D and DarkPlaces are silent
 * when the password is wrong.
 *
 * **Where a reply ends.** Nothing says so: one or many datagrams (0x6C or `print`, some of them split), then silence. A reply that
 * has lost a fragment is a `Timeout`; the loss of a whole datagram can't be noticed.
 *
 * Requests for a challenge and echoes are repeated; a command is not, since its reply may have been lost instead.
 */
import { type DecodeError, type Message, decode, encode } from "@sourcewire/protocol"
import { beginsWith, encodeText, HEADER_BYTES, isSplit, Limits, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { SocketFault } from "../engine/Datagrams.ts"
import { repeatAfterMs } from "../engine/Retry.ts"
import type { Timeout, TimeoutPhase } from "../engine/QueryError.ts"
import { PortClosed, Refused, SendFailed, TooManyChallenges } from "../engine/QueryError.ts"
import { silenceOverUdp, tooLong } from "./errors.ts"
import {
  banned,
  ECHO_COMMAND,
  isBadChallenge,
  isEcho,
  isHltvPrint,
  refusedPassword,
  withoutStray
} from "./goldSourceTexts.ts"
import type { QuietRule } from "./quietRule.ts"
import { toLatin1 } from "./replyText.ts"
import { maskHex, maskText } from "./secretMask.ts"
import type { TimeLimits } from "./deadline.ts"
import type { RconError } from "./session.ts"

/** How long a challenge is used again. */
export const CHALLENGE_TTL_MS = 25_000

/** Challenges fetched for one command before it counts as hopeless. */
export const MAX_CHALLENGES = 3

/** GoldSource cuts its output at line ends, up to 1400 bytes per datagram; a line rarely has more than 100. */
const NEARLY_FULL_BYTES = 1300

/** What each datagram counts besides its text towards the reply's cap, so that empty ones are not free. */
const DATAGRAM_COST_BYTES = 16

/** Which of the two to speak. */
export type Dialect = "goldsource" | "quake"

/** What happened to the command under way. */
export type GoldSourceEvent =
  | { readonly kind: "part"; readonly bytes: Uint8Array }
  /** `mayTrail`: datagrams that belong to it may still come. */
  | { readonly kind: "ended"; readonly mayTrail: boolean; readonly error?: RconError }

/** What is awaited, and until when: then the challenge is asked for again, an echo follows the command, or the reply is whole. */
type State = { readonly until: number } & (
  | { readonly at: "idle" | "command" }
  | { readonly at: "challenge"; readonly probes: number }
  | { readonly at: "reply"; readonly bytes: number }
)

interface Command {
  /** One character per byte. */
  readonly text: string
  readonly limits: TimeLimits
  readonly startedAt: number
  readonly isLogin: boolean
}

const IDLE: State = { at: "idle", until: Number.POSITIVE_INFINITY }
/** What Quake-style servers put before each piece of output; QuakeWorld's family (DarkPlaces) has a type byte instead. */
const PRINT = "print\n"
const QUAKEWORLD_PRINT = "n"

/** A password that needs no quotes. */
const ONE_WORD = /^[^\s";]+$/

/**
 * The request without the quotes around its password. Quake's own clients send none, and DarkPlaces takes them for a part of the
 * password.
 */
const withoutQuotes = (request: Uint8Array, passwordBytes: number): Uint8Array => {
  const open = request.indexOf(QUOTE)
  const close = open + 1 + passwordBytes
  return request.filter((_, at) => at !== open && at !== close)
}
const QUOTE = 0x22

/** One login or command after the other. `events` and `datagrams` collect until the owner takes them. */
export class GoldSourceMachine {
  readonly #quiet: QuietRule
  readonly #secret: Uint8Array
  /** One character per byte, so that the codec's `latin1` gives the bytes back. */
  readonly #password: string
  readonly #reassembler = new Reassembler()
  readonly #dialect: Dialect
  #challenge: { readonly number: number; readonly at: number } | undefined
  #state: State = IDLE
  #command: Command | undefined
  #challenges = 0
  /** Echoes sent behind the command. */
  #echoes = 0
  /** Whether a command without output gets no answer. */
  #isHltv = false
  #sentAt = 0
  /** Since when the present step has waited for an answer; noise does not prolong it. */
  #waitingSince = 0
  #sent = 0
  #received = 0
  readonly #events: Array<GoldSourceEvent> = []
  readonly #datagrams: Array<Uint8Array> = []

  constructor(options: { readonly password: Uint8Array; readonly dialect: Dialect; readonly quiet: QuietRule }) {
    this.#secret = options.password
    this.#password = toLatin1(options.password)
    this.#dialect = options.dialect
    this.#quiet = options.quiet
  }

  /** When {@link expire} wants to be called; `Infinity` when nothing is awaited. */
  get deadline(): number {
    return Math.min(this.#state.until, this.#silentUntil(), this.#lastMoment())
  }

  /** What happened since the last call. */
  takeEvents(): ReadonlyArray<GoldSourceEvent> {
    return this.#events.splice(0)
  }

  /** What is to be sent, in order. */
  takeDatagrams(): ReadonlyArray<Uint8Array> {
    return this.#datagrams.splice(0)
  }

  /** Shows the password. Nothing may be under way. */
  logIn(limits: TimeLimits, now: number): void {
    this.#begin({ text: ECHO_COMMAND, limits, startedAt: now, isLogin: true })
  }

  /** Begins a command, which is bytes without NUL or line end. Nothing may be under way. */
  start(command: Uint8Array, limits: TimeLimits, now: number): void {
    this.#begin({ text: toLatin1(command), limits, startedAt: now, isLogin: false })
  }

  #begin(command: Command): void {
    this.#command = command
    this.#challenges = 0
    this.#echoes = 0
    this.#sent = 0
    this.#received = 0
    this.#reassembler.reset()
    const now = command.startedAt
    const known = this.#challenge
    const isFresh = known !== undefined && !this.#isHltv && now < known.at + CHALLENGE_TTL_MS
    if (this.#dialect === "quake" || isFresh) this.#sendCommand(now)
    else this.#fetchChallenge(now)
  }

  /** Forgets the command under way, and the challenge: servers may bind it to the port asked from, and the next is another. */
  cancel(): void {
    this.#command = this.#challenge = undefined
    this.#state = IDLE
  }

  /** The system reports that the server's port is closed, or that sending failed. */
  fault(kind: SocketFault["kind"], message: string): void {
    if (this.#command === undefined) return
    this.#end(
      kind === "refused"
        ? new PortClosed({
            message: "The UDP port is closed. Check that the server is running, and that this is its port."
          })
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
    if (this.#state.at === "reply") this.#state = { ...this.#state, until: now + this.#quiet.quietMs(true) }
    return undefined
  }

  /** A deadline passed. */
  expire(now: number): void {
    const state = this.#state
    if (state.at === "reply") {
      if (now >= state.until) this.#end(this.#reassembler.missing() === undefined ? undefined : this.#timeout("split"))
      else if (now >= this.#lastMoment()) this.#end(this.#timeout("reply"))
    } else if (now >= Math.min(this.#silentUntil(), this.#lastMoment())) {
      this.#end(this.#timeout(state.at === "challenge" ? "request" : "challenge"))
    } else if (state.at === "challenge" && now >= state.until) {
      this.#probe(state.probes + 1, now)
    } else if (state.at === "command" && now >= state.until) {
      this.#echoes += 1
      this.#state = { at: "command", until: this.#repeatAt(this.#echoes, now) }
      this.#sendRequest(ECHO_COMMAND)
    }
  }

  #whole(datagram: Uint8Array, now: number): void {
    const head = [PRINT, QUAKEWORLD_PRINT].find((one) => beginsWith(datagram, one))
    if (head !== undefined) {
      if (this.#dialect === "goldsource") return undefined
      const textAt = HEADER_BYTES + head.length
      const nul = datagram.indexOf(0, textAt)
      const bytes = datagram.slice(textAt, nul < 0 ? undefined : nul)
      const refusal = this.#state.at === "command" ? refusedPassword(toLatin1(bytes), "quake") : undefined
      return refusal === undefined ? this.#part(bytes, now) : this.#end(refusal)
    }
    const message = decode(datagram, { encoding: "latin1" })
    if (Result.isFailure(message)) return this.#garbled(message.failure)
    return this.#dialect === "quake" ? undefined : this.#message(message.success, datagram, now)
  }

  #message(message: Message, datagram: Uint8Array, now: number): void {
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
        return this.#printed(message.text, datagram, now)
      default:
        return undefined
    }
  }

  #printed(said: string, datagram: Uint8Array, now: number): void {
    const isHltv = isHltvPrint(datagram, said.length)
    const text = isHltv ? withoutStray(said) : said
    const ban = banned(text)
    if (ban !== undefined) return this.#end(ban)
    if (this.#state.at === "command") {
      if (isBadChallenge(text)) return this.#rejected(text, now)
      const refusal = refusedPassword(text, "goldsource")
      if (refusal !== undefined) return this.#end(refusal)
      if (this.#command!.isLogin) this.#isHltv = isHltv
    }
    // To the log-in, or to an echo of ours behind the command: either way the reply is over.
    if (isEcho(text) && (this.#command!.isLogin || this.#echoes > 0)) return this.#end()
    return this.#part(encodeText(text, "latin1")!, now)
  }

  #rejected(text: string, now: number): void {
    if (this.#state.at !== "command") return undefined
    const said = text.trim()
    if (!isBadChallenge(text)) {
      const shown = maskText(said, this.#password)
      return this.#end(new Refused({ message: `The server refused the command: ${shown}`, text: shown }))
    }
    this.#challenge = undefined
    if (this.#challenges < MAX_CHALLENGES) return this.#fetchChallenge(now)
    return this.#end(
      new TooManyChallenges({
        message: `The server rejected ${this.#challenges} of its own challenges in a row. A router on the way may change the sender's port.`,
        rounds: this.#challenges
      })
    )
  }

  #part(bytes: Uint8Array, now: number): void {
    const state = this.#state
    // Before a command of ours is out, this belongs to one that was given up.
    if (state.at !== "command" && state.at !== "reply") return undefined
    if (state.at === "command") this.#quiet.sample(now - this.#sentAt)
    // Xash3D's last datagram of a reply is empty, and HLTV may lose the text of its only one.
    if (this.#command!.isLogin && bytes.length === 0) return this.#end()
    const total = bytes.length + DATAGRAM_COST_BYTES + (state.at === "reply" ? state.bytes : 0)
    if (total > Limits.MAX_RCON_REPLY_BYTES) return this.#end(tooLong())
    if (bytes.length > 0) this.#events.push({ kind: "part", bytes })
    this.#state = {
      at: "reply",
      until: now + this.#quiet.quietMs(bytes.length >= NEARLY_FULL_BYTES),
      bytes: total
    }
    return undefined
  }

  /** Unreadable datagrams are noise, unless one is what an answer to this command begins with. */
  #garbled(error: DecodeError): void {
    if (error._tag === "Malformed" && error.messageTag === "RconChallengeReply" && this.#state.at === "challenge")
      this.#end(maskHex(error, this.#secret))
  }

  #fetchChallenge(now: number): void {
    this.#challenges += 1
    this.#waitingSince = now
    this.#probe(1, now)
  }

  #probe(probes: number, now: number): void {
    this.#state = { at: "challenge", probes, until: this.#repeatAt(probes, now) }
    this.#sentAt = now
    this.#send({ _tag: "RconChallengeRequest" })
  }

  #sendCommand(now: number): void {
    const { isLogin, text } = this.#command!
    const until = this.#isHltv && !isLogin ? now + this.#quiet.quietMs(false) : Number.POSITIVE_INFINITY
    this.#state = { at: "command", until }
    this.#waitingSince = now
    this.#sentAt = now
    this.#sendRequest(text)
  }

  #sendRequest(command: string): void {
    const challenge = this.#challenge === undefined ? {} : { challenge: this.#challenge.number }
    this.#send({ _tag: "RconRequest", ...challenge, password: this.#password, command })
  }

  #repeatAt(sent: number, now: number): number {
    return now + repeatAfterMs(this.#command!.limits.timeoutMs, sent)
  }

  #send(message: Message): void {
    const datagram = encode(message, { encoding: "latin1" })
    if (Result.isFailure(datagram)) return this.#end(datagram.failure)
    this.#sent += 1
    const isBare = message._tag === "RconRequest" && this.#dialect === "quake" && ONE_WORD.test(this.#password)
    this.#datagrams.push(isBare ? withoutQuotes(datagram.success, this.#password.length) : datagram.success)
    return undefined
  }

  /** A reply that has begun ends by its own silence. */
  #silentUntil(): number {
    if (this.#state.at === "idle" || this.#state.at === "reply") return Number.POSITIVE_INFINITY
    return this.#waitingSince + this.#command!.limits.timeoutMs
  }

  /** The end of the command's time; whatever the server sends does not put it off. */
  #lastMoment(): number {
    const command = this.#command
    return command === undefined ? Number.POSITIVE_INFINITY : command.startedAt + command.limits.totalTimeoutMs
  }

  #end(error?: RconError): void {
    this.#command = undefined
    this.#state = IDLE
    const mayTrail = error !== undefined || this.#echoes > 0
    this.#events.push({ kind: "ended", mayTrail, ...(error === undefined ? {} : { error }) })
  }

  #timeout(phase: TimeoutPhase): Timeout {
    const { isLogin, limits, text } = this.#command!
    const bytes = text.length + this.#password.length
    return silenceOverUdp(phase, { isLogin, bytes, limits, sent: this.#sent, received: this.#received })
  }
}
