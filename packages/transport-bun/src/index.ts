/**
 * Sourcewire on Bun: UDP over `Bun.udpSocket`, TCP over `node:net`, and a ready-made client.
 *
 * @module
 */
import { Client, connectWith, logsWith, Master, rconWith, Scanner, scanWith } from "@sourcewire/core"
import type {
  AddressInput,
  Abortable,
  ClientOptions,
  InvalidOption,
  PromiseClient,
  PromiseLogOptions,
  PromiseLogReceiver,
  PromiseRcon,
  PromiseRconOptions,
  Scan,
  ScanOptions,
  ScanQuery,
  ScanTargets
} from "@sourcewire/core"
import * as BunStreams from "@sourcewire/transport-node/streams"
import * as Layer from "effect/Layer"
import * as BunDatagrams from "./BunDatagrams.ts"

export { BunDatagrams, BunStreams }

/**
 * The Effect door: `Client` on Bun.
 *
 * @example
 * import { Client } from "@sourcewire/core"
 * import { layer } from "@sourcewire/transport-bun"
 * import * as Effect from "effect/Effect"
 * const info = Client.use((client) => client.info("127.0.0.1:27015")).pipe(Effect.provide(layer()))
 */
export const layer = (options?: ClientOptions): Layer.Layer<Client, InvalidOption> =>
  Layer.provide(Client.layer(options), BunDatagrams.layer)

/**
 * The Promise door: a client, to be closed (or bound with `await using`) when it is no longer needed.
 *
 * @example
 * import { connect } from "@sourcewire/transport-bun"
 * await using client = await connect()
 * const info = await client.info("127.0.0.1:27015")
 */
export const connect: (options?: ClientOptions) => Promise<PromiseClient> = /* @__PURE__ */ connectWith(
  BunDatagrams.layer
)

/**
 * The Promise door to a server's console, over TCP or UDP, whichever it speaks; to be closed (or bound with `await using`).
 *
 * @example
 * import { connectRcon } from "@sourcewire/transport-bun"
 * await using rcon = await connectRcon("127.0.0.1:27015", { password: "secret" })
 * console.log(await rcon.exec("status"))
 */
export const connectRcon: (address: string, options: PromiseRconOptions) => Promise<PromiseRcon> =
  /* @__PURE__ */ rconWith(/* @__PURE__ */ Layer.merge(BunDatagrams.layer, BunStreams.layer))

/**
 * The Promise door to the log lines that servers send; listens on loopback unless told otherwise.
 *
 * @example
 * import { receiveLogs } from "@sourcewire/transport-bun"
 * await using logs = await receiveLogs({ port: 27500 })
 * for await (const entry of logs) console.log(entry.sender.address, entry.text)
 */
export const receiveLogs: (options?: PromiseLogOptions) => Promise<PromiseLogReceiver> = /* @__PURE__ */ logsWith(
  BunDatagrams.layer
)

/**
 * The Promise door to master servers: addresses, one by one, page after page as the loop asks for them.
 *
 * @example
 * import { listServers } from "@sourcewire/transport-bun"
 * for await (const address of listServers("127.0.0.1:27011", { maxServers: 100 })) console.log(address)
 */
export const listServers: (
  server: AddressInput,
  options?: Master.MasterOptions & Abortable
) => AsyncGenerator<string, void> = /* @__PURE__ */ Master.masterWith(BunDatagrams.layer)

/**
 * The Promise door to a scan: asks very many servers, as fast as they and the network bear, and gives the results in the order of
 * arrival. Sockets and timers are freed when the loop is left.
 *
 * @example
 * import { scan } from "@sourcewire/transport-bun"
 * for await (const result of scan(["127.0.0.1:27015", "127.0.0.1:27016"])) {
 *   if (result._tag === "Answered") console.log(result.address, result.info.name)
 * }
 */
export const scan: <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions & Abortable
) => Scan<Q> = /* @__PURE__ */ scanWith(BunDatagrams.layer)

/**
 * The Effect door to scans: `Scanner` on Bun.
 *
 * @example
 * import { Scanner } from "@sourcewire/core"
 * import { scannerLayer } from "@sourcewire/transport-bun"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 * const batches = Stream.unwrap(Scanner.use((scanner) => Effect.succeed(scanner.scan(["127.0.0.1:27015"]))))
 * const program = Stream.runForEach(batches, Effect.log).pipe(Effect.provide(scannerLayer))
 */
export const scannerLayer: Layer.Layer<Scanner> = /* @__PURE__ */ Layer.provide(Scanner.layer, BunDatagrams.layer)
