/** Opens stores. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import * as sqlStore from "./sqlStore.ts"
import type { Store, StoreFailed } from "./Store.ts"
import * as sqlite from "./sqlite.ts"

export { layerNone as none } from "./Store.ts"

/** Whether a store is in a database that several machines can reach. */
export const isShared = (where: string): boolean => /^postgres(ql)?:\/\//.test(where)

/**
 * Creates a Postgres client for a URL. The Postgres driver is loaded only when a client is created. `name` is the name that Postgres shows
 * for the client's sessions.
 */
export const postgresClient = (url: string, name?: string): Layer.Layer<SqlClient, StoreFailed> =>
  Layer.unwrap(Effect.promise(async () => (await import("./postgres.ts")).layer(url, name)))

/** Opens the Postgres store at a URL, and provides the store and its SQL client. */
export const openShared = (url: string, name?: string): Layer.Layer<Store | SqlClient, StoreFailed> =>
  Layer.provideMerge(sqlStore.layer, postgresClient(url, name))

/**
 * Opens the store at `where`: a `postgres://…` URL, or the path of an SQLite file. If the store is in Postgres, `session` is the name that
 * Postgres shows for the sessions of this client.
 */
export const open = (where: string, session?: string): Layer.Layer<Store, StoreFailed> =>
  isShared(where) ? openShared(where, session) : Layer.provide(sqlStore.layer, sqlite.layer(where))
