/**
 * Sourcewire on Node: UDP over `node:dgram`, TCP over `node:net`, and a ready-made client.
 *
 * @module
 */
import { Client, connectWith } from "@sourcewire/core"
import type { ClientOptions, InvalidOption, PromiseClient } from "@sourcewire/core"
import * as Layer from "effect/Layer"
import * as NodeDatagrams from "./NodeDatagrams.ts"

export { NodeDatagrams }

/** The Effect door: `Client` on Node. */
export const layer = (options?: ClientOptions): Layer.Layer<Client, InvalidOption> =>
  Layer.provide(Client.layer(options), NodeDatagrams.layer)

/**
 * The Promise door: a client, to be closed (or bound with `await using`) when it is no longer needed.
 *
 * @example
 * import { connect } from "@sourcewire/transport-node"
 * await using client = await connect()
 * const info = await client.info("127.0.0.1:27015")
 */
export const connect: (options?: ClientOptions) => Promise<PromiseClient> = connectWith(NodeDatagrams.layer)
