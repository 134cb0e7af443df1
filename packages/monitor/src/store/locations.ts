/** Locations in the store: their numbers, and the state of each target at each location. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { View, Views } from "../locations/View.ts"
import { lock } from "./dialect.ts"
import { asStore, read } from "./failure.ts"
import { rowToHour, hoursFrom, decodeKnown, type Row } from "./rows.ts"
import type { StoreFailed } from "./Store.ts"
import { UnreadableRows } from "./UnreadableRows.ts"

/**
 * Returns the number of a location. If the location is not in the store yet, the function stores it. The first location has the number 1.
 * Each further location has a number that is 1 larger than the largest stored number.
 */
export const findNumber = (name: string): Effect.Effect<number, StoreFailed, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const number = Effect.gen(function* () {
      yield* lock(sql, "number")
      yield* sql`insert into location (id, name) select coalesce(max(id), 0) + 1, ${name} from location
        on conflict (name) do nothing`
      const [row] = yield* sql<Row>`select id from location where name = ${name}`
      return Number(row!["id"])
    })
    return yield* sql.withTransaction(number)
  }).pipe(asStore)

export type LocationReader = Effect.Success<typeof makeReader>

/** Reads views from the store. A view is the state of a target at one location. */
export const makeReader = Effect.map(SqlClient.SqlClient, (sql) => {
  const unreadable = new UnreadableRows()
  return {
    /** A map from the number of each location to its name. */
    names: Effect.map(
      read(sql`select id, name from location`, (row) => [Number(row["id"]), row["name"] as string] as const),
      (all) => new Map(all)
    ),

    /** Reads the views of the given targets: one view per target and location. */
    views: (targets: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, Views>, StoreFailed> =>
      Effect.gen(function* () {
        const found = new Map<number, { readonly views: Array<View>; readonly disagreement: string | undefined }>()
        if (targets.length === 0) return found
        const rows = yield* sql<Row>`select target.address as address, location.name as location_name, said, known.*
        from location_latest as known
        join target on target.id = known.target
        join location on location.id = known.location
        left join disagreement on disagreement.target = known.target and said <> ''
        where known.target in (${sql.literal(targets.join(", "))})`
        for (const row of rows) {
          const target = Number(row["target"])
          const entry = found.get(target) ?? { views: [], disagreement: (row["said"] as string | null) ?? undefined }
          found.set(target, entry)
          const location = row["location_name"] as string
          entry.views.push({
            location,
            known: decodeKnown(row["address"] as string, row, unreadable, "location_latest")
          })
        }
        return found
      }).pipe(asStore),

    /**
     * Reads the stored hours of a target at one location, from the hour that contains `fromMs` to the hour that contains `toMs`, both
     * included.
     */
    hours: (location: string, target: number, fromMs: number, toMs: number) => {
      const ofLocation = sql`location = (select id from location where name = ${location})`
      return read(hoursFrom(sql, "location_sample", target, fromMs, toMs, ofLocation), rowToHour)
    },
    unreadable
  }
})
