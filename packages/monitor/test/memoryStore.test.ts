/** Runs the tests of the real stores with the store of the simulated fleet. */
import { describe, it } from "@effect/vitest"
import { liveTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "../src/store/Store.ts"
import { DatabaseServer } from "./simulation/DatabaseServer.ts"
import { makeMemoryStore, type Connection } from "./simulation/MemoryStore.ts"
import { storeSuite } from "./storeSuite.ts"

/** A connection to a database without latency. */
const near = (): Connection => ({
  peer: { disconnect: () => undefined },
  call: (work) =>
    Effect.callback((resume) =>
      work((outcome) =>
        resume("value" in outcome ? Effect.succeed(outcome.value) : Effect.fail({ message: outcome.error }))
      )
    )
})

describe("a store in memory", () => {
  storeSuite(
    it.live,
    () => {
      const server = new DatabaseServer(liveTiming)
      return () => Layer.sync(Store, () => makeMemoryStore(server, near()))
    },
    // No group of the simulated fleet has verdicts.
    { keepsFindings: false }
  )
})
