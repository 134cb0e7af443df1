/** Asks game servers: the Promise API, for programs that don't use Effect. */
import type { ChallengeReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type * as Layer from "effect/Layer"
import type {
  AddressInput,
  Answer,
  HandshakeOptions,
  PingAnswer,
  PingOptions,
  Replies,
  ServerAnswer
} from "./Client.ts"
import { makeClient } from "./makeClient.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { EngineCounters } from "../engine/Engine.ts"
import type { HandshakeAnswer } from "../handshake/HandshakeExchange.ts"
import type { ClientOptions, QueryOptions } from "./Options.ts"
import type { Abortable, Closable } from "./Running.ts"
import { start } from "./Running.ts"

/**
 * Asks game servers. Promises reject with a `ClientError`; its `_tag` tells which, its `address` who was asked.
 *
 * Any number of calls may be made at once: they wait for their turn where the network, the system or a server would not bear as many.
 * Equal ones (same query, address and options) at the same time ask once; each gets an object of its own.
 */
export interface PromiseClient extends Closable {
  /** A2S_INFO: name, map, players and so on. */
  readonly info: (address: AddressInput, options?: QueryOptions & Abortable) => Promise<Replies["info"]>
  /** A2S_PLAYER: who plays, and for how long. */
  readonly players: (address: AddressInput, options?: QueryOptions & Abortable) => Promise<PlayersReply>
  /** A2S_RULES: the server's public settings. */
  readonly rules: (address: AddressInput, options?: QueryOptions & Abortable) => Promise<RulesReply>
  /** A challenge, by GETCHALLENGE or A2S_PLAYER. */
  readonly challenge: (address: AddressInput, options?: QueryOptions & Abortable) => Promise<ChallengeReply>
  /** Measures one round trip. */
  readonly ping: (address: AddressInput, options?: PingOptions & Abortable) => Promise<PingAnswer>
  /** INFO, then PLAYER and RULES; rejects when INFO fails. */
  readonly query: (address: AddressInput, options?: QueryOptions & Abortable) => Promise<ServerAnswer>
  /** One query by name, with round trip and counts. */
  readonly ask: <K extends keyof Replies>(
    kind: K,
    address: AddressInput,
    options?: QueryOptions & Abortable
  ) => Promise<Answer<Replies[K]>>
  /** Begins to join a Source server, and goes no further. */
  readonly handshake: (address: AddressInput, options?: HandshakeOptions & Abortable) => Promise<HandshakeAnswer>
  /** What went through the client's sockets so far. */
  readonly counters: Readonly<EngineCounters>
}

/** A `connect` over one runtime's UDP. It rejects with `InvalidOption` when an option makes no sense. */
export const connectWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  async (options?: ClientOptions): Promise<PromiseClient> => {
    const { closable, run, value: client } = await start("The client", datagrams, makeClient(options))
    return {
      info: (address, options) => run(client.info(address, options), options),
      players: (address, options) => run(client.players(address, options), options),
      rules: (address, options) => run(client.rules(address, options), options),
      challenge: (address, options) => run(client.challenge(address, options), options),
      ping: (address, options) => run(client.ping(address, options), options),
      query: (address, options) => run(client.query(address, options), options),
      ask: (kind, address, options) => run(client.ask(kind, address, options), options),
      handshake: (address, options) => run(client.handshake(address, options), options),
      counters: client.counters,
      ...closable
    }
  }
