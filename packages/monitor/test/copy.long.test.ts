/** Tests that a store can be copied from SQLite to a real Postgres, and back. */
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copy } from "../src/store/copy.ts"
import { open } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { readContents, checkCopy, fill } from "./copySuite.ts"
import { isInstalled, makePostgres } from "./postgres.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-copy-"))
const server = isInstalled ? await makePostgres() : undefined
await server?.start()
afterAll(async () => {
  await server?.remove()
  rmSync(directory, { recursive: true })
})

describe.skipIf(server === undefined)("a copy of a store with the history of a day", () => {
  it.live("has the contents of the original in Postgres, and also after it is copied back to SQLite", () =>
    Effect.gen(function* () {
      const [old, back] = [join(directory, "old.db"), join(directory, "back.db")]
      yield* fill(old, { hours: 24, targets: 20 })
      yield* checkCopy(old, server!.url())
      const inUse = yield* Effect.flip(copy({ from: server!.url(), to: back })).pipe(
        Effect.provide(open(server!.url()), { local: true })
      )
      expect(inUse.message).toMatch(/in use by sourcewire-monitor/)
      yield* copy({ from: server!.url(), to: back })
      expect(yield* readContents(back)).toEqual(yield* readContents(server!.url()))
      yield* Effect.provide(Store, open(back), { local: true })
    })
  )
})
