/** Differences between SQLite and Postgres, apart from the table definitions. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

export const isPostgres = (sql: SqlClient): boolean => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

/**
 * Advisory locks in Postgres; the numbers are arbitrary. Only one session at a time migrates, appends changes, numbers locations, stores
 * a list or compares findings.
 */
const LOCKS = {
  migrate: 0x50_57_49_52,
  append: 0x50_57_49_53,
  number: 0x50_57_49_54,
  list: 0x50_57_49_55,
  finding: 0x50_57_49_56
}

/** Waits for the lock, which is held until the transaction ends. SQLite needs none, since it has one writer at a time. */
export const lock = (sql: SqlClient, what: keyof typeof LOCKS): Effect.Effect<unknown, SqlError> =>
  isPostgres(sql) ? sql`select pg_advisory_xact_lock(${sql.literal(String(LOCKS[what]))})` : Effect.void
