/** How a fleet does by its database alone, where no monitor is there to be asked. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { StoreFailed } from "../store/Store.ts"
import { type FleetStatus, fleetStatusOf } from "./FleetStatus.ts"
import { entriesIn } from "./Roster.ts"

/** What the database at `postgres://…` says. */
export const storedStatus = (url: string): Effect.Effect<FleetStatus, StoreFailed> =>
  Effect.flatMap(
    Effect.promise(() => import("../store/postgres.ts")),
    (postgres) =>
      Effect.flatMap(SqlClient, entriesIn).pipe(
        Effect.map((entries) => fleetStatusOf(true, entries)),
        Effect.provide(postgres.layer(url))
      )
  )
