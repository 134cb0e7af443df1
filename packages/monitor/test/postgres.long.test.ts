/** The store in a real Postgres. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { open } from "../src/store/index.ts"
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
})
