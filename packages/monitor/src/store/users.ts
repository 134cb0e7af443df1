/** Finds the monitors that use a Postgres store, by their sessions in the database. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { explainSqlError } from "./failure.ts"
import { postgresClient } from "./index.ts"
import type { Row } from "./rows.ts"
import { StoreFailed } from "./Store.ts"

/** If a monitor does not share its store, the names of its database sessions begin with this text. */
export const ALONE = "sourcewire-monitor"

/** A monitor with a session in the database. */
export interface StoreUser {
  /** The name of the session. If the monitor does not share its store, this name ends with the monitor's host name and process. */
  readonly name: string
  /** When the session began, in ISO 8601 format. */
  readonly since: string
}

/** Finds the oldest session of any monitor. If `inFleet` is false, the sessions of monitors that share their store are ignored. */
export const findUser = Effect.fnUntraced(function* (sql: SqlClient, { inFleet }: { readonly inFleet: boolean }) {
  // The table `runner` contains the names of the instances. In a new database, this table does not exist yet.
  const [known] = yield* sql<Row>`select to_regclass('runner') is not null as has_runners`
  const ofFleet =
    inFleet && known?.["has_runners"] === true ? sql`application_name in (select name from runner)` : sql`false`
  const [row] = yield* sql<Row>`
    select application_name as name, to_char(backend_start at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from pg_stat_activity
    where datname = current_database() and (application_name like ${`${ALONE}%`} or ${ofFleet})
    order by backend_start limit 1`
  return row === undefined
    ? undefined
    : ({ name: String(row["name"]), since: String(row["since"]) } satisfies StoreUser)
})

/** Runs {@link findUser} in the database at a URL. */
export const findUserAt = (url: string, options: { readonly inFleet: boolean }) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(postgresClient(url, "sourcewire-check"))
    return yield* Effect.mapError(
      findUser(Context.get(context, SqlClient), options),
      (error) => new StoreFailed({ message: `Cannot connect to the store: ${explainSqlError(error)}.` })
    )
  }).pipe(Effect.scoped)
