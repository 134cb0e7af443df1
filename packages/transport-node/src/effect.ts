/**
 * Sourcewire on Node, for programs with Effect.
 *
 * @module
 */
import * as Layer from "effect/Layer"
import * as NodeDatagrams from "./NodeDatagrams.ts"
import * as NodeStreams from "./NodeStreams.ts"

/** UDP and TCP of Node, for the clients of `@sourcewire/core` and the servers of `@sourcewire/server`. */
export const layer = /* @__PURE__ */ Layer.merge(NodeDatagrams.layer, NodeStreams.layer)
