/** Tests that a store can be copied to a new file. */
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { COPIED, copy, OF_OWNERS } from "../src/store/copy.ts"
import { open } from "../src/store/index.ts"
import type { Row } from "../src/store/rows.ts"
import * as sqlite from "../src/store/sqlite.ts"
import { Store } from "../src/store/Store.ts"
import { checkCopy, fill } from "./copySuite.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-copy-"))
afterAll(() => rmSync(directory, { recursive: true }))
const file = (name: string): string => join(directory, name)

describe("a copy of a store", () => {
  it.live("contains the same rows as the source, and a second copy to the same destination is rejected", () =>
    Effect.gen(function* () {
      yield* fill(file("old.db"), { hours: 3, targets: 20 })
      yield* checkCopy(file("old.db"), file("new.db"))
    })
  )

  it.live("contains every table, except for the tables about owners and migrations", () =>
    Effect.gen(function* () {
      yield* Effect.provide(Store, open(file("tables.db")), { local: true })
      const tables = yield* Effect.flatMap(
        SqlClient,
        (one) => one<Row>`select name from sqlite_master where type = 'table'`
      ).pipe(Effect.provide(sqlite.layer(file("tables.db")), { local: true }))
      const names = tables.map(({ name }) => String(name))
      expect(names.toSorted()).toEqual([...Object.keys(COPIED), ...OF_OWNERS, "migration"].toSorted())
    })
  )

  it.live("fails if the source is in use, or if the source is not a store", () =>
    Effect.gen(function* () {
      const used = file("used.db")
      yield* Effect.gen(function* () {
        yield* Store
        const refusal = yield* Effect.flip(copy({ from: used, to: file("none.db") }))
        expect(refusal.message).toContain(
          "used.db is in use. Stop the monitor that uses this store, then run the command again."
        )
      }).pipe(Effect.provide(open(used), { local: true }))
      const missing = yield* Effect.flip(copy({ from: file("missing.db"), to: file("none.db") }))
      expect(missing.message).toContain("does not exist")
      writeFileSync(file("text.db"), "not a database, though it is long enough to look like something".repeat(20))
      const text = yield* Effect.flip(copy({ from: file("text.db"), to: file("none.db") }))
      expect(text.message).toMatch(/not an SQLite database/)
      writeFileSync(file("empty.db"), "")
      const empty = yield* Effect.flip(copy({ from: file("empty.db"), to: file("none.db") }))
      expect(empty.message).toContain("is not a monitor's store")
    })
  )

  it.live("fails if the destination is in use", () =>
    Effect.gen(function* () {
      yield* Effect.provide(Store, open(file("source.db")), { local: true })
      const refusal = yield* Effect.flip(copy({ from: file("source.db"), to: file("busy.db") })).pipe(
        Effect.provide(open(file("busy.db")), { local: true })
      )
      expect(refusal.message).toContain("busy.db is in use")
    })
  )
})
