/**
 * Stores and reads the reports of all runners of a fleet, in a table of the store. The reports are only for users. The ownership of slices
 * does not depend on the reports.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asStore, read } from "../store/failure.ts"
import { postgresClient } from "../store/index.ts"
import { SLICES } from "../store/slices.ts"
import type { StoreFailed } from "../store/Store.ts"
import { type FleetStatus, makeFleetStatus, type Runner, decodeRunner } from "./FleetStatus.ts"

/** If a runner stores no report for this time, its row is removed from the table. */
const FORGOTTEN_MS = 86_400_000

/** The current time, in milliseconds since 1970. The database supplies the time, because the clocks of the runners may differ. */
const NOW = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"

/** Reads the runners of a fleet from a Postgres database: all runners that have stored a report, and all runners that own slices. */
const runnersIn = (sql: SqlClient): Effect.Effect<ReadonlyArray<Runner>, StoreFailed> =>
  read(
    sql`select coalesce(name, owner) as name, coalesce(slices, 0) as slices, report,
      ${sql.literal(NOW)} - told_at as silent
    from runner full join (select owner, count(*) as slices from slice where slice < ${SLICES} group by owner) as owned
      on owner = name`,
    ({ name, report, silent, slices }) =>
      decodeRunner(name as string, Number(slices), silent === null ? null : Number(silent), report as string | null)
  )

/** Reads the status of a fleet from its database. Use this function if no monitor of the fleet replies to a request for the status. */
export const storedStatus = (url: string): Effect.Effect<FleetStatus, StoreFailed> =>
  Effect.flatMap(SqlClient, runnersIn).pipe(
    Effect.map((runners) => makeFleetStatus(true, runners)),
    Effect.provide(postgresClient(url))
  )

/** Creates the roster of a fleet in a Postgres database. `name` is the name of this runner. */
export const makeRoster = (sql: SqlClient, name: string) => ({
  /** Stores the report of this runner. */
  report: (report: string) =>
    Effect.gen(function* () {
      yield* sql`insert into runner (name, told_at, report) values (${name}, ${sql.literal(NOW)}, ${report})
        on conflict (name) do update set told_at = excluded.told_at, report = excluded.report`
      yield* sql`delete from runner where told_at < ${sql.literal(NOW)} - ${sql.literal(String(FORGOTTEN_MS))}`
    }).pipe(asStore),
  /**
   * Removes the row of this runner from the table. This happens when an administrator stops the runner, because the status would otherwise
   * show the runner as dead.
   */
  leave: asStore(Effect.asVoid(sql`delete from runner where name = ${name}`)),
  runners: runnersIn(sql)
})

/** The roster of the fleet; `undefined` if the monitor is not part of a fleet. */
export const Roster = Context.Reference<ReturnType<typeof makeRoster> | undefined>("@sourcewire/monitor/Roster", {
  defaultValue: () => undefined
})
