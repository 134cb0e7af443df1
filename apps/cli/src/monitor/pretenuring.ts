/**
 * Keeps V8 from making objects where old ones are. It begins to as soon as most of what one place made has lived long, as the first
 * answer of each server does and no later one that says the same: then each answer fills the old space, and the whole heap is marked
 * again and again (docs/adr/0017-fleet.md).
 */
import * as Effect from "effect/Effect"
import { setFlagsFromString } from "node:v8"

/** For as long as the scope lasts. Afterwards as it was: Node keeps what it has compiled for programs with the same flags. */
export const withoutPretenuring = /* @__PURE__ */ Effect.acquireRelease(
  Effect.sync(() => setFlagsFromString("--no-allocation-site-pretenuring")),
  () => Effect.sync(() => setFlagsFromString("--allocation-site-pretenuring"))
)
