/**
 * A command of RCON over UDP as an {@link Exchange}, from its challenge to the end of its reply. The log-in is a command, too. What is
 * known of the console from one command to the next is in {@link GoldSourceConsole}.
 *
 * | state | what happens | next |
 * |---|---|---|
 * | `begun` | the challenge is known, or none is needed | `command` |
 * | `begun` | otherwise | `challenge` |
 * | `challenge` | the challenge | `command` |
 * | `command` | 0x39 `No challenge for your address.`: the command did not run | `challenge`, at most {@link MAX_CHALLENGES} times |
 * | `command` | a refusal | `done`, with an error |
 * | `command`, `reply` | a part of the reply | `reply` |
 * | `command`, `reply` | the answer to an echo that we sent behind the command | `done`, the reply is whole |
 * | `reply` | silence, as the {@link QuietRule} has it | `done`, the reply is whole, or a fragment of it is missing |
 * | any | the time is over | `done`, with a `Timeout` |
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
 * Requests for a challenge and echoes are repeated; a command is not, since its reply may have been lost instead. So a session runs these
 * exchanges itself instead of giving them to the engine: it sends nothing again after a local fault, and a late timer lets the socket be
 * read first (`Deadline`), since silence ends a reply.
 */
import { type DecodeError, type Message, decode, encode } from "@sourcewire/protocol"
import { beginsWith, encodeText, HEADER_BYTES, isSplit, Limits, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, Step } from "../engine/Exchange.ts"
import { repeatAfterMs } from "../engine/Retry.ts"
import type { TimeoutPhase } from "../engine/QueryError.ts"
import { Refused, TooManyChallenges } from "../engine/QueryError.ts"
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

/** What is awaited, and until when: then the challenge is asked for again, an echo follows the command, or the reply is whole. */
type State = { readonly until: number } & (
  | { readonly at: "begun" | "command" | "done" }
  | { readonly at: "challenge"; readonly probes: number }
  | { readonly at: "reply"; readonly bytes: number }
)

const BEGUN: State = { at: "begun", until: Number.POSITIVE_INFINITY }
const DONE: State = { at: "done", until: Number.POSITIVE_INFINITY }

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

const NOTHING = new Uint8Array(0)

/** How to speak to a console. */
export interface ConsoleOptions {
  readonly password: Uint8Array
  readonly dialect: Dialect
  readonly quiet: QuietRule
}

/** A console: its password, and what one command has shown that the next one uses. */
export class GoldSourceConsole {
  readonly secret: Uint8Array
  /** One character per byte, so that the codec's `latin1` gives the bytes back. */
  readonly password: string
  readonly dialect: Dialect
  readonly quiet: QuietRule
  private known: { readonly number: number; readonly at: number } | undefined = undefined
  private hltv = false

  constructor({ dialect, password, quiet }: ConsoleOptions) {
    this.secret = password
    this.password = toLatin1(password)
    this.dialect = dialect
    this.quiet = quiet
  }

  /** The challenge; `undefined` if none is known. */
  get challenge(): number | undefined {
    return this.known?.number
  }

  /** Whether a command without output gets no answer. */
  get isHltv(): boolean {
    return this.hltv
  }

  /** Whether a command needs another challenge first. */
  needsChallenge(now: number): boolean {
    if (this.dialect === "quake") return false
    return this.known === undefined || this.hltv || now >= this.known.at + CHALLENGE_TTL_MS
  }

  onChallenge(challenge: number, now: number): void {
    this.known = { number: challenge, at: now }
  }

  /** The log-in was answered, by HLTV or not. */
  onLoggedIn(isHltv: boolean): void {
    this.hltv = isHltv
  }

  /** The server has refused the challenge, or the next command leaves from another port, to which servers may not have given it. */
  forgetChallenge(): void {
    this.known = undefined
  }
}

/** A command, or the log-in. */
export interface Command {
  /** Bytes without NUL or line end; absent for the log-in. */
  readonly bytes?: Uint8Array
  readonly limits: TimeLimits
  /** Called with each part of the reply. */
  readonly onPart: (bytes: Uint8Array) => unknown
}

/** How a command has ended that did not fail. */
export interface CommandEnd {
  /** Whether datagrams that belong to it may still come. */
  readonly mayTrail: boolean
}

/** One command. */
export class GoldSourceExchange implements Exchange<CommandEnd, RconError> {
  packet: Uint8Array = NOTHING
  result: Result.Result<CommandEnd, RconError> | undefined = undefined
  private readonly console: GoldSourceConsole
  private readonly limits: TimeLimits
  private readonly onPart: Command["onPart"]
  private readonly isLogin: boolean
  /** One character per byte. */
  private readonly text: string
  private readonly reassembler = new Reassembler()
  private state: State = BEGUN
  private startedAt = 0
  private challenges = 0
  /** Echoes sent behind the command. */
  private echoes = 0
  private sentAt = 0
  /** Since when the present step has waited for an answer; noise does not prolong it. */
  private waitingSince = 0
  private sent = 0
  private received = 0

  constructor(console: GoldSourceConsole, { bytes, limits, onPart }: Command) {
    this.console = console
    this.limits = limits
    this.onPart = onPart
    this.isLogin = bytes === undefined
    this.text = bytes === undefined ? ECHO_COMMAND : toLatin1(bytes)
  }

  get deadline(): number {
    return Math.min(this.state.until, this.silentUntil, this.lastMoment)
  }

  start(now: number): Step {
    this.startedAt = now
    return this.console.needsChallenge(now) ? this.fetchChallenge(now) : this.sendCommand(now)
  }

  fail(error: RconError): Step {
    if (this.state.at === "done") return Step.Done
    this.state = DONE
    this.result = Result.fail(error)
    return Step.Done
  }

  receive(datagram: Uint8Array, now: number): Step {
    if (this.state.at === "done") return Step.Done
    this.received += 1
    const step = isSplit(datagram) ? this.onFragment(datagram, now) : this.onWhole(datagram, now)
    // Nothing that comes puts this off, and datagrams without a pause may keep a timer waiting.
    return step !== Step.Done && now >= this.lastMoment ? this.expire(now) : step
  }

  expire(now: number): Step {
    const { state } = this
    switch (state.at) {
      case "reply":
        if (now >= state.until) {
          return this.reassembler.missing() === undefined ? this.succeed() : this.timeOut("split")
        }
        return now >= this.lastMoment ? this.timeOut("reply") : Step.Wait
      case "challenge":
        if (this.isOver(now)) return this.timeOut("request")
        return now >= state.until ? this.probe(state.probes + 1, now) : Step.Wait
      case "command":
        if (this.isOver(now)) return this.timeOut("challenge")
        if (now < state.until) return Step.Wait
        this.echoes += 1
        this.state = { at: "command", until: this.repeatAt(this.echoes, now) }
        return this.sendRequest(ECHO_COMMAND)
      case "done":
        return Step.Done
      default:
        return Step.Wait
    }
  }

  private onFragment(datagram: Uint8Array, now: number): Step {
    const joined = this.reassembler.add(datagram)
    if (Result.isFailure(joined)) return joined.failure._tag === "Malformed" ? Step.Wait : this.fail(joined.failure)
    if (joined.success !== undefined) return this.onWhole(joined.success.bytes, now)
    // The rest of a fragment is close behind; the reply is not over before it.
    if (this.state.at === "reply") this.state = { ...this.state, until: now + this.console.quiet.quietMs(true) }
    return Step.Wait
  }

  private onWhole(datagram: Uint8Array, now: number): Step {
    const { dialect } = this.console
    const head = [PRINT, QUAKEWORLD_PRINT].find((one) => beginsWith(datagram, one))
    if (head !== undefined) {
      if (dialect === "goldsource") return Step.Wait
      const textAt = HEADER_BYTES + head.length
      const nul = datagram.indexOf(0, textAt)
      const bytes = datagram.slice(textAt, nul < 0 ? undefined : nul)
      const refusal = this.state.at === "command" ? refusedPassword(toLatin1(bytes), "quake") : undefined
      return refusal === undefined ? this.onReplyPart(bytes, now) : this.fail(refusal)
    }
    const message = decode(datagram, { encoding: "latin1" })
    if (Result.isFailure(message)) return this.onGarbled(message.failure)
    return dialect === "quake" ? Step.Wait : this.onMessage(message.success, datagram, now)
  }

  private onMessage(message: Message, datagram: Uint8Array, now: number): Step {
    switch (message._tag) {
      case "RconChallengeReply":
        if (this.state.at !== "challenge") return Step.Wait
        // After a repetition nobody can say which request this answers.
        if (this.state.probes === 1) this.console.quiet.sample(now - this.sentAt)
        this.console.onChallenge(message.challenge, now)
        return this.sendCommand(now)
      case "ConnectionRejected":
        return this.onRejected(message.text, now)
      case "PrintReply":
        return this.onPrinted(message.text, datagram, now)
      default:
        return Step.Wait
    }
  }

  private onPrinted(said: string, datagram: Uint8Array, now: number): Step {
    const isHltv = isHltvPrint(datagram, said.length)
    const text = isHltv ? withoutStray(said) : said
    const ban = banned(text)
    if (ban !== undefined) return this.fail(ban)
    if (this.state.at === "command") {
      if (isBadChallenge(text)) return this.onRejected(text, now)
      const refusal = refusedPassword(text, "goldsource")
      if (refusal !== undefined) return this.fail(refusal)
      if (this.isLogin) this.console.onLoggedIn(isHltv)
    }
    // To the log-in, or to an echo of ours behind the command: either way the reply is over.
    if (isEcho(text) && (this.isLogin || this.echoes > 0)) return this.succeed()
    return this.onReplyPart(encodeText(text, "latin1")!, now)
  }

  private onRejected(text: string, now: number): Step {
    if (this.state.at !== "command") return Step.Wait
    if (!isBadChallenge(text)) {
      const shown = maskText(text.trim(), this.console.password)
      return this.fail(new Refused({ message: `The server refused the command: ${shown}`, text: shown }))
    }
    this.console.forgetChallenge()
    if (this.challenges < MAX_CHALLENGES) return this.fetchChallenge(now)
    return this.fail(
      new TooManyChallenges({
        message: `The server rejected ${this.challenges} of its own challenges in a row. A router on the way may change the sender's port.`,
        rounds: this.challenges
      })
    )
  }

  private onReplyPart(bytes: Uint8Array, now: number): Step {
    const { state } = this
    const { quiet } = this.console
    // Before a command of ours is out, this belongs to one that was given up.
    if (state.at !== "command" && state.at !== "reply") return Step.Wait
    if (state.at === "command") quiet.sample(now - this.sentAt)
    // Xash3D's last datagram of a reply is empty, and HLTV may lose the text of its only one.
    if (this.isLogin && bytes.length === 0) return this.succeed()
    const total = bytes.length + DATAGRAM_COST_BYTES + (state.at === "reply" ? state.bytes : 0)
    if (total > Limits.MAX_RCON_REPLY_BYTES) return this.fail(tooLong())
    if (bytes.length > 0) this.onPart(bytes)
    this.state = { at: "reply", until: now + quiet.quietMs(bytes.length >= NEARLY_FULL_BYTES), bytes: total }
    return Step.Wait
  }

  /** Unreadable datagrams are noise, unless one is what an answer to this command begins with. */
  private onGarbled(error: DecodeError): Step {
    const isAnswer =
      error._tag === "Malformed" && error.messageTag === "RconChallengeReply" && this.state.at === "challenge"
    return isAnswer ? this.fail(maskHex(error, this.console.secret)) : Step.Wait
  }

  private fetchChallenge(now: number): Step {
    this.challenges += 1
    this.waitingSince = now
    return this.probe(1, now)
  }

  private probe(probes: number, now: number): Step {
    this.state = { at: "challenge", probes, until: this.repeatAt(probes, now) }
    this.sentAt = now
    return this.send({ _tag: "RconChallengeRequest" })
  }

  private sendCommand(now: number): Step {
    const { isHltv, quiet } = this.console
    const until = isHltv && !this.isLogin ? now + quiet.quietMs(false) : Number.POSITIVE_INFINITY
    this.state = { at: "command", until }
    this.waitingSince = now
    this.sentAt = now
    return this.sendRequest(this.text)
  }

  private sendRequest(command: string): Step {
    const { challenge, password } = this.console
    return this.send({ _tag: "RconRequest", ...(challenge === undefined ? {} : { challenge }), password, command })
  }

  private send(message: Message): Step {
    const { dialect, password } = this.console
    const datagram = encode(message, { encoding: "latin1" })
    if (Result.isFailure(datagram)) return this.fail(datagram.failure)
    this.sent += 1
    const isBare = message._tag === "RconRequest" && dialect === "quake" && ONE_WORD.test(password)
    this.packet = isBare ? withoutQuotes(datagram.success, password.length) : datagram.success
    return Step.Send
  }

  private repeatAt(sent: number, now: number): number {
    return now + repeatAfterMs(this.limits.timeoutMs, sent)
  }

  /** Until when to wait for an answer. A reply that has begun ends by its own silence. */
  private get silentUntil(): number {
    const { at } = this.state
    return at === "challenge" || at === "command" ? this.waitingSince + this.limits.timeoutMs : Number.POSITIVE_INFINITY
  }

  /** The end of the command's time; whatever the server sends does not put it off. */
  private get lastMoment(): number {
    const { at } = this.state
    return at === "begun" || at === "done" ? Number.POSITIVE_INFINITY : this.startedAt + this.limits.totalTimeoutMs
  }

  private isOver(now: number): boolean {
    return now >= Math.min(this.silentUntil, this.lastMoment)
  }

  private succeed(): Step {
    this.state = DONE
    this.result = Result.succeed({ mayTrail: this.echoes > 0 })
    return Step.Done
  }

  private timeOut(phase: TimeoutPhase): Step {
    const { isLogin, limits, received, sent, text } = this
    const bytes = text.length + this.console.password.length
    return this.fail(silenceOverUdp(phase, { isLogin, bytes, limits, sent, received }))
  }
}
