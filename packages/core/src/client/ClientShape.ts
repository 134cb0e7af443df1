/** The methods of a client, with Effects (`ClientShape`) and with promises (`PromiseClient`), and their results. */
import type { ChallengeReply, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type * as Effect from "effect/Effect"
import type { Address, InvalidAddress } from "../address/Address.ts"
import type { EngineCounters } from "../engine/traffic.ts"
import type { Exchange, MeasuredRoundTrip } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { RoundTrip } from "../engine/Retry.ts"
import type { HandshakeForm } from "../handshake/forms.ts"
import type { HandshakeAnswer } from "../handshake/HandshakeExchange.ts"
import type { Pong } from "../query/Query.ts"
import type { ServerReplies } from "../query/ServerExchange.ts"
import type { InvalidOption, QueryOptions, ServerQueryOptions } from "./Options.ts"
import type { Closable } from "./Running.ts"
import type { CallOptions, Effects, Outcome, Promises, Style } from "./Style.ts"

/**
 * The address of a server: a text such as `192.0.2.1:27015` or `host:port`, or a parsed address. If the text contains no port, the port is
 * 27015.
 */
export type AddressInput = string | Address

/** All errors of a client's calls. */
export type ClientError = QueryError | InvalidAddress | InvalidOption

/** The reply to each kind of query. INFO has two dialects; `_tag` distinguishes them. */
export interface Replies {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players: PlayersReply
  readonly rules: RulesReply
  readonly challenge: ChallengeReply
  readonly ping: Pong
}

/** The round-trip time of a reply, and the numbers of datagrams that were sent and received for the reply. */
export interface Traffic extends MeasuredRoundTrip {
  /** Number of datagrams sent, including retransmissions and requests with a challenge. */
  readonly sent: number
  readonly received: number
}

/** A reply, with its round-trip time and the number of datagrams sent. */
export interface Answer<A> extends Traffic {
  readonly value: A
  /** INFO only: the reply in the old dialect, if it arrived before the reply in the new dialect. */
  readonly legacy?: GoldSourceInfoReply
}

/**
 * INFO, PLAYER and RULES of one server. The round-trip time is the time of the INFO reply. If this time is ambiguous, but the time of the
 * PLAYER or RULES reply is exact, the result contains the exact time instead.
 */
export interface ServerAnswer extends ServerReplies, Traffic {}

/** Options of `ping`. */
export interface PingOptions extends QueryOptions {
  /**
   * The query to measure: `ping` is A2A_PING, which newer servers ignore; `info` is A2S_INFO; `auto` alternates between A2A_PING and
   * A2S_INFO (default: `auto`).
   */
  readonly via?: "auto" | "ping" | "info" | undefined
}

/** Options of `handshake`. */
export interface HandshakeOptions extends QueryOptions {
  /** A 32-bit number that the client sends in its request. Some servers repeat the number in the reply (default: a random number). */
  readonly challenge?: number | undefined
  /**
   * The form of the request: Source 2013, CS:GO or GoldSource (default: the exchange tries the forms one after the other until the server
   * replies).
   */
  readonly form?: HandshakeForm | undefined
}

/** A {@link Pong}, with its round-trip time and the number of datagrams sent. */
export interface PingAnswer extends Pong, Traffic {}

/**
 * The methods of a client, with Effects or with promises.
 *
 * You can make any number of calls at once. If the network, the system or a server cannot process all of them, some calls wait for their
 * turn. If you make equal calls at the same time (same query, address and options), these calls share one query, and each caller gets its
 * own copy of the result.
 */
export interface ClientMethods<S extends Style> {
  /** A2S_INFO: name, map, players and so on. */
  readonly info: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, Replies["info"], ClientError>
  /** A2S_PLAYER: the players with their scores and times. */
  readonly players: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, PlayersReply, ClientError>
  /** A2S_RULES: the server's public settings. */
  readonly rules: (address: AddressInput, options?: CallOptions<S, QueryOptions>) => Outcome<S, RulesReply, ClientError>
  /** Requests a challenge, by GETCHALLENGE or A2S_PLAYER. */
  readonly challenge: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, ChallengeReply, ClientError>
  /** Measures the round-trip time of one request. */
  readonly ping: (address: AddressInput, options?: CallOptions<S, PingOptions>) => Outcome<S, PingAnswer, ClientError>
  /** Queries INFO, then PLAYER and RULES. PLAYER and RULES can be in flight at the same time. Fails if INFO fails. */
  readonly query: (
    address: AddressInput,
    options?: CallOptions<S, ServerQueryOptions>
  ) => Outcome<S, ServerAnswer, ClientError>
  /**
   * Starts the handshake with which a game client joins a Source or GoldSource server. The reply contains the server's challenge, and the
   * method by which the server authenticates users. The call ends with this reply: the client does not join the server, and the server does
   * not store anything about the client.
   */
  readonly handshake: (
    address: AddressInput,
    options?: CallOptions<S, HandshakeOptions>
  ) => Outcome<S, HandshakeAnswer, ClientError>
  /** Runs one query by name. The result also contains the round-trip time and the number of datagrams sent. */
  readonly queryKind: <K extends keyof Replies>(
    kind: K,
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, Answer<Replies[K]>, ClientError>
  /** Counters of the client's datagrams. */
  readonly counters: Readonly<EngineCounters>
}

/** The methods of a {@link Client}. Interrupting a call releases its resources. */
export interface ClientShape extends ClientMethods<Effects> {
  /**
   * Runs your own exchange with a server, over the client's sockets. Like other calls, the exchange may have to wait for its turn.
   * `timeoutMs` is the limit for the name lookup, and also for the total delay that faults of this host cause. The exchange itself limits
   * how long it waits for replies.
   */
  readonly run: <A, E>(
    address: AddressInput,
    make: (roundTrip: RoundTrip) => Exchange<A, E | QueryError>,
    options?: QueryOptions
  ) => Effect.Effect<A, E | ClientError>
}

/**
 * Queries game servers. Promises reject with a `ClientError`. The error's field `_tag` is the kind of error. The field `address` of a
 * `QueryError` is the address of the server.
 *
 * You can make any number of calls at once. If the network, the system or a server cannot process all of them, some calls wait for their
 * turn. If you make equal calls at the same time (same query, address and options), these calls share one query, and each caller gets its
 * own copy of the result.
 */
export interface PromiseClient extends ClientMethods<Promises>, Closable {}
