/**
 * Scans with many datagrams per call to the system, where that can be done: Linux with glibc, on x86-64 or aarch64. Elsewhere this is the
 * plain transport. Bun fetches eight datagrams at a time itself, so that seven may be overtaken whenever it wakes up.
 *
 * @module
 */
import type { Abortable, Datagrams, Scan, ScanOptions, ScanQuery, ScanTargets } from "@sourcewire/core"
import { scanWith } from "@sourcewire/core"
import { batching } from "@sourcewire/transport-node/batching"
import type * as Layer from "effect/Layer"
import { load } from "./internal/libc.ts"
import * as BunDatagrams from "./BunDatagrams.ts"

const batched = /* @__PURE__ */ batching(BunDatagrams.layer, load)

/**
 * UDP of Bun, batched; takes the place of `BunDatagrams.layer`. Sockets that are bound or connected, and those of
 * IPv6, are plain ones.
 *
 * @example
 * import { Scanner } from "@sourcewire/core"
 * import * as Batched from "@sourcewire/transport-bun/batched"
 * import * as Layer from "effect/Layer"
 * const scannerLayer = Layer.provide(Scanner.layer, Batched.layer)
 */
export const layer: Layer.Layer<Datagrams> = batched.layer

/** Why this is the plain transport, in a sentence for people; `undefined` when calls are batched. */
export const unavailable: () => string | undefined = batched.unavailable

/**
 * As `scan` of the plain transport, and faster.
 *
 * @example
 * import { scan, unavailable } from "@sourcewire/transport-bun/batched"
 * console.log(unavailable() ?? "batched")
 * for await (const result of scan(["127.0.0.1:27015", "127.0.0.1:27016"])) {
 *   if (result._tag === "Answered") console.log(result.address, result.info.name)
 * }
 */
export const scan: <Q extends ScanQuery = "info">(
  targets: ScanTargets,
  query?: Q,
  options?: ScanOptions & Abortable
) => Scan<Q> = /* @__PURE__ */ scanWith(layer)
