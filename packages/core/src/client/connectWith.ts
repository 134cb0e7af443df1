/** Asks game servers: the Promise API, for programs that don't use Effect. */
import type * as Layer from "effect/Layer"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { PromiseClient } from "./ClientShape.ts"
import { makeClient } from "./makeClient.ts"
import type { ClientOptions } from "./Options.ts"
import { start } from "./Running.ts"

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
