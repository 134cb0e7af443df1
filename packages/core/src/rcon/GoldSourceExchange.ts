/**
 * Runs one command of RCON over UDP as an {@link Exchange}, from the request for a challenge to the end of the reply. The log-in is a
 * command, too. {@link GoldSourceConsole} stores facts about the server between the commands of a session, for example the challenge.
 *
 * | state | event | next |
 * |---|---|---|
 * | `begun` | a valid challenge is known, or the protocol uses no challenge | `command` |
 * | `begun` | no valid challenge is known | `challenge` |
 * | `challenge` | a challenge | `command` |
 * | `command` | 0x39 `No challenge for your address.`: the server did not run the command | `challenge`, at most {@link MAX_CHALLENGES} times |
 * | `command` | a refusal | `done`, with an error |
 * | `command`, `reply` | a part of the reply | `reply` |
 * | `command`, `reply` | the reply to an echo that followed the command | `done`, the reply is complete |
 * | `reply` | no datagram for the quiet period of the {@link QuietRule} | `done`; the reply is complete, or a fragment of it is missing |
 * | any | the time limit is over | `done`, with a `Timeout` |
 *
 * **GoldSource** (HLDS, ReHLDS, HLTV; document 002). The client requests a challenge (`challenge rcon`), then sends the command with the
 * challenge and the quoted password. HLDS accepts a challenge for 60 minutes, but the client requests a new challenge after {@link
 * CHALLENGE_TTL_MS} ms.
 *
 * **HLTV** differs from HLDS:
 *
 * - HLTV drops requests of fewer than four words. A request with an empty command has only three words, so the log-in sends the command
 *   `echo`, which works on every engine.
 * - HLTV does not reply to a command without output, to a wrong password, or to a command with a challenge older than 40 s. Therefore the
 *   client requests a challenge for each command. HLTV may reply with a challenge that it sent before, and does not extend the validity of
 *   this challenge. Therefore even a challenge that has just arrived may expire soon.
 * - If HLTV does not reply to a command, the client sends an `echo`. A reply to the `echo` shows that the command had no output.
 * - The last bytes of the reply to the log-in show whether the server is HLTV.
 *
 * **Quake style** (Xash3D, ioquake3, DarkPlaces): the client sends `rcon password command` without a challenge. If the password is not a
 * single word, the client quotes the password. The server replies with `print\n` datagrams. Servers of the QuakeWorld family reply with
 * datagrams of type `n` instead. Xash3D and DarkPlaces do not reply to a wrong password.
 *
 * **The end of a reply.** A reply has no end mark. A reply consists of one or more messages (0x6C or `print`). The server may split a
 * message into several fragments. The reply counts as complete when no datagram has arrived for a quiet period. If a fragment of the reply
 * is lost, the command fails with `Timeout`. If a datagram with a complete message is lost, the exchange cannot detect the loss.
 *
 * The exchange retransmits echoes and requests for a challenge. The exchange does not retransmit a command, because the server may have
 * executed the command although the reply was lost.
 *
 * A session runs these exchanges itself, without the engine, for two reasons:
 *
 * - If this host cannot send a datagram, the engine sends this datagram again later. A command must not be sent twice.
 * - After a late timer, a datagram of the reply may still wait in the socket. The session must read this datagram before it decides that
 *   the reply is complete (`Deadline`).
 */
import { type DecodeError, type Message, decode, encode } from "@sourcewire/protocol"
import { beginsWith, encodeText, HEADER_BYTES, isSplit, Limits, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { type Exchange, Step } from "../engine/Exchange.ts"
import { repeatAfterMs } from "../engine/Retry.ts"
import type { TimeoutPhase } from "../engine/QueryError.ts"
import { Refused, TooManyChallenges } from "../engine/QueryError.ts"
import { udpTimeout, replyTooLong } from "./errors.ts"
import {
  banned,
  ECHO_COMMAND,
  isBadChallenge,
  isEcho,
  isHltvPrint,
  refusedPassword,
  removeStrayByte
} from "./goldSourceTexts.ts"
import type { QuietRule } from "./quietRule.ts"
import { toLatin1 } from "./replyText.ts"
import { maskHex, maskText } from "./secretMask.ts"
import type { TimeLimits } from "./deadline.ts"
import type { RconError } from "./session.ts"

/** How long after its arrival the client uses a challenge, in ms. */
export const CHALLENGE_TTL_MS = 25_000

/** Maximum number of challenges for one command. */
export const MAX_CHALLENGES = 3

/**
 * After a datagram with at least this many bytes of text, another datagram probably follows. GoldSource splits its output at line ends,
 * into datagrams of up to 1400 bytes. A line rarely has more than 100 bytes.
 */
const NEARLY_FULL_BYTES = 1300

/**
 * Number of bytes that each datagram adds to the counted length of the reply, in addition to the text in the datagram. Without this
 * addition, a server could send empty datagrams without limit.
 */
const DATAGRAM_COST_BYTES = 16

/** The protocol: GoldSource (requests contain a challenge) or Quake style (requests contain no challenge). */
export type Dialect = "goldsource" | "quake"

/**
 * The state, and the time of the next action (`until`). The action depends on the state: the exchange requests the challenge again, sends
 * an echo, or completes the reply.
 */
type State = { readonly until: number } & (
  | { readonly at: "begun" | "command" | "done" }
  | { readonly at: "challenge"; readonly probes: number }
  | { readonly at: "reply"; readonly bytes: number }
)

const BEGUN: State = { at: "begun", until: Number.POSITIVE_INFINITY }
const DONE: State = { at: "done", until: Number.POSITIVE_INFINITY }

/**
 * The text before each part of a Quake-style reply. Instead of this text, servers of the QuakeWorld family (DarkPlaces) send the type byte
 * `n`.
 */
const PRINT = "print\n"
const QUAKEWORLD_PRINT = "n"

/** Matches a password that needs no quotes. */
const ONE_WORD = /^[^\s";]+$/

/**
 * Removes the quotes around the password from a request. Quake's own clients send no quotes, and DarkPlaces would read the quotes as part
 * of the password.
 */
const withoutQuotes = (request: Uint8Array, passwordBytes: number): Uint8Array => {
  const open = request.indexOf(QUOTE)
  const close = open + 1 + passwordBytes
  return request.filter((_, at) => at !== open && at !== close)
}
const QUOTE = 0x22

const NOTHING = new Uint8Array(0)

export interface ConsoleOptions {
  readonly password: Uint8Array
  readonly dialect: Dialect
  readonly quiet: QuietRule
}

/** The password of a console, and facts about the console that are stored between commands, for example the challenge. */
export class GoldSourceConsole {
  readonly secret: Uint8Array
  /** The password with one character per byte. With the encoding `latin1`, the codec converts this text back to the same bytes. */
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

  /** The last challenge; `undefined` if no challenge is known. */
  get challenge(): number | undefined {
    return this.known?.number
  }

  /** Whether the server is HLTV, which does not reply to a command without output. */
  get isHltv(): boolean {
    return this.hltv
  }

  /** Whether a new challenge must be requested before the next command. */
  needsChallenge(now: number): boolean {
    if (this.dialect === "quake") return false
    return this.known === undefined || this.hltv || now >= this.known.at + CHALLENGE_TTL_MS
  }

  onChallenge(challenge: number, now: number): void {
    this.known = { number: challenge, at: now }
  }

  onLoggedIn(isHltv: boolean): void {
    this.hltv = isHltv
  }

  /**
   * Drops the challenge. Called if the server has rejected the challenge, or if the next command uses a new source port, for which the
   * challenge may be invalid.
   */
  forgetChallenge(): void {
    this.known = undefined
  }
}

/** A command, or the log-in. */
export interface Command {
  /** The command as bytes, without NUL or line end. Absent for the log-in. */
  readonly bytes?: Uint8Array
  readonly limits: TimeLimits
  /** Called for each part of the reply. */
  readonly onPart: (bytes: Uint8Array) => unknown
}

/** The result of a command that succeeded. Before the result is set, all parts of the reply are passed to {@link Command.onPart}. */
export interface CommandEnd {
  /** Whether datagrams of the reply to this command may still arrive after this result. */
  readonly mayTrail: boolean
}

export class GoldSourceExchange implements Exchange<CommandEnd, RconError> {
  packet: Uint8Array = NOTHING
  result: Result.Result<CommandEnd, RconError> | undefined = undefined
  private readonly console: GoldSourceConsole
  private readonly limits: TimeLimits
  private readonly onPart: Command["onPart"]
  private readonly isLogin: boolean
  /** The command with one character per byte. */
  private readonly text: string
  private readonly reassembler = new Reassembler()
  private state: State = BEGUN
  private startedAt = 0
  private challenges = 0
  /** Number of echoes sent after the command. */
  private echoes = 0
  private sentAt = 0
  /**
   * The time at which the exchange started to wait for the challenge, or for the first part of the reply. Unrelated datagrams do not extend
   * this wait.
   */
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
    const step = isSplit(datagram) ? this.onFragment(datagram, now) : this.onCompleteReply(datagram, now)
    // No datagram extends the total time limit. This limit is also checked here, because the timer may not fire while datagrams arrive
    // without a pause.
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
    if (joined.success !== undefined) return this.onCompleteReply(joined.success.bytes, now)
    // The quiet period starts again, because the other fragments of the message usually follow soon.
    if (this.state.at === "reply") this.state = { ...this.state, until: now + this.console.quiet.quietMs(true) }
    return Step.Wait
  }

  private onCompleteReply(datagram: Uint8Array, now: number): Step {
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
        // After a retransmission, the challenge may be the reply to an earlier request, so the round-trip time is not measured.
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
    const text = isHltv ? removeStrayByte(said) : said
    const ban = banned(text)
    if (ban !== undefined) return this.fail(ban)
    if (this.state.at === "command") {
      if (isBadChallenge(text)) return this.onRejected(text, now)
      const refusal = refusedPassword(text, "goldsource")
      if (refusal !== undefined) return this.fail(refusal)
      if (this.isLogin) this.console.onLoggedIn(isHltv)
    }
    // This text is the reply to the log-in, or to an echo after the command. In both cases, the reply is complete.
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
    // A text that arrives before the command was sent belongs to an earlier, cancelled command.
    if (state.at !== "command" && state.at !== "reply") return Step.Wait
    if (state.at === "command") quiet.sample(now - this.sentAt)
    // An empty text also completes the log-in: Xash3D ends each reply with an empty text, and HLTV replies with a single datagram whose
    // text may be empty.
    if (this.isLogin && bytes.length === 0) return this.succeed()
    const total = bytes.length + DATAGRAM_COST_BYTES + (state.at === "reply" ? state.bytes : 0)
    if (total > Limits.MAX_RCON_REPLY_BYTES) return this.fail(replyTooLong())
    if (bytes.length > 0) this.onPart(bytes)
    this.state = { at: "reply", until: now + quiet.quietMs(bytes.length >= NEARLY_FULL_BYTES), bytes: total }
    return Step.Wait
  }

  /**
   * Processes a malformed datagram. If the exchange waits for a challenge, and the datagram starts like a challenge, the command fails. Any
   * other malformed datagram is ignored.
   */
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

  /**
   * When the exchange stops waiting for the challenge or for the beginning of the reply. After the beginning of the reply, only a quiet
   * period or the total time limit ends the wait.
   */
  private get silentUntil(): number {
    const { at } = this.state
    return at === "challenge" || at === "command" ? this.waitingSince + this.limits.timeoutMs : Number.POSITIVE_INFINITY
  }

  /** When the total time limit of the command ends. No datagram extends this limit. */
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
    return this.fail(udpTimeout(phase, { isLogin, bytes, limits, sent, received }))
  }
}
