/** The stores that there are. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as sqlStore from "./sqlStore.ts"
import type { Store, StoreFailed } from "./Store.ts"
import * as sqlite from "./sqlite.ts"

export { layerNone as none } from "./Store.ts"

/** Whether a store is a database that several machines can reach. */
export const isShared = (where: string): boolean => /^postgres(ql)?:\/\//.test(where)

/** A client of a Postgres, by its URL, whose sessions have a name; what it takes is loaded where there is one. */
export const postgresClient = (url: string, name?: string): Layer.Layer<SqlClient, StoreFailed> =>
  Layer.unwrap(Effect.promise(async () => (await import("./postgres.ts")).layer(url, name)))

/** In Postgres, by its URL, and the client for it. */
export const openShared = (url: string, name?: string): Layer.Layer<Store | SqlClient, StoreFailed> =>
  Layer.provideMerge(sqlStore.layer, postgresClient(url, name))

/** By name: `postgres://…`, otherwise a file of SQLite. `session` is the name of the sessions in Postgres. */
export const open = (where: string, session?: string): Layer.Layer<Store, StoreFailed> =>
  isShared(where) ? openShared(where, session) : Layer.provide(sqlStore.layer, sqlite.layer(where))
