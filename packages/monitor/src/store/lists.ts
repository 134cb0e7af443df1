/** Targets and the lists that they come from, in SQL. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lock } from "./dialect.ts"
import type { Row } from "./rows.ts"
import type { NewTarget, StoredList } from "./Store.ts"

/** Rows of one statement: as many for all, so that a database prepares few statements. */
export const CHUNK = 100

/** Enters targets that are watched. */
export const enterTargets = Effect.fnUntraced(function* (
  sql: SqlClient,
  targets: ReadonlyArray<NewTarget>,
  atMs: number
) {
  const rows = targets.map((target) => ({
    ...target,
    labels: JSON.stringify(target.labels),
    watched: 1,
    added_at: atMs
  }))
  for (const chunk of Arr.chunksOf(rows, CHUNK)) {
    yield* sql`insert into target ${sql.insert(chunk)} on conflict (address) do update set
      slice = excluded.slice, "group" = excluded."group", labels = excluded.labels, watched = 1`
  }
})

/** These are no longer watched. */
export const leaveTargets = Effect.fnUntraced(function* (sql: SqlClient, addresses: ReadonlyArray<string>) {
  for (const chunk of Arr.chunksOf(addresses, CHUNK)) {
    yield* sql`update target set watched = 0 where ${sql.in("address", chunk)}`
  }
})

/** Stores a list under the next version; one at a time, so that whoever reads them by version misses none. */
export const storeList = Effect.fnUntraced(function* (sql: SqlClient, { source, text }: Omit<StoredList, "version">) {
  yield* lock(sql, "list")
  const [newest] = yield* sql<Row>`select max(version) as version from list`
  const row = { source, version: Number(newest?.["version"] ?? 0) + 1, found: text }
  yield* sql`insert into list ${sql.insert(row)}
    on conflict (source) do update set version = excluded.version, found = excluded.found`
})
