/** Loads the transport of a runtime (default: the runtime that runs this program). */
import { Datagrams } from "@sourcewire/core/transport"
import { whyUnbatched } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The names of the transports, which are the names of their runtimes. */
export type TransportName = "bun" | "deno" | "node"

const own: TransportName = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

/** Loads the package of one runtime (default: the package of the current runtime). */
export const loadTransport = (name = own) =>
  ({
    bun: () => import("@sourcewire/transport-bun"),
    deno: () => import("@sourcewire/transport-deno"),
    node: () => import("@sourcewire/transport-node")
  })[name]()

const loadLayer = (name: TransportName) =>
  ({
    bun: () => import("@sourcewire/transport-bun/effect"),
    deno: () => import("@sourcewire/transport-deno/effect"),
    node: () => import("@sourcewire/transport-node/effect")
  })[name]()

/**
 * Loads the transport of a runtime. If `batching` is true, the transport uses batched system calls on all sockets that support them. If
 * `batching` is false, the transport uses no batched system calls. If batched system calls were requested but are not available,
 * `unavailable` is the reason.
 */
export const loadBatching = async (batching: boolean, name = own) => {
  const { layer } = await loadLayer(name)
  const decided = Layer.effect(
    Datagrams,
    Effect.map(Datagrams, ({ open, resolve }) => ({
      resolve,
      open: (options: Parameters<typeof open>[0], handler: Parameters<typeof open>[1]) =>
        open({ ...options, batching }, handler)
    }))
  )
  return { transport: Layer.provideMerge(decided, layer), unavailable: batching ? whyUnbatched() : undefined }
}
