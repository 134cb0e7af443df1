/**
 * Sourcewire on Node: UDP over `node:dgram`, TCP over `node:net`, and a ready-made client.
 *
 * @module
 */
import { Client, connectRconWith, connectWith, LogStream, Master } from "@sourcewire/core"
import type { ClientOptions, InvalidOption, PromiseClient, PromiseRcon, PromiseRconOptions } from "@sourcewire/core"
import * as Layer from "effect/Layer"
import * as NodeDatagrams from "./NodeDatagrams.ts"
import * as NodeStreams from "./NodeStreams.ts"

export { NodeDatagrams, NodeStreams }

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

/**
 * The Promise door to a server's console, over TCP or UDP, whichever it speaks; to be closed (or bound with `await using`).
 *
 * @example
 * import { connectRcon } from "@sourcewire/transport-node"
 * await using rcon = await connectRcon("127.0.0.1:27015", { password: "secret" })
 * console.log(await rcon.exec("status"))
 */
export const connectRcon: (address: string, options: PromiseRconOptions) => Promise<PromiseRcon> = connectRconWith(
  Layer.merge(NodeDatagrams.layer, NodeStreams.layer)
)

/**
 * The Promise door to servers' logs: a receiver on 127.0.0.1, unless told otherwise, to be read with `for await` and closed.
 *
 * @example
 * import { receiveLogs } from "@sourcewire/transport-node"
 * await using logs = await receiveLogs({ port: 27500 })
 * for await (const { text } of logs) console.log(text)
 */
export const receiveLogs: (options?: LogStream.LogOptions) => Promise<LogStream.RunningLogReceiver> =
  LogStream.receiveWith(NodeDatagrams.layer)

/**
 * The Promise door to a master server's list. Valve's own master no longer answers, so there is no default.
 *
 * @example
 * import { listServers } from "@sourcewire/transport-node"
 * for await (const address of listServers("127.0.0.1:27010", { filter: "\\gamedir\\cstrike" })) console.log(address)
 */
export const listServers: ReturnType<typeof Master.listWith> = Master.listWith(NodeDatagrams.layer)
