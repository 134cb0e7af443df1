/**
 * Scans with many datagrams per call to the system, where that can be done: Linux with glibc, on x86-64 or aarch64, with `--allow-ffi`,
 * which is as good as every permission. Elsewhere this is the plain transport.
 *
 * @module
 */
import type { Abortable, Datagrams, Scan, ScanOptions, ScanQuery, ScanTargets } from "@sourcewire/core"
import { scanWith } from "@sourcewire/core"
import { batching } from "@sourcewire/transport-node/batching"
import type * as Layer from "effect/Layer"
import { load } from "./internal/libc.ts"
import * as DenoDatagrams from "./DenoDatagrams.ts"

const batched = /* @__PURE__ */ batching(DenoDatagrams.layer, load)

/**
 * UDP of Deno, batched; takes the place of `DenoDatagrams.layer`. Sockets that are bound or connected, and those of
 * IPv6, are plain ones.
 *
 * @example
 * import { Scanner } from "@sourcewire/core"
 * import * as Batched from "@sourcewire/transport-deno/batched"
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
 * import { scan, unavailable } from "@sourcewire/transport-deno/batched"
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
