/**
 * Sourcewire on Bun: UDP over `Bun.udpSocket`, TCP over `node:net`, and the five verbs that use them.
 *
 * @module
 */
import { connectWith, logsWith, masterWith, rconWith, scanWith } from "@sourcewire/core/transport"
import { streams } from "@sourcewire/transport-node/transport"
import * as BunDatagrams from "./BunDatagrams.ts"
import { layer } from "./effect.ts"

export * from "@sourcewire/core/promises"

/**
 * A client that asks servers for INFO, PLAYER, RULES and so on; to be closed (or bound with `await using`) when it is no longer needed.
 *
 * @example
 * import { connect } from "@sourcewire/transport-bun"
 * await using client = await connect()
 * const info = await client.info("127.0.0.1:27015")
 */
export const connect = /* @__PURE__ */ connectWith(BunDatagrams.unbatched)

/**
 * Asks very many servers, as fast as they and the network bear, and gives the results in the order of arrival. Leaving the loop frees
 * everything.
 *
 * @example
 * import { scan } from "@sourcewire/transport-bun"
 * for await (const result of scan(["127.0.0.1:27015", "127.0.0.1:27016"])) {
 *   if (result._tag === "Answered") console.log(result.address, result.info.name)
 * }
 */
export const scan = /* @__PURE__ */ scanWith(BunDatagrams.layer)

/**
 * A server's console, over TCP or UDP, whichever it speaks; to be closed (or bound with `await using`).
 *
 * @example
 * import { rcon } from "@sourcewire/transport-bun"
 * await using console_ = await rcon("127.0.0.1:27015", { password: "secret" })
 * console.log(await console_.exec("status"))
 */
export const rcon = /* @__PURE__ */ rconWith(layer)

/**
 * The log lines that servers send; listens on loopback unless told otherwise. To be closed (or bound with `await using`).
 *
 * @example
 * import { logs } from "@sourcewire/transport-bun"
 * await using lines = await logs({ port: 27500 })
 * for await (const { sender, text } of lines) console.log(sender.address, text)
 */
export const logs = /* @__PURE__ */ logsWith(BunDatagrams.unbatched, streams)

/**
 * The servers that a master server lists: addresses, one by one, page after page as the loop asks for them.
 *
 * @example
 * import { master } from "@sourcewire/transport-bun"
 * for await (const address of master("127.0.0.1:27011", { maxServers: 100 })) console.log(address)
 */
export const master = /* @__PURE__ */ masterWith(BunDatagrams.unbatched)
