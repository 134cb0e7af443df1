/**
 * Begins to join a Source server, far enough to learn its challenge and how it authenticates users. What is exchanged, and what is
 * taken for an answer, is in `HandshakeExchange`.
 *
 * @example
 * import { Client, Handshake } from "@sourcewire/core"
 * import { layer } from "@sourcewire/transport-node"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * const client = Layer.provide(Client.layer(), layer)
 * const answer = await Effect.runPromise(Handshake.request("127.0.0.1:27015").pipe(Effect.provide(client)))
 * console.log(answer.authProtocolName)
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AddressInput, ClientError } from "./Client.ts"
import { Client } from "./Client.ts"
import type { HandshakeAnswer } from "../handshake/HandshakeExchange.ts"
import { HandshakeExchange } from "../handshake/HandshakeExchange.ts"
import { optional, readable } from "../edge.ts"
import { withLifeSigns } from "../query/lifeSigns.ts"
import type { QueryOptions } from "./Options.ts"
import { settingsOf } from "./Options.ts"

/** How to ask. */
export interface HandshakeOptions extends QueryOptions {
  /** The client's number, 32 bits; one that nobody can guess unless given. */
  readonly challenge?: number | undefined
}

const unguessable = (): number => crypto.getRandomValues(new Int32Array(1))[0]!

const is32Bits = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32

const challengeIn = (options: HandshakeOptions | undefined) =>
  readable(() => optional("challenge", "a whole number of 32 bits", is32Bits, options?.challenge))

/** Asks one server, over the client's sockets. Nothing is left behind there: the server keeps no connection for it. */
export const request = (
  address: AddressInput,
  options?: HandshakeOptions
): Effect.Effect<HandshakeAnswer, ClientError, Client> =>
  Effect.flatMap(
    Effect.fromResult(Result.flatMap(challengeIn(options), () => settingsOf(options, undefined))),
    (settings) =>
      Client.use((client) =>
        client.run(
          address,
          (roundTrip) =>
            withLifeSigns(
              new HandshakeExchange(options?.challenge ?? unguessable(), settings, roundTrip),
              HandshakeExchange.asked,
              settings
            ),
          options
        )
      )
  )
