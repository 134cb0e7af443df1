/**
 * Numbers the messages of an open connection (document 004). Each side counts its own messages from 1, and a reply contains the number of
 * the message to which it replies. It encodes and decodes datagrams, but does not send them.
 *
 * The document does not specify what follows the largest number, or whether messages are retransmitted. This class continues to count in 32
 * bits and omits 0, which means "no reply".
 */
import { type DecodeError, type EncodeError, toHex } from "@sourcewire/protocol"
import { ConnectionMessage, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** Message types in document 004, which does not explain them. */
export const KNOWN_TYPES: ReadonlyArray<number> = [0x20, 0x21, 0xa1]

/** Maximum number of own messages that wait for a reply. Above it, the oldest is removed. */
export const MAX_REMEMBERED_MESSAGES = 1024

/** A message that this side sent. */
export interface SentMessage {
  /** The number that this side assigned. */
  readonly messageId: number
  readonly type: number
}

/** A message from this side, as bytes to send. */
export interface OutgoingMessage extends SentMessage {
  readonly datagram: Uint8Array
}

/** A message from the peer, and its position in the sequence. */
export interface IncomingMessage {
  readonly message: ConnectionMessage
  /** `next`: the expected number. `ahead`: some messages before it are missing. `behind`: it is late or a duplicate. */
  readonly order: "next" | "ahead" | "behind"
  /** Number of missing messages before it; 0 unless `ahead`. */
  readonly missing: number
  /**
   * The message of this side that got its first reply with this one. Absent if this one replies to no message, to a message that already
   * has a reply, or to an unknown number.
   */
  readonly answers?: SentMessage
}

/** The next number: signed 32 bits, never 0. */
const after = (id: number): number => (id + 1) | 0 || 1

/** The numbers of both sides of a connection. */
export class ConnectionSession {
  private sentId = 0
  private receivedId = 0
  private readonly unanswered = new Map<number, SentMessage>()

  /** Number of the last sent message; 0 before the first. */
  get lastSent(): number {
    return this.sentId
  }

  /** Highest received number; 0 before the first. */
  get lastReceived(): number {
    return this.receivedId
  }

  /** Sent messages without a reply, oldest first. */
  get awaiting(): ReadonlyArray<SentMessage> {
    return [...this.unanswered.values()]
  }

  /**
   * Encodes a message with the next number. `answers` is the number of the message to which it replies. The count does not increase if
   * encoding fails.
   */
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

  /** Decodes a datagram from the peer. If it is invalid, the session does not change. */
  receive(datagram: Uint8Array): Result.Result<IncomingMessage, DecodeError> {
    return Result.map(ConnectionMessage.decode(datagram), (message) => {
      const expected = after(this.receivedId)
      // Compare as serial numbers: the 32-bit difference is also correct after the count has wrapped.
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
