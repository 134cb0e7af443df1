/**
 * Sourcewire on Deno, for programs with Effect.
 *
 * @module
 */
import { streams } from "@sourcewire/transport-node/transport"
import * as Layer from "effect/Layer"
import * as DenoDatagrams from "./DenoDatagrams.ts"

/** UDP and TCP of Deno, for the clients of `@sourcewire/core` and the servers of `@sourcewire/server`. */
export const layer = /* @__PURE__ */ Layer.merge(DenoDatagrams.layer, streams)
