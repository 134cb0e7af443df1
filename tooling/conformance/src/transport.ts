/** The transport of the runtime that runs this program. */
import { Datagrams } from "@sourcewire/core/transport"
import { whyUnbatched } from "@sourcewire/transport-node/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Which runtime this is. */
export const runtimeName: "bun" | "deno" | "node" = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

/** Loads the package of this runtime and no other. */
export const loadTransport = () =>
  ({
    bun: () => import("@sourcewire/transport-bun"),
    deno: () => import("@sourcewire/transport-deno"),
    node: () => import("@sourcewire/transport-node")
  })[runtimeName]()

const loadLayer = () =>
  ({
    bun: () => import("@sourcewire/transport-bun/effect"),
    deno: () => import("@sourcewire/transport-deno/effect"),
    node: () => import("@sourcewire/transport-node/effect")
  })[runtimeName]()

/** Its transport with batched system calls on every socket that can have them, or on none; and why what should be batched is not. */
export const loadBatching = async (batching: boolean) => {
  const { layer } = await loadLayer()
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
