/**
 * Less room for history in Postgres. Of a change's number the index of a target's changes has the day only: those of one day share an
 * entry, where each had one of its own. And retention leaves at most a fiftieth of a table, not a fifth, for Postgres to tidy up. Nothing
 * was published before this step, so no store is so large that a new index takes long.
 */
import type { Words } from "./index.ts"

export const narrowerHistory = ({ isPostgres }: Words): ReadonlyArray<string> =>
  isPostgres
    ? [
        "create index change_of_day on change (target, (id / 86400000000))",
        "drop index change_of_target",
        ...["change", "sample", "location_sample"].map(
          (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`
        )
      ]
    : []
