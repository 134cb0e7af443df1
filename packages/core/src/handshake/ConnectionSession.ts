/**
 * The bookkeeping of an open connection's messages (document 004): each side counts its own messages from 1, and an answer names the
 * message that it answers. Pure: it makes and reads datagrams, somebody else sends them.
 *
 * The document leaves open what follows the largest number, and whether messages are repeated; here the count goes on in 32 bits
 * and leaves out 0, which stands for "answers nothing".
 */
import { type DecodeError, type EncodeError, toHex } from "@sourcewire/protocol"
import { ConnectionMessage, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** Message types that document 004 names, without saying what they mean. */
export const KNOWN_TYPES: ReadonlyArray<number> = [0x20, 0x21, 0xa1]

/** Own messages that are remembered until they are answered. Beyond that the oldest is forgotten. */
export const MAX_REMEMBERED_MESSAGES = 1024

/** A message of ours. */
export interface SentMessage {
  /** Our number for it. */
  readonly messageId: number
  readonly type: number
}

/** A message of ours, as bytes to send. */
export interface OutgoingMessage extends SentMessage {
  readonly datagram: Uint8Array
}

/** A message of the other side, and where it stands. */
export interface IncomingMessage {
  readonly message: ConnectionMessage
  /** `next` in the other side's count; `ahead` when some before it have not come; `behind` when it came late or again. */
  readonly order: "next" | "ahead" | "behind"
  /** How many did not come before it; 0 unless `ahead`. */
  readonly missing: number
  /** The message of ours that it answers first; absent when it answers none, one that was answered before, or a number never used. */
  readonly answers?: SentMessage
}

/** The number after this one: 32 bits with sign, never 0. */
const after = (id: number): number => (id + 1) | 0 || 1

/** Both sides' counts on one connection. */
export class ConnectionSession {
  private sentId = 0
  private receivedId = 0
  private readonly unanswered = new Map<number, SentMessage>()

  /** Number of our last message; 0 before the first. */
  get lastSent(): number {
    return this.sentId
  }

  /** Highest number of the other side so far; 0 before the first. */
  get lastReceived(): number {
    return this.receivedId
  }

  /** Messages of ours that nothing has answered, oldest first. */
  get awaiting(): ReadonlyArray<SentMessage> {
    return [...this.unanswered.values()]
  }

  /** Gives a message its number. `answers` is the number of the other side's message that it answers. The count goes on only if it has bytes. */
  send(type: number, payload: Uint8Array, answers = 0): Result.Result<OutgoingMessage, EncodeError> {
    const messageId = after(this.sentId)
    return Result.map(
      encodeAs(ConnectionMessage, {
        _tag: "ConnectionMessage",
        messageId,
        responseId: answers,
        type,
        payload: toHex(payload)
      }),
      (datagram) => {
        this.sentId = messageId
        this.unanswered.set(messageId, { messageId, type })
        if (this.unanswered.size > MAX_REMEMBERED_MESSAGES) {
          this.unanswered.delete(this.unanswered.keys().next().value!)
        }
        return { messageId, type, datagram }
      }
    )
  }

  /** Reads a datagram of the other side. One that is no message leaves the session as it was. */
  receive(datagram: Uint8Array): Result.Result<IncomingMessage, DecodeError> {
    return Result.map(ConnectionMessage.decode(datagram), (message) => {
      const expected = after(this.receivedId)
      // Serial numbers: the difference in 32 bits, so that the order survives the end of the count.
      const ahead = (message.messageId - expected) | 0
      const order = ahead === 0 ? "next" : ahead > 0 ? "ahead" : "behind"
      if (order !== "behind") this.receivedId = message.messageId
      const answers = this.unanswered.get(message.responseId)
      if (answers !== undefined) this.unanswered.delete(message.responseId)
      return {
        message,
        order,
        missing: order === "ahead" ? ahead : 0,
        ...(answers === undefined ? {} : { answers })
      }
    })
  }
}
