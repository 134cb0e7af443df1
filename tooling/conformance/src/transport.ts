/** The transport of the runtime that runs this program. */
import { Datagrams } from "@sourcewire/core/transport"
import { whyUnbatched } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The transports, by the runtime that each is made for. */
export type TransportName = "bun" | "deno" | "node"

const own: TransportName = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

/** Loads the package of one runtime, usually the one that runs this, and no other. */
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

/** A transport with batched system calls on every socket that can have them, or on none; and why what should be batched is not. */
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
