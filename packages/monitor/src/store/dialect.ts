/** Differences between SQLite and Postgres, apart from the table definitions. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

export const isPostgres = (sql: SqlClient): boolean => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

/**
 * The numbers of the advisory locks in Postgres. The numbers are arbitrary. There is one lock for each task that only one session at a time
 * may run. A session acquires the lock before it runs the task.
 */
const LOCKS = {
  migrate: 0x50_57_49_52,
  append: 0x50_57_49_53,
  number: 0x50_57_49_54,
  list: 0x50_57_49_55,
  finding: 0x50_57_49_56
}

/** Acquires a lock, which is released at the end of the transaction. SQLite needs no locks, because it allows only one writer at a time. */
export const lock = (sql: SqlClient, what: keyof typeof LOCKS): Effect.Effect<unknown, SqlError> =>
  isPostgres(sql) ? sql`select pg_advisory_xact_lock(${sql.literal(String(LOCKS[what]))})` : Effect.void
