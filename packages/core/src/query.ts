/**
 * Queries as state machines without I/O, for programs with their own event loop. The program passes the received datagrams and the time to
 * a state machine. The state machine returns the datagrams to send and the next deadline.
 *
 * @example
 * import { Query, QueryExchange } from "@sourcewire/core/query"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const exchange = new QueryExchange(Query.players, settings)
 * exchange.start(0)
 * exchange.receive(Uint8Array.of(255, 255, 255, 255, 0x41, 1, 2, 3, 4), 20)
 * console.log(exchange.packet) // the request again, with the challenge
 *
 * @module
 */
export type { ClientShape, HandshakeOptions, PingAnswer, PingOptions, Replies } from "./client/ClientShape.ts"
export { readSettings } from "./client/settings.ts"
export { type AboutTarget, type TimeoutPhase, TooManyChallenges, UnexpectedReply } from "./engine/QueryError.ts"
export { ConnectionSession, KNOWN_TYPES, MAX_REMEMBERED_MESSAGES } from "./handshake/ConnectionSession.ts"
export type { IncomingMessage, OutgoingMessage, SentMessage } from "./handshake/ConnectionSession.ts"
export { HANDSHAKE_FORMS, type HandshakeForm } from "./handshake/forms.ts"
export {
  HandshakeExchange,
  type AuthProtocol,
  type HandshakeAnswer,
  type HandshakeReply
} from "./handshake/HandshakeExchange.ts"
export * as Query from "./query/Query.ts"
export { type Fragments, type CachedChallenge, QueryExchange, type QueryState } from "./query/QueryExchange.ts"
export {
  ServerExchange,
  type ServerExchangeOptions,
  type ServerQuery,
  type ServerReplies,
  type ServerReply
} from "./query/ServerExchange.ts"
