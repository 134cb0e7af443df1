/**
 * Everything a query can end with other than an answer. The tags are part of the command line's contract; each `message` is a
 * sentence for people, and `JSON.stringify` of an error gives its tag, message and fields, never a stack.
 *
 * What is wrong with the bytes of an answer (`Malformed`, `ChecksumMismatch`, `LimitExceeded`) comes from the protocol unchanged.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { DecodeError } from "@sourcewire/protocol"

/**
 * Where a query was when its time ran out.
 *
 * - `request`: nothing that belongs to it ever came back.
 * - `challenge`: the server gave a challenge, then met it with silence.
 * - `split`: part of a split reply arrived, the rest did not.
 * - `connect`: TCP only, nobody accepted the connection.
 * - `authentication`: RCON only, the password got no verdict.
 * - `reply`: RCON only, part of the reply arrived, its end did not.
 */
export type TimeoutPhase = "request" | "challenge" | "split" | "connect" | "authentication" | "reply"

/** What the failure to ask a server says besides its tag, its sentence and its own fields. */
export interface AboutTarget {
  /** Who was asked, as in `game.example:27015` or `[::1]:27015`. Absent where an error was made without a server in mind. */
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
      /** Datagrams from the asked address that came while the query waited, of whatever kind. */
      readonly received: number
      /**
       * Present where the server answered something else, as a ping or `getchallenge`; for the handshake also A2S_INFO. It is there, but
       * does not answer this. A client asks for such a sign of INFO, PLAYER, RULES and the handshake, unless it is told to retry less than
       * usual.
       */
      readonly alive?: true
    }
  > {}

/** The host answered that nothing listens there (ICMP port unreachable). */
export class PortClosed extends /* @__PURE__ */ TaggedError("PortClosed")<AboutTarget & { readonly message: string }> {}

/** Present where the fault is this machine's, after all tries within the time: then nothing is known of the server. */
export interface AboutMachine {
  readonly local?: true
}

/** The host name has no address, or none of the wanted family; or, `local`, no name server of this machine's has said which. */
export class Unresolved
  extends /* @__PURE__ */ TaggedError("Unresolved")<
    AboutTarget &
      AboutMachine & {
        readonly message: string
        /** The name as it was asked for. */
        readonly host: string
      }
  > {}

/**
 * The server answered with a text instead: a ban, a rate limit, a refusal (0x6C or 0x39). A Source RCON server refuses without a
 * word: it hangs up before it has looked at the password.
 */
export class Refused
  extends /* @__PURE__ */ TaggedError("Refused")<
    AboutTarget & {
      readonly message: string
      /** What the server said, without the line end; empty when it only hung up. */
      readonly text: string
    }
  > {}

/** The server met each challenge that we brought back with one more, up to `MAX_CHALLENGE_ROUNDS`. */
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
      /** What the server said, where it said anything. */
      readonly text?: string
    }
  > {}

/** The connection, or the client that the query belonged to, was closed first. */
export class ConnectionClosed
  extends /* @__PURE__ */ TaggedError("ConnectionClosed")<AboutTarget & { readonly message: string }> {}

/** No socket could be opened, or nothing sent through it; `local` where there is no route, no buffer, no descriptor and the like. */
export class SendFailed
  extends /* @__PURE__ */ TaggedError("SendFailed")<
    AboutTarget &
      AboutMachine & {
        readonly message: string
        /** The system's word for it, as in `EHOSTUNREACH`. */
        readonly code?: string
      }
  > {}

/** Everything a query to one address can end with. */
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

/** The client is gone. */
export const clientClosed = (): ConnectionClosed =>
  new ConnectionClosed({ message: "The client was closed before the reply arrived." })
