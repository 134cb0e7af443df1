/**
 * What the runners of a fleet tell each other of how they do, in a table of the store. Who owns what does not depend on it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asStore, read } from "../store/failure.ts"
import { postgresClient } from "../store/index.ts"
import { SLICES } from "../store/slices.ts"
import type { StoreFailed } from "../store/Store.ts"
import { type FleetStatus, fleetStatusOf, type Runner, runnerOf } from "./FleetStatus.ts"

/** Those of whom nothing was heard for so long are forgotten. */
const FORGOTTEN_MS = 86_400_000

/** Machines' clocks differ; the database has one. */
const NOW = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"

/** What all have told, and all who own something, in a Postgres. */
const runnersIn = (sql: SqlClient): Effect.Effect<ReadonlyArray<Runner>, StoreFailed> =>
  read(
    sql`select coalesce(name, owner) as name, coalesce(slices, 0) as slices, report,
      ${sql.literal(NOW)} - told_at as silent
    from runner full join (select owner, count(*) as slices from slice where slice < ${SLICES} group by owner) as owned
      on owner = name`,
    ({ name, report, silent, slices }) =>
      runnerOf(name as string, Number(slices), silent === null ? null : Number(silent), report as string | null)
  )

/** How a fleet does by its database at `postgres://…` alone, where no monitor is there to be asked. */
export const storedStatus = (url: string): Effect.Effect<FleetStatus, StoreFailed> =>
  Effect.flatMap(SqlClient, runnersIn).pipe(
    Effect.map((runners) => fleetStatusOf(true, runners)),
    Effect.provide(postgresClient(url))
  )

/** The roster in a Postgres, for the runner of that name. */
export const rosterIn = (sql: SqlClient, name: string) => ({
  /** Tells how this runner does, until the next time. */
  tell: (report: string) =>
    Effect.gen(function* () {
      yield* sql`insert into runner (name, told_at, report) values (${name}, ${sql.literal(NOW)}, ${report})
        on conflict (name) do update set told_at = excluded.told_at, report = excluded.report`
      yield* sql`delete from runner where told_at < ${sql.literal(NOW)} - ${sql.literal(String(FORGOTTEN_MS))}`
    }).pipe(asStore),
  /** This runner ends, and is not missed. */
  leave: asStore(Effect.asVoid(sql`delete from runner where name = ${name}`)),
  runners: runnersIn(sql)
})

/** Where runners tell, and read what others told; `undefined` for a monitor that shares with nobody. */
export const Roster = Context.Reference<ReturnType<typeof rosterIn> | undefined>("@sourcewire/monitor/Roster", {
  defaultValue: () => undefined
})
