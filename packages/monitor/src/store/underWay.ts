/** Who is being asked: a row for each that asks, which says nothing of what will come of it. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Row } from "./rows.ts"
import type { Known } from "../watch/Watched.ts"
import { unknown } from "../watch/Watched.ts"

/** Those that are asked for a location; 0 is none. */
export const underWayIn = (sql: SqlClient, location: number) => ({
  /** Notes whom somebody asks, in place of what he noted before, or besides (`isMore`). */
  note: (owner: string, targets: ReadonlyArray<number>, atMs: number, isMore = false) => {
    const both = sql`case when excluded.targets = '[]' then under_way.targets when under_way.targets = '[]' then excluded.targets
      else substr(under_way.targets, 1, length(under_way.targets) - 1) || ',' || substr(excluded.targets, 2) end`
    return sql`insert into under_way ${sql.insert({ owner, location, at: atMs, targets: JSON.stringify(targets) })}
      on conflict (owner, location) do update set at = excluded.at, targets = ${isMore ? both : sql`excluded.targets`}`
  },

  /** Counts as asked whom anybody asked later than is known. Of whom nothing is known that is all, unless `isKnown` leaves him out. */
  addTo: (found: Map<number, Known>, isKnown: boolean) =>
    Effect.map(sql<Row>`select at, targets from under_way where location = ${location}`, (rows) => {
      for (const row of rows) {
        const at = Number(row["at"])
        for (const target of JSON.parse(row["targets"] as string) as ReadonlyArray<number>) {
          const known = found.get(target) ?? (isKnown ? undefined : unknown())
          if (known !== undefined && at > (known.askedAt ?? 0)) found.set(target, { ...known, askedAt: at })
        }
      }
    }),

  /** Removes what was noted before. */
  forget: (beforeMs: number) => sql`delete from under_way where at < ${beforeMs}`
})
