/**
 * The SQLite driver for Effect's SQL client. The driver uses the SQLite module of the runtime: `node:sqlite` in Node and Deno, or
 * `bun:sqlite` in Bun. If the process crashes, no committed transaction is lost, because all transactions are in the write-ahead log. After
 * a power failure, the last seconds of history may be missing, but the file is not damaged.
 */
import type * as nodeSqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { explainCause } from "./failure.ts"
import { StoreFailed } from "./Store.ts"

const PRAGMAS = ["journal_mode = wal", "synchronous = normal", "busy_timeout = 5000", "cache_size = -65536"]

/**
 * The setting that prevents other processes from using the file. If the parameter `access` of the client is `alone`, this setting is
 * applied before the file is read for the first time. The first read then locks the whole file. If another process uses the file, the read
 * fails.
 */
const EXCLUSIVE = "locking_mode = exclusive"

/** The part of the API that `node:sqlite` and `bun:sqlite` have in common. */
interface Sqlite {
  prepare(sql: string): { all(...params: ReadonlyArray<unknown>): ReadonlyArray<Record<string, unknown>> }
  close(): void
}

/**
 * Maximum number of prepared statements in the cache. If the cache contains more statements, the least recently used statement is removed
 * from the cache.
 */
const CACHED_STATEMENTS = 256

/**
 * Returns a function that runs a statement and returns the rows of the result. If a statement has no result (for example `create table`),
 * the function returns an empty list.
 */
const statementRunner = (database: Sqlite) => {
  const cached = new Map<string, ReturnType<Sqlite["prepare"]>>()
  return (sql: string, params: ReadonlyArray<unknown>) => {
    const statement = cached.get(sql) ?? database.prepare(sql)
    cached.delete(sql)
    cached.set(sql, statement)
    if (cached.size > CACHED_STATEMENTS) cached.delete(cached.keys().next().value!)
    return statement.all(...params)
  }
}

/** Opens the database in a file. */
const openDatabase = async (file: string): Promise<Sqlite> => {
  if ("Bun" in globalThis) {
    // Bundlers for other runtimes would try to resolve a literal module name. Therefore the name is passed as a variable.
    const name = "bun:sqlite"
    const { Database } = (await import(name)) as { readonly Database: new (file: string) => Sqlite }
    return new Database(file)
  }
  // The module is loaded only when it is needed, because loading is slow and Node prints a warning that the module is experimental.
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof nodeSqlite | undefined
  if (sqlite === undefined) throw new Error(`Node ${process.version} has no SQLite. Use Node 22.19 or newer`)
  return new sqlite.DatabaseSync(file)
}

const connectionOver = (rowsIn: ReturnType<typeof statementRunner>): SqlConnection.Connection => {
  const rows = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.try({
      try: () => rowsIn(sql, params),
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

/**
 * A client for a database file. If the file does not exist, it is created. The name `:memory:` means a database in memory. If `access` is
 * `alone`, no other process can use the file until the client is closed.
 */
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
          catch: (cause) => new StoreFailed({ message: `Cannot open the store ${file}: ${explainCause(cause)}.` })
        }),
        (open) => Effect.sync(() => open.close())
      )
      const rows = statementRunner(database)
      yield* Effect.try({
        try: () => {
          const pragmas = access === "alone" ? [EXCLUSIVE, ...PRAGMAS] : PRAGMAS
          pragmas.forEach((pragma) => rows(`pragma ${pragma}`, []))
        },
        catch: (cause) => {
          const { message } = cause as Error
          const isHeld = access === "alone" && /locked|busy/i.test(message)
          return new StoreFailed({
            message: isHeld
              ? `The store ${file} is in use. Stop the monitor that uses this store, then run the command again.`
              : `Cannot use the store ${file}: ${explainCause(cause)}.`
          })
        }
      })
      const acquirers = SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(connectionOver(rows)),
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
