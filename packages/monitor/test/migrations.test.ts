/** Tests programs of different versions that use the same store. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate, migrations, POSTGRES, type Step } from "../src/store/migrations.ts"
import type { Row } from "../src/store/rows.ts"
import * as sqlite from "../src/store/sqlite.ts"
import * as sqlStore from "../src/store/sqlStore.ts"
import { Store } from "../src/store/Store.ts"

/** Migrates the schema, as a program with only the first `known` migrations would do it. */
const openedBy = (sql: SqlClient.SqlClient, known: number, steps: ReadonlyArray<Step> = migrations) =>
  migrate(sql, steps.slice(0, known))
const stepsIn = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<Row>`select step from migration order by step`, (rows) => rows.map(({ step }) => step))

describe("migrations of the schema", () => {
  it.effect("are each applied once, even if older and newer programs open the store in any order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = migrations.map((_, i) => i + 1)
      for (const known of [1, 2, all.length, 2, all.length]) yield* openedBy(sql, known)
      expect(yield* stepsIn(sql)).toEqual(all)
    }).pipe(Effect.provide(sqlite.layer(":memory:")))
  )

  it.effect("an older program can open the store, except if an applied migration requires a newer program", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const added: ReadonlyArray<Step> = [
        ...migrations,
        { statements: () => ["create table told (name text)"] },
        { statements: () => ["drop table webhook"], needs: migrations.length + 1 }
      ]
      yield* openedBy(sql, added.length, added)
      yield* openedBy(sql, added.length - 1, added)
      const refused = yield* Effect.flip(openedBy(sql, migrations.length))
      expect(refused.message).toBe(
        `The store was written by a newer version of Sourcewire: it requires schema ${migrations.length + 1}, and this version supports up to ${migrations.length}. Upgrade this instance.`
      )
      // The service `Store` fails with the same error as the migration.
      const client = Layer.succeed(SqlClient.SqlClient, sql)
      const failure = yield* Effect.flip(Effect.provide(Store, Layer.provide(sqlStore.layer, client)))
      expect(failure).toMatchObject({ _tag: "StoreFailed", message: refused.message })
    }).pipe(Effect.provide(sqlite.layer(":memory:")))
  )

  it("if a migration removes or renames tables or columns, earlier programs cannot open the store", () => {
    const away =
      /\b(drop (?!index)|rename|truncate|delete)\b|\balter column\b|\badd column (?!.*\bdefault\b).*\bnot null\b/i
    const taking = migrations.flatMap(({ needs, statements }, i) =>
      needs === undefined && statements(POSTGRES).some((statement) => away.test(statement)) ? [i + 1] : []
    )
    expect(taking).toEqual([])
  })
})
