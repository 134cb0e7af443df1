/**
 * The functions of Sourcewire for Deno. They use UDP over `Deno.listenDatagram`, and TCP over `node:net`.
 *
 * @module
 */
import { connectWith, logsWith, masterWith, rconWith, scanWith } from "@sourcewire/core/transport"
import { streams } from "@sourcewire/transport-node/transport"
import * as DenoDatagrams from "./DenoDatagrams.ts"
import { layer } from "./effect.ts"

export * from "@sourcewire/core/promises"

/**
 * Creates a client that queries servers (INFO, PLAYER, RULES and others). Close the client, or bind the client with `await using`.
 *
 * @example
 * import { connect } from "@sourcewire/transport-deno"
 * await using client = await connect()
 * const info = await client.info("127.0.0.1:27015")
 */
export const connect = /* @__PURE__ */ connectWith(DenoDatagrams.unbatched)

/**
 * Queries many servers at an adaptive rate. Yields the result of a server as soon as the result is known. If you leave the `for await`
 * loop, the scan stops and closes its sockets.
 *
 * @example
 * import { scan } from "@sourcewire/transport-deno"
 * for await (const result of scan(["127.0.0.1:27015", "127.0.0.1:27016"])) {
 *   if (result._tag === "Answered") console.log(result.address, result.info.name)
 * }
 */
export const scan = /* @__PURE__ */ scanWith(DenoDatagrams.layer)

/**
 * Opens an RCON session over TCP or UDP, whichever the server supports. Close the session, or bind the session with `await using`.
 *
 * @example
 * import { rcon } from "@sourcewire/transport-deno"
 * await using console_ = await rcon("127.0.0.1:27015", { password: "secret" })
 * console.log(await console_.exec("status"))
 */
export const rcon = /* @__PURE__ */ rconWith(layer)

/**
 * Receives the log lines that servers send. Listens on loopback by default. Close the receiver, or bind the receiver with `await using`.
 *
 * @example
 * import { logs } from "@sourcewire/transport-deno"
 * await using lines = await logs({ port: 27500 })
 * for await (const { sender, text } of lines) console.log(sender.address, text)
 */
export const logs = /* @__PURE__ */ logsWith(DenoDatagrams.unbatched, streams)

/**
 * Yields the addresses on the list of a master server. A master server sends its list in pages. When the `for await` loop has used all
 * addresses of a page, Sourcewire requests the next page.
 *
 * @example
 * import { master } from "@sourcewire/transport-deno"
 * for await (const address of master("127.0.0.1:27011", { maxServers: 100 })) console.log(address)
 */
export const master = /* @__PURE__ */ masterWith(DenoDatagrams.unbatched)
