/** Checks that the store of the simulated fleet passes the tests that every store must pass. */
import { describe, it } from "@effect/vitest"
import { liveTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "../src/store/Store.ts"
import { DatabaseServer } from "./simulation/DatabaseServer.ts"
import { makeMemoryStore, type Connection } from "./simulation/MemoryStore.ts"
import { storeSuite } from "./storeSuite.ts"

/** Creates a connection that calls the store without a delay. */
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
    // This store contains no findings, because no group of the simulated fleet has verdicts.
    { keepsFindings: false }
  )
})
