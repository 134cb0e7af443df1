/** Filters the messages of a capture, and formats a line for each message. */
import {
  type Listed,
  Replies,
  type Reply,
  formatConversation,
  describe,
  messageName,
  passing
} from "@sourcewire/capture"
import * as Result from "effect/Result"
import { uncoloured, displayWidth, fit, padEnd, padStart } from "../output/text.ts"
import type { Surface } from "../output/output.ts"
import { milliseconds } from "../view/quantities.ts"
import type { CapturedMessage } from "./capture.ts"
import type { DecodeSettings } from "./flags.ts"

/** Builds a filter from `--errors`, `--server`, `--text` and `--type`. Returns `undefined` if the user set none of these flags. */
const makeFilter = ({ errors, server = "", text = "", type = "" }: DecodeSettings) =>
  errors || server + text + type !== "" ? passing({ ends: server, words: text, type, faulty: errors }) : undefined

const listed = ({ decoded: { result }, from, to }: CapturedMessage): Listed => {
  if (Result.isFailure(result)) {
    const { _tag, message } = result.failure
    return { from, to, name: "malformed", summary: `${_tag}: ${message}`, isFaulty: true }
  }
  const message = result.success
  const isFaulty = "truncated" in message && message.truncated === true
  return { from, to, name: messageName(message._tag), tag: message._tag, summary: describe(message), isFaulty }
}

/** The messages between two endpoints. `messages`, `bytes` and `errors` include only the messages that match the filter. */
export interface Conversation {
  readonly number: number
  readonly ends: readonly [string, string]
  messages: number
  bytes: number
  errors: number
  readonly beginNs: bigint | undefined
  endNs: bigint | undefined
}

const SECONDS_COLUMNS = 11
const ENDS_COLUMNS = 21
const NAME_COLUMNS = 20
const REPLY_COLUMNS = 8

/**
 * If a terminal has at least this number of columns, each line shows both endpoints of a message. On a narrower terminal, a line shows only
 * the server.
 */
const WIDE = 110

export interface Taken extends CapturedMessage {
  readonly reply: Reply
}

export class CaptureList {
  readonly #conversations = new Map<string, Conversation>()
  readonly #passes: ((line: Listed) => boolean) | undefined
  readonly #wanted: number | undefined
  readonly #replies = new Replies()
  #beginNs: bigint | undefined

  constructor(settings: DecodeSettings) {
    this.#passes = makeFilter(settings)
    this.#wanted = settings.conversation === "list" ? undefined : settings.conversation
  }

  take(message: CapturedMessage): Taken | undefined {
    const { decoded, timeNs } = message
    this.#beginNs ??= timeNs
    const conversation = this.#conversation(message)
    const tag = Result.isSuccess(decoded.result) ? decoded.result.success._tag : undefined
    const reply = this.#replies.of(tag, message, timeNs === undefined ? undefined : Number(timeNs) / 1e6)
    if (this.#wanted !== undefined && conversation.number !== this.#wanted) return undefined
    if (this.#passes !== undefined && !this.#passes(listed(message))) return undefined
    conversation.messages++
    conversation.bytes += decoded.bytes.length
    conversation.endNs = timeNs
    if (Result.isFailure(decoded.result)) conversation.errors++
    return { ...message, reply }
  }

  /**
   * The conversations in which at least one message matches the filter. The conversation that begins first in the capture is listed first.
   */
  get conversations(): ReadonlyArray<Conversation> {
    return [...this.#conversations.values()].filter(({ messages }) => messages > 0)
  }

  /** The number of all conversations, including conversations without a matching message. */
  get conversationCount(): number {
    return this.#conversations.size
  }

  /** Formats the time from the first message of the capture to `timeNs`, in seconds. If the capture has no times, the result is empty. */
  seconds(timeNs: bigint | undefined): string {
    return timeNs === undefined ? "" : (Number(timeNs - (this.#beginNs ?? timeNs)) / 1e9).toFixed(6)
  }

  line(taken: Taken, { columns, isTerminal, palette }: Surface): string {
    const { isFaulty, name, summary } = listed(taken)
    const { from, reply, timeNs, to } = taken
    const { isRequest, replyMs, server } = reply
    const ends =
      isTerminal && columns < WIDE && server !== undefined
        ? `${isRequest === true ? "→" : "←"} ${padEnd(server, ENDS_COLUMNS)}`
        : `${padEnd(from, ENDS_COLUMNS)} → ${padEnd(to, ENDS_COLUMNS)}`
    const time = padStart(this.seconds(timeNs), SECONDS_COLUMNS)
    const took = padStart(replyMs === undefined ? "" : milliseconds(replyMs), REPLY_COLUMNS)
    const head = `${time}  ${ends}  ${padEnd(name, NAME_COLUMNS)}  ${took}  `
    const words = uncoloured(summary)
    const shown = isTerminal ? fit(words, Math.max(8, columns - displayWidth(head))) : words
    if (isFaulty) return palette.bad(`${head}${shown}`)
    return `${palette.faint(time)}  ${ends}  ${palette.strong(padEnd(name, NAME_COLUMNS))}  ${palette.faint(took)}  ${shown}`.trimEnd()
  }

  #conversation(message: CapturedMessage): Conversation {
    const { from, timeNs, to } = message
    const key = formatConversation(message)!
    const number = this.#conversations.size + 1
    const counts = { messages: 0, bytes: 0, errors: 0 }
    const first: Conversation = { number, ends: [from, to], ...counts, beginNs: timeNs, endNs: timeNs }
    const one = this.#conversations.get(key) ?? first
    this.#conversations.set(key, one)
    return one
  }
}
