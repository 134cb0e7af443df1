/**
 * The errors of queries. The tags must not change, because the command line prints them and scripts rely on them. Each `message` is a
 * sentence for people. `JSON.stringify` of an error returns its tag, message and fields, never a stack.
 *
 * If the bytes of a reply are invalid, the query fails with the error of the protocol package (`Malformed`, `ChecksumMismatch` or
 * `LimitExceeded`). Only the field `address` is added to this error.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { DecodeError } from "@sourcewire/protocol"

/**
 * The phase in which a query timed out.
 *
 * - `request`: no reply.
 * - `challenge`: the server sent a challenge, but did not reply to the request with this challenge.
 * - `split`: only some fragments of a split reply arrived.
 * - `connect`: the server did not accept the connection (only TCP).
 * - `authentication`: no reply to the password (only RCON).
 * - `reply`: a part of the reply arrived, but not the end of the reply (only RCON).
 */
export type TimeoutPhase = "request" | "challenge" | "split" | "connect" | "authentication" | "reply"

/** The field that all errors of a query have in common, besides the tag and the message. */
export interface AboutTarget {
  /** The server, such as `game.example:27015` or `[::1]:27015`. Absent if the error is not about one server. */
  readonly address?: string
}

/** Within the time limit, the server sent no reply, or only a part of the reply. */
export class Timeout
  extends /* @__PURE__ */ TaggedError("Timeout")<
    AboutTarget & {
      readonly message: string
      readonly phase: TimeoutPhase
      /** Number of datagrams sent, including retransmissions and requests with a challenge. */
      readonly sent: number
      /** Number of datagrams of any kind that arrived from the server during the query. */
      readonly received: number
      /**
       * Present if the server is up, but does not reply to this query: the server replied to a ping or to `getchallenge`. If this error is
       * the result of a handshake, the server replied to a query or a ping, or supports only a handshake of another engine. A client sends
       * such pings and queries only for INFO, PLAYER, RULES and the handshake, and only if `retries` is not less than the default.
       */
      readonly alive?: true
    }
  > {}

/** The host replied that no program listens on the port (ICMP port unreachable). */
export class PortClosed extends /* @__PURE__ */ TaggedError("PortClosed")<AboutTarget & { readonly message: string }> {}

/**
 * The field that marks errors with a cause on this host. For example, this host could not send within the time limit. Such an error does
 * not show whether the server is up.
 */
export interface AboutMachine {
  readonly local?: true
}

/** The host name has no address, or no address of the requested family. If no name server responded, `local` is set. */
export class Unresolved
  extends /* @__PURE__ */ TaggedError("Unresolved")<
    AboutTarget &
      AboutMachine & {
        readonly message: string
        /** The name that was looked up. */
        readonly host: string
      }
  > {}

/**
 * The server refused the query with a message that contains a text (type 0x6C or 0x39), for example because of a ban or a rate limit. A
 * Source RCON server sends no text to a refused client: the server closes the connection before it has read the password.
 */
export class Refused
  extends /* @__PURE__ */ TaggedError("Refused")<
    AboutTarget & {
      readonly message: string
      /** The text from the server, without the line end. Empty if the server only closed the connection. */
      readonly text: string
    }
  > {}

/** The server replied to each request with a new challenge, until the limit `MAX_CHALLENGE_ROUNDS` was reached. */
export class TooManyChallenges
  extends /* @__PURE__ */ TaggedError("TooManyChallenges")<
    AboutTarget & {
      readonly message: string
      readonly rounds: number
    }
  > {}

/** The server sent no reply of the expected type, but messages of other types, even after the last transmission of the request. */
export class UnexpectedReply
  extends /* @__PURE__ */ TaggedError("UnexpectedReply")<
    AboutTarget & {
      readonly message: string
      /** Type byte of the last unexpected reply. */
      readonly type: number
    }
  > {}

/** The server did not accept the password. */
export class AuthenticationFailed
  extends /* @__PURE__ */ TaggedError("AuthenticationFailed")<
    AboutTarget & {
      readonly message: string
      /** The text from the server, if it sent one. */
      readonly text?: string
    }
  > {}

/** The connection or the client was closed before the query ended. */
export class ConnectionClosed
  extends /* @__PURE__ */ TaggedError("ConnectionClosed")<AboutTarget & { readonly message: string }> {}

/**
 * No socket could be opened, or the socket could not send. `local` is set if the cause is on this host, such as a missing route, or a lack
 * of buffers or file descriptors.
 */
export class SendFailed
  extends /* @__PURE__ */ TaggedError("SendFailed")<
    AboutTarget &
      AboutMachine & {
        readonly message: string
        /** The system's error code, such as `EHOSTUNREACH`. */
        readonly code?: string
      }
  > {}

/** All errors of a query to one address. */
export type QueryError =
  | (DecodeError & AboutTarget)
  | Timeout
  | PortClosed
  | Unresolved
  | Refused
  | TooManyChallenges
  | UnexpectedReply
  | AuthenticationFailed
  | ConnectionClosed
  | SendFailed

/** The error of a request whose client was closed. */
export const clientClosed = (): ConnectionClosed =>
  new ConnectionClosed({ message: "The client was closed before the reply arrived." })
