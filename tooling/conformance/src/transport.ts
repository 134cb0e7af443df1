/**
 * The transport of the runtime that runs this program.
 *
 * @module
 */
import type { ClientOptions, Datagrams, PromiseClient, Streams } from "@sourcewire/core"
import type * as Layer from "effect/Layer"

/** What the three transport packages have in common. */
export interface LoadedTransport {
  readonly datagrams: Layer.Layer<Datagrams>
  readonly streams: Layer.Layer<Streams>
  readonly connect: (options?: ClientOptions) => Promise<PromiseClient>
  /** Why what should be batched is not. */
  readonly unavailable?: string | undefined
}

/** Which runtime this is. */
export const runtimeName: "bun" | "deno" | "node" = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

/** The same over batched system calls. */
export const loadBatched = async (): Promise<LoadedTransport> => {
  const plain = await loadTransport()
  const { layer, unavailable } = await {
    bun: () => import("@sourcewire/transport-bun/batched"),
    deno: () => import("@sourcewire/transport-deno/batched"),
    node: () => import("@sourcewire/transport-node/batched")
  }[runtimeName]()
  return { ...plain, datagrams: layer, unavailable: unavailable() }
}

/** Loads the package of this runtime and no other. */
export const loadTransport = async (): Promise<LoadedTransport> => {
  switch (runtimeName) {
    case "deno": {
      const { connect, DenoDatagrams, DenoStreams } = await import("@sourcewire/transport-deno")
      return { connect, datagrams: DenoDatagrams.layer, streams: DenoStreams.layer }
    }
    case "bun": {
      const { BunDatagrams, BunStreams, connect } = await import("@sourcewire/transport-bun")
      return { connect, datagrams: BunDatagrams.layer, streams: BunStreams.layer }
    }
    default: {
      const { connect, NodeDatagrams, NodeStreams } = await import("@sourcewire/transport-node")
      return { connect, datagrams: NodeDatagrams.layer, streams: NodeStreams.layer }
    }
  }
}
