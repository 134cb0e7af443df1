/**
 * Asks game servers: the Promise door, for programs that don't use Effect. Each transport package exports a `connect` made here.
 *
 * @example
 * import { connectWith } from "@sourcewire/core"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * const connect = connectWith(NodeDatagrams.layer) // what the transports export
 * await using client = await connect({ timeoutMs: 1000 })
 * console.log(await client.ping("127.0.0.1:27015"))
 *
 * @module
 */
import type { ChallengeReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AddressInput, Answer, ClientShape, PingAnswer, PingOptions, Replies, ServerAnswer } from "./Client.ts"
import { Client } from "./Client.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { EngineCounters } from "../engine/Engine.ts"
import type { HandshakeOptions } from "../handshake/Handshake.ts"
import * as Handshake from "../handshake/Handshake.ts"
import type { HandshakeAnswer } from "../handshake/HandshakeExchange.ts"
import { demandLayer, signalOf } from "../edge.ts"
import type { ClientOptions, QueryOptions } from "./Options.ts"
import { ConnectionClosed } from "../query/QueryError.ts"

/** Lets a call be given up: the promise rejects with the signal's reason, and everything it held is freed at once. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks game servers. Promises reject with a `ClientError`; its `_tag` tells which, its `address` who was asked.
 *
 * Any number of calls may be made at once: they wait for their turn where the network, the system or a server would not bear as many.
 * Equal ones (same query, address and options) at the same time ask once; each gets an object of its own.
 *
 * @example
 * import { connect } from "@sourcewire/transport-node"
 * await using client = await connect()
 * const info = await client.info("127.0.0.1:27015")
 */
export interface PromiseClient extends AsyncDisposable {
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
  /** Closes all sockets; calls under way, and later ones, reject with `ConnectionClosed`. */
  readonly close: () => Promise<void>
}

const closed = (): ConnectionClosed => new ConnectionClosed({ message: "The client is closed." })

/** A `connect` over one runtime's UDP. It rejects with `InvalidOption` when an option makes no sense. */
export const connectWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  async (options?: ClientOptions): Promise<PromiseClient> => {
    demandLayer("datagrams", datagrams)
    const runtime = ManagedRuntime.make(Layer.provide(Client.layer(options), datagrams))
    const client: ClientShape = await runtime.runPromise(Client)
    let isClosed = false

    const run = async <A, E>(effect: Effect.Effect<A, E>, options: Abortable | undefined): Promise<A> => {
      const signal = Result.getOrThrow(signalOf(options))
      signal?.throwIfAborted()
      if (isClosed) throw closed()
      const exit = await runtime.runPromiseExit(effect, signal === undefined ? undefined : { signal })
      if (Exit.isSuccess(exit)) return exit.value
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isSome(error)) throw error.value
      signal?.throwIfAborted()
      throw isClosed ? closed() : Cause.squash(exit.cause)
    }
    const close = async (): Promise<void> => {
      isClosed = true
      await runtime.dispose()
    }

    return {
      info: (address, options) => run(client.info(address, options), options),
      players: (address, options) => run(client.players(address, options), options),
      rules: (address, options) => run(client.rules(address, options), options),
      challenge: (address, options) => run(client.challenge(address, options), options),
      ping: (address, options) => run(client.ping(address, options), options),
      query: (address, options) => run(client.query(address, options), options),
      ask: (kind, address, options) => run(client.ask(kind, address, options), options),
      handshake: (address, options) =>
        run(Effect.provideService(Handshake.request(address, options), Client, client), options),
      counters: client.counters,
      close,
      [Symbol.asyncDispose]: close
    }
  }
