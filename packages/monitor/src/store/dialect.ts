/** In what the two databases differ, besides words of the tables' definitions. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Whether it is Postgres, else SQLite. */
export const isPostgres = (sql: SqlClient): boolean => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

/** Postgres' locks, by any numbers: one at a time brings tables up to date, adds changes, numbers locations, stores a list. */
const LOCKS = { migrate: 0x50_57_49_52, append: 0x50_57_49_53, number: 0x50_57_49_54, list: 0x50_57_49_55 }

/** Waits until nobody else does this, until the transaction is over. SQLite has one writer at a time anyway. */
export const lock = (sql: SqlClient, what: keyof typeof LOCKS): Effect.Effect<unknown, SqlError> =>
  isPostgres(sql) ? sql`select pg_advisory_xact_lock(${sql.literal(String(LOCKS[what]))})` : Effect.void
