/** What a client can be asked, with Effects (`ClientShape`) and with promises (`PromiseClient`), and what it answers. */
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

/** Where to ask: text as people type it, or parsed. The port is 27015 unless given. */
export type AddressInput = string | Address

/** Everything that a call of the client can end with. */
export type ClientError = QueryError | InvalidAddress | InvalidOption

/** The answer to each kind of query. INFO comes in either dialect, told apart by `_tag`. */
export interface Replies {
  readonly info: InfoReply | GoldSourceInfoReply
  readonly players: PlayersReply
  readonly rules: RulesReply
  readonly challenge: ChallengeReply
  readonly ping: Pong
}

/** How an answer came. */
export interface Traffic extends MeasuredRoundTrip {
  /** Datagrams it took, challenges and retransmissions included. */
  readonly sent: number
  readonly received: number
}

/** An answer and how it came. */
export interface Answer<A> extends Traffic {
  readonly value: A
  /** INFO only: the old dialect's reply, where the server sent both and this one first. */
  readonly legacy?: GoldSourceInfoReply
}

/** INFO, PLAYER and RULES of one server. The round trip is INFO's, or another's if only that is known. */
export interface ServerAnswer extends ServerReplies, Traffic {}

/** How to ping. */
export interface PingOptions extends QueryOptions {
  /** A2A_PING, which newer servers ignore; A2S_INFO; or both in turn (`auto`, the default). */
  readonly via?: "auto" | "ping" | "info" | undefined
}

/** How to begin to join. */
export interface HandshakeOptions extends QueryOptions {
  /** The client's number, 32 bits (default: a random one). */
  readonly challenge?: number | undefined
  /** The only form to ask in, of Source 2013, CS:GO or GoldSource (default: each in turn until the server answers one). */
  readonly form?: HandshakeForm | undefined
}

/** See {@link Pong}, and how it came. */
export interface PingAnswer extends Pong, Traffic {}

/**
 * What a client can be asked, with Effects or with promises.
 *
 * Any number of calls may be made at once: they wait for their turn where the network, the system or a server would not bear as many.
 * Equal ones (same query, address and options) at the same time ask once; each gets an object of its own.
 */
export interface ClientVerbs<S extends Style> {
  /** A2S_INFO: name, map, players and so on. */
  readonly info: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, Replies["info"], ClientError>
  /** A2S_PLAYER: who plays, and for how long. */
  readonly players: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, PlayersReply, ClientError>
  /** A2S_RULES: the server's public settings. */
  readonly rules: (address: AddressInput, options?: CallOptions<S, QueryOptions>) => Outcome<S, RulesReply, ClientError>
  /** A challenge, by GETCHALLENGE or A2S_PLAYER. */
  readonly challenge: (
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, ChallengeReply, ClientError>
  /** Measures one round trip. */
  readonly ping: (address: AddressInput, options?: CallOptions<S, PingOptions>) => Outcome<S, PingAnswer, ClientError>
  /** INFO, then PLAYER and RULES, together if the server allows it. Fails when INFO fails. */
  readonly query: (
    address: AddressInput,
    options?: CallOptions<S, ServerQueryOptions>
  ) => Outcome<S, ServerAnswer, ClientError>
  /**
   * Begins to join a Source or GoldSource server, far enough to learn its challenge, how it authenticates users, and what else its reply
   * tells. The server keeps no connection for it.
   */
  readonly handshake: (
    address: AddressInput,
    options?: CallOptions<S, HandshakeOptions>
  ) => Outcome<S, HandshakeAnswer, ClientError>
  /** One query by name, with round trip and counts. */
  readonly ask: <K extends keyof Replies>(
    kind: K,
    address: AddressInput,
    options?: CallOptions<S, QueryOptions>
  ) => Outcome<S, Answer<Replies[K]>, ClientError>
  /** What went through the client's sockets so far. */
  readonly counters: Readonly<EngineCounters>
}

/** What a {@link Client} does. Interrupting a call frees everything that it holds at once. */
export interface ClientShape extends ClientVerbs<Effects> {
  /**
   * Runs a machine of one's own against an address, on the client's sockets, when it is its turn. `timeoutMs` bounds the name lookup, and
   * how long faults of this machine are waited out; how long it asks is the machine's matter.
   */
  readonly run: <A, E>(
    address: AddressInput,
    make: (roundTrip: RoundTrip) => Exchange<A, E | QueryError>,
    options?: QueryOptions
  ) => Effect.Effect<A, E | ClientError>
}

/**
 * Asks game servers. Promises reject with a `ClientError`; its `_tag` tells which, its `address` who was asked.
 *
 * Any number of calls may be made at once: they wait for their turn where the network, the system or a server would not bear as many.
 * Equal ones (same query, address and options) at the same time ask once; each gets an object of its own.
 */
export interface PromiseClient extends ClientVerbs<Promises>, Closable {}
