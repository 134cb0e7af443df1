/** Brings a database to the schema of this program. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isPostgres, lock } from "./dialect.ts"
import { migrations, POSTGRES, SQLITE, type Step } from "./migrations/index.ts"
import type { Row } from "./rows.ts"
import { StoreFailed } from "./Store.ts"

/** The step from which on the store has for each which programs it needs. */
const COMPATIBILITY = 3

/** Takes the steps that the database has not taken yet; fails where it has taken one that this program is too old for. */
export const migrate = (sql: SqlClient, steps: ReadonlyArray<Step> = migrations) =>
  Effect.gen(function* () {
    yield* lock(sql, "migrate")
    const words = isPostgres(sql) ? POSTGRES : SQLITE
    yield* sql`create table if not exists migration (step integer primary key)`
    const taken = yield* sql<Row>`select * from migration`
    const needed = Math.max(0, ...taken.map(({ needs }) => Number(needs ?? 0)))
    if (needed > steps.length) {
      return yield* new StoreFailed({
        message: `The store belongs to a newer Sourcewire: it takes one that knows step ${needed} of its schema, and this one knows ${steps.length}.`
      })
    }
    for (let step = taken.length + 1; step <= steps.length; step++) {
      const { needs = 0, statements } = steps[step - 1]!
      for (const statement of statements(words)) yield* sql.unsafe(statement)
      yield* sql`insert into migration ${sql.insert(step < COMPATIBILITY ? { step } : { step, needs })}`
    }
  }).pipe(sql.withTransaction)
