/** Runs the tests of the store with a real Postgres database, and tests the loss of a connection to Postgres. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { open, openShared } from "../src/store/index.ts"
import { Store, type StoreFailed } from "../src/store/Store.ts"
import { withTimeouts } from "../src/store/withTimeouts.ts"
import { isInstalled, makePostgres } from "./postgres.ts"
import { sqlSuite } from "./sqlSuite.ts"
import { storeSuite } from "./storeSuite.ts"

const server = isInstalled ? await makePostgres() : undefined
await server?.start()
afterAll(() => server?.remove())

/** Starts a forwarder to a database. After `cut`, the forwarder drops all data of its connections, and new connections receive no reply. */
const makeWay = async (port: number) => {
  let isCut = false
  const sockets = new Set<Socket>()
  const open = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
  }
  const end = (): void => sockets.forEach((socket) => socket.destroy())
  const listening = createServer((client) => {
    open(client)
    if (isCut) return
    const database = open(connect(port, "127.0.0.1"))
    client.pipe(database).pipe(client)
  }).listen(0, "127.0.0.1")
  await once(listening, "listening")
  return {
    port: (listening.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    mend: () => (isCut = false),
    end,
    [Symbol.dispose]: () => {
      end()
      listening.close()
    }
  }
}

/** Names of empty databases. Each test uses a database of its own. */
const names = Array.from({ length: 40 }, (_, i) => `store_${i}`)
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

  describe("a store in Postgres with malformed or unusual rows", () => {
    sqlSuite(it.live, () => {
      const name = names.shift()!
      return () => openShared(server!.url(name))
    })
  })

  it.live("uses an index to find the latest changes of a target among many changes of other targets", () =>
    Effect.gen(function* () {
      const url = server!.url(names.shift()!)
      const found = yield* Effect.provide(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // Inserts 65,000 changes of 500 targets.
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
      // Postgres publishes the statistics of a session when the session ends.
      const scans = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`select idx_scan as n from pg_stat_user_indexes where indexrelname = 'change_of_day'`
        return Number(row!["n"])
      })
      while ((yield* Effect.provide(scans, openShared(url), { local: true })) === 0) yield* Effect.sleep("50 millis")
    })
  )

  it.live("abandons a connection on which no more data arrives, and then uses a new connection", () =>
    Effect.gen(function* () {
      const url = new URL(server!.url(names.shift()!))
      using way = yield* Effect.promise(() => makeWay(Number(url.port)))
      url.port = String(way.port)
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* Store
          const batch = { known: [], changes: [], hours: [], incidents: [], positions: new Map([["a", 1]]) }
          yield* store.claim("test", [1, 2])
          expect(yield* store.write(batch)).toEqual([])
          way.cut()
          const hasty = withTimeouts(store, 300)
          for (const attempt of [hasty.write(batch), hasty.write(batch), hasty.claim("test", [1])]) {
            expect((yield* Effect.flip(attempt as Effect.Effect<unknown, StoreFailed>)).message).toContain(
              "did not respond"
            )
          }
          way.mend()
          // The forwarder has dropped all data that was sent after `cut`, so the old connection is useless, and the store needs a new
          // connection.
          yield* Effect.eventually(withTimeouts(store, 5000).write({ ...batch, positions: new Map([["a", 2]]) }))
          expect(yield* Effect.eventually(Effect.timeout(store.webhookPosition("a"), "5 seconds"))).toBe(2)
          way.end()
        }),
        openShared(url.href),
        { local: true }
      )
    })
  )
})
