/**
 * Brings a database to the schema of this program.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { migrations, POSTGRES, SQLITE } from "./migrations/index.ts"

/** Any number: who holds Postgres' lock of it migrates, and others wait. */
const LOCK = 0x50_57_49_52

/** Takes the steps that the database has not taken yet. */
export const migrate = (sql: SqlClient, isPostgres: boolean) =>
  Effect.gen(function* () {
    if (isPostgres) yield* sql`select pg_advisory_xact_lock(${sql.literal(String(LOCK))})`
    yield* sql`create table if not exists migration (step integer primary key)`
    const taken = yield* sql`select step from migration`
    for (let step = taken.length + 1; step <= migrations.length; step++) {
      for (const statement of migrations[step - 1]!(isPostgres ? POSTGRES : SQLITE)) yield* sql.unsafe(statement)
      yield* sql`insert into migration (step) values (${step})`
    }
  }).pipe(sql.withTransaction)
