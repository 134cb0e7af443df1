/**
 * Sourcewire on Bun, for programs with Effect.
 *
 * @module
 */
import { streams } from "@sourcewire/transport-node/transport"
import * as Layer from "effect/Layer"
import * as BunDatagrams from "./BunDatagrams.ts"

/** UDP and TCP of Bun, for the clients of `@sourcewire/core` and the servers of `@sourcewire/server`. */
export const layer = /* @__PURE__ */ Layer.merge(BunDatagrams.layer, streams)
