/**
 * SQLite for Effect's SQL client: the module that the runtime brings, `node:sqlite` (Node, Deno) or `bun:sqlite`. A transaction in the
 * write-ahead log survives the process; after a loss of power the last second may be gone, and the file is whole.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { StoreFailed } from "./Store.ts"
import { type Database, openDatabase } from "./sqliteDatabase.ts"

const PRAGMAS = ["journal_mode = wal", "synchronous = normal", "busy_timeout = 5000", "cache_size = -65536"]

/** Before anything is read: the lock of the whole file is taken then, and fails while somebody else has it open. */
const EXCLUSIVE = "locking_mode = exclusive"

const connectionTo = (database: Database): SqlConnection.Connection => {
  const rows = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.try({
      try: () => database.rows(sql, params),
      catch: (cause) => new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { operation: "execute" }) })
    })
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    Effect.map(rows(sql, params), (found) => (transform === undefined ? found : transform(found)))
  const executeValues: SqlConnection.Connection["executeValues"] = (sql, params) =>
    Effect.map(rows(sql, params), (found) => found.map((row) => Object.values(row)))
  return {
    execute,
    executeRaw: rows,
    executeUnprepared: execute,
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (...statement) =>
      Stream.fromIterableEffect(execute(...statement) as Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>)
  }
}

/** A client for the database in a file, which is made where there is none; `:memory:` is one that nobody keeps. `alone` lets in nobody else. */
export const layer = (
  file: string,
  access: "shared" | "alone" = "shared"
): Layer.Layer<SqlClient.SqlClient, StoreFailed> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.tryPromise({
          try: () => openDatabase(file),
          catch: (cause) => new StoreFailed({ message: `${file} cannot be opened: ${(cause as Error).message}` })
        }),
        (open) => Effect.sync(() => open.close())
      )
      yield* Effect.try({
        try: () => {
          const pragmas = access === "alone" ? [EXCLUSIVE, ...PRAGMAS] : PRAGMAS
          pragmas.forEach((pragma) => database.rows(`pragma ${pragma}`, []))
        },
        catch: (cause) => {
          const { message } = cause as Error
          const isHeld = access === "alone" && /locked|busy/i.test(message)
          return new StoreFailed({
            message: isHeld ? `${file} is in use: stop the monitor on it first.` : `${file} cannot be used: ${message}`
          })
        }
      })
      const acquirers = SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(connectionTo(database)),
        semaphore: yield* Semaphore.make(1)
      })
      return yield* SqlClient.make({
        ...acquirers,
        beginTransaction: "begin immediate",
        driver: "sqlite",
        compiler: Statement.makeCompilerSqlite(),
        spanAttributes: [["db.system.name", "sqlite"]]
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
