/**
 * Numbers the messages of an open connection between a client and a server (docs/protocol/document-004.md). Each side counts its own
 * messages from 1. A reply contains the number of the message to which it replies. This module encodes and decodes datagrams, but does not
 * send them.
 *
 * The document does not specify which number follows the largest number, or whether messages are retransmitted. In this class, the largest
 * signed 32-bit number (2³¹ − 1) is followed by the smallest (−2³¹). The number 0 is skipped, because 0 means "no reply".
 */
import { type DecodeError, type EncodeError, toHex } from "@sourcewire/protocol"
import { ConnectionMessage, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"

/** The message types that document 004 mentions. This document does not explain the meaning of the types. */
export const KNOWN_TYPES: ReadonlyArray<number> = [0x20, 0x21, 0xa1]

/**
 * Maximum number of sent messages that the session stores until their replies arrive. If there are more, the session removes the oldest
 * message.
 */
export const MAX_REMEMBERED_MESSAGES = 1024

/** A message that this side sent. */
export interface SentMessage {
  /** The number that this side assigned. */
  readonly messageId: number
  readonly type: number
}

/** A message from this side, with the datagram to send. */
export interface OutgoingMessage extends SentMessage {
  readonly datagram: Uint8Array
}

/** A message from the peer, and its position in the sequence of the peer's messages. */
export interface IncomingMessage {
  readonly message: ConnectionMessage
  /**
   * - `next`: the message has the expected number.
   * - `ahead`: some messages before this message are missing.
   * - `behind`: the message is late or a duplicate.
   */
  readonly order: "next" | "ahead" | "behind"
  /** Number of the peer's messages that are missing before this message; 0 if `order` is not `ahead`. */
  readonly missing: number
  /**
   * The message of this side to which the peer's message replies. Absent in these cases:
   *
   * - The peer's message is not a reply.
   * - The message of this side already has a reply.
   * - The peer's message replies to a number that no stored message has.
   */
  readonly answers?: SentMessage
}

/** The number after `id`: signed 32 bits, never 0. */
const after = (id: number): number => (id + 1) | 0 || 1

/** Numbers the messages that this side sends on a connection, and checks the order of the peer's messages by their numbers. */
export class ConnectionSession {
  private sentId = 0
  private receivedId = 0
  private readonly unanswered = new Map<number, SentMessage>()

  /** Number of the last sent message; 0 before the first message. */
  get lastSent(): number {
    return this.sentId
  }

  /** Number of the received message that is last in the sequence of the peer's messages; 0 before the first message. */
  get lastReceived(): number {
    return this.receivedId
  }

  /** Sent messages without a reply, oldest first. */
  get awaiting(): ReadonlyArray<SentMessage> {
    return [...this.unanswered.values()]
  }

  /**
   * Encodes a message with the next number. If the new message replies to a message of the peer, `answers` is the number of that message;
   * otherwise, `answers` is 0. If encoding fails, the next call uses the same number.
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

  /** Decodes a datagram from the peer. If the datagram is invalid, the session does not change. */
  receive(datagram: Uint8Array): Result.Result<IncomingMessage, DecodeError> {
    return Result.map(ConnectionMessage.decode(datagram), (message) => {
      const expected = after(this.receivedId)
      // The order depends on the 32-bit difference of the two numbers. Therefore a message with the smallest number (−2³¹) can follow a
      // message with the largest number (2³¹ − 1).
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
