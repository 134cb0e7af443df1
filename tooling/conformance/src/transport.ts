/**
 * The transport of the runtime that runs this program.
 *
 * @module
 */
import type { Datagrams, PromiseClient, Streams } from "@sourcewire/core"
import type * as Layer from "effect/Layer"

/** What the three transport packages have in common. */
export interface LoadedTransport {
  readonly datagrams: Layer.Layer<Datagrams>
  readonly streams: Layer.Layer<Streams>
  readonly connect: () => Promise<PromiseClient>
}

/** Which runtime this is. */
export const runtimeName: "bun" | "deno" | "node" = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

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
