/** The store in a real Postgres. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { open, openShared } from "../src/store/index.ts"
import { Store } from "../src/store/Store.ts"
import { isInstalled, makePostgres } from "./postgres.ts"
import { storeSuite } from "./storeSuite.ts"

const server = isInstalled ? await makePostgres() : undefined
await server?.start()
afterAll(() => server?.remove())

/** An empty database for each test. */
const names = Array.from({ length: 16 }, (_, i) => `store_${i}`)
if (server !== undefined) {
  const create = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    for (const name of names) yield* sql.unsafe(`create database ${name}`)
  })
  await Effect.runPromise(Effect.provide(create, PgClient.layer({ url: Redacted.make(server.url()) })))
}

describe.skipIf(server === undefined)("a store in Postgres", () => {
  storeSuite(it.live, () => {
    const name = names.shift()!
    return () => open(server!.url(name))
  })

  it.live("finds the newest changes of a target by an index, among many of others", () =>
    Effect.gen(function* () {
      const url = server!.url(names.shift()!)
      const found = yield* Effect.provide(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // A month of changes.
          yield* sql`insert into change (id, at, target, field, was, became)
            select n * 40000000::bigint, n * 40000::bigint, n % 500, 'map', '', n::text from generate_series(1, 65000) as n`
          yield* sql`analyze change`
          const store = yield* Store
          return yield* store.changes({ target: 7, limit: 3 })
        }),
        openShared(url),
        { local: true }
      )
      expect(found.map(({ to }) => to)).toEqual(["64507", "64007", "63507"])
      // The session that used it has ended, and what it did is known.
      const scans = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`select idx_scan as n from pg_stat_user_indexes where indexrelname = 'change_of_day'`
        return Number(row!["n"])
      })
      while ((yield* Effect.provide(scans, openShared(url), { local: true })) === 0) yield* Effect.sleep("50 millis")
    })
  )
})
