/**
 * The errors of queries. The tags are part of the command line's contract. Each `message` is a sentence for people. `JSON.stringify` of an
 * error returns its tag, message and fields, never a stack.
 *
 * Errors in the bytes of a reply (`Malformed`, `ChecksumMismatch`, `LimitExceeded`) are those of the protocol, unchanged.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { DecodeError } from "@sourcewire/protocol"

/**
 * The phase of a query when it timed out.
 *
 * - `request`: no reply.
 * - `challenge`: the server sent a challenge, but no reply to it.
 * - `split`: part of a split reply arrived, the rest did not.
 * - `connect`: TCP only, the connection was not accepted.
 * - `authentication`: RCON only, no reply to the password.
 * - `reply`: RCON only, part of the reply arrived, its end did not.
 */
export type TimeoutPhase = "request" | "challenge" | "split" | "connect" | "authentication" | "reply"

/** The field that an error of a query has besides its tag, its message and its own fields. */
export interface AboutTarget {
  /** The server, such as `game.example:27015` or `[::1]:27015`. Absent if the error is not about one server. */
  readonly address?: string
}

/** No (whole) answer within the time allowed. */
export class Timeout
  extends /* @__PURE__ */ TaggedError("Timeout")<
    AboutTarget & {
      readonly message: string
      readonly phase: TimeoutPhase
      /** Datagrams sent, retransmissions and answers to challenges included. */
      readonly sent: number
      /** Datagrams of any kind that came from the server during the query. */
      readonly received: number
      /**
       * Present if the server answered a ping or `getchallenge`, or, for the handshake, A2S_INFO. It is up, but does not answer this query.
       * A client checks that for INFO, PLAYER, RULES and the handshake, unless `retries` is less than the default.
       */
      readonly alive?: true
    }
  > {}

/** The host answered that nothing listens there (ICMP port unreachable). */
export class PortClosed extends /* @__PURE__ */ TaggedError("PortClosed")<AboutTarget & { readonly message: string }> {}

/** Present if this machine could not send within the time limit. Then nothing is known about the server. */
export interface AboutMachine {
  readonly local?: true
}

/** The host name has no address, or none of the wanted family. With `local`, no name server answered. */
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
 * The server answered with a text instead: a ban, a rate limit, a refusal (0x6C or 0x39). A Source RCON server refuses without a text: it
 * closes the connection before it has read the password.
 */
export class Refused
  extends /* @__PURE__ */ TaggedError("Refused")<
    AboutTarget & {
      readonly message: string
      /** The text of the server, without the line end; empty if it only closed the connection. */
      readonly text: string
    }
  > {}

/** The server answered each challenge with another challenge, up to `MAX_CHALLENGE_ROUNDS`. */
export class TooManyChallenges
  extends /* @__PURE__ */ TaggedError("TooManyChallenges")<
    AboutTarget & {
      readonly message: string
      readonly rounds: number
    }
  > {}

/** The server answers, to the last transmission too, but with another kind of reply. */
export class UnexpectedReply
  extends /* @__PURE__ */ TaggedError("UnexpectedReply")<
    AboutTarget & {
      readonly message: string
      /** Type byte of the last such reply. */
      readonly type: number
    }
  > {}

/** The password was not accepted. */
export class AuthenticationFailed
  extends /* @__PURE__ */ TaggedError("AuthenticationFailed")<
    AboutTarget & {
      readonly message: string
      /** The text of the server, if it sent one. */
      readonly text?: string
    }
  > {}

/** The connection, or the client that the query belonged to, was closed first. */
export class ConnectionClosed
  extends /* @__PURE__ */ TaggedError("ConnectionClosed")<AboutTarget & { readonly message: string }> {}

/** No socket could be opened, or it could not send; `local` if there is no route, no buffer, no descriptor and the like. */
export class SendFailed
  extends /* @__PURE__ */ TaggedError("SendFailed")<
    AboutTarget &
      AboutMachine & {
        readonly message: string
        /** The system's error code, such as `EHOSTUNREACH`. */
        readonly code?: string
      }
  > {}

/** Every error of a query to one address. */
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
