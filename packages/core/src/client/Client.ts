/** Queries game servers: the Effect API. `connectWith` makes the Promise API with the same methods. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Datagrams } from "../engine/Datagrams.ts"
import { timing } from "../engine/effectTiming.ts"
import type { ClientShape } from "./ClientShape.ts"
import { makeClient } from "./makeClient.ts"
import type { ClientOptions, InvalidOption } from "./Options.ts"
import { observed } from "./telemetry.ts"

/** Queries game servers, see {@link ClientShape}. */
export class Client extends Context.Service<Client, ClientShape>()("@sourcewire/core/Client") {
  /**
   * A client that uses the UDP sockets of a transport. When the scope of the layer closes, queries in flight fail with `ConnectionClosed`.
   */
  static readonly layer = (options?: ClientOptions): Layer.Layer<Client, InvalidOption, Datagrams> =>
    Layer.effect(Client, connect(options))
}

/**
 * Makes a client that uses the UDP sockets of a transport. When the scope closes, the client closes. Each call creates a span and increases
 * a counter, see `telemetry.ts`.
 */
export const connect = (options?: ClientOptions): Effect.Effect<ClientShape, InvalidOption, Datagrams | Scope.Scope> =>
  Effect.flatMap(timing, (clock) => makeClient(options, clock, observed))
