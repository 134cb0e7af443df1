/**
 * Copies a store to an empty store in one transaction. Each target and each change has the same number in the new store as in the old
 * store. Both the old store and the new store can be SQLite or Postgres. Only one page of rows is in memory at a time. The ownership of
 * slices is not copied, because the monitor that opens the new store claims all slices.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { existsSync } from "node:fs"
import { isPostgres } from "./dialect.ts"
import { asStore, explainSqlError } from "./failure.ts"
import { isShared, postgresClient } from "./index.ts"
import { migrate } from "./migrations.ts"
import type { Row } from "./rows.ts"
import * as sqlite from "./sqlite.ts"
import { StoreFailed } from "./Store.ts"
import { findUser } from "./users.ts"

/** The tables to copy, each with the columns by which its rows are sorted. */
export const COPIED: Readonly<Record<string, ReadonlyArray<string>>> = {
  plan: ["one"],
  list: ["source"],
  target: ["id"],
  latest: ["target"],
  change: ["id"],
  sample: ["target", "hour"],
  incident: ["target", "from_at"],
  finding: ["target", "kind", "from_at"],
  mute: ["id"],
  webhook: ["name"],
  location: ["id"],
  location_latest: ["target", "location"],
  location_sample: ["target", "location", "hour"],
  disagreement: ["target"],
  retention: ["one"]
}
/** Tables that describe the instances that use a store. These tables are not copied. */
export const OF_OWNERS: ReadonlyArray<string> = ["slice", "runner", "under_way", "wanted", "reading"]
const ALL = [...Object.keys(COPIED), ...OF_OWNERS]

/** Progress of a copy. */
export interface CopyProgress {
  readonly table: string
  readonly done: number
  readonly all: number
}

/** Options of a copy. */
export interface CopyOptions {
  /** The path of an SQLite file, or a URL (`postgres://…`). */
  readonly from: string
  readonly to: string
  readonly onProgress?: (progress: CopyProgress) => void
}

/** The name of the Postgres sessions that copy a store. */
const SESSION = "sourcewire-migrate"

const PAGE = 2000
/** Maximum number of values in one statement. This maximum is below the limits of SQLite and Postgres. */
const VALUES = 10_000

const makeClient = (where: string) =>
  Effect.map(Layer.build(isShared(where) ? postgresClient(where, SESSION) : sqlite.layer(where, "alone")), (context) =>
    Context.get(context, SqlClient)
  )

const countRows = (sql: SqlClient, table: string) =>
  Effect.map(sql<Row>`select count(*) as rows from ${sql(table)}`, ([row]) => Number(row!["rows"]))

/** Fails if a monitor uses the store. For SQLite, this check is not necessary: `alone` opens the file only if no monitor uses the file. */
const checkUnused = Effect.fnUntraced(function* (sql: SqlClient, what: string) {
  if (!isPostgres(sql)) return
  const user = yield* findUser(sql, { inFleet: true })
  if (user === undefined) return
  const message = `${what} is in use by ${user.name}. Stop the monitors that use it first.`
  return yield* new StoreFailed({ message })
})

const checkSource = Effect.fnUntraced(function* (sql: SqlClient, where: string) {
  const tables = isPostgres(sql)
    ? sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'target'`
    : sql`select 1 from sqlite_master where type = 'table' and name = 'target'`
  if ((yield* tables).length === 0) return yield* new StoreFailed({ message: `${where} is not a monitor's store.` })
})

const checkEmpty = Effect.fnUntraced(function* (sql: SqlClient) {
  for (const table of ALL) {
    if ((yield* sql`select 1 from ${sql(table)} limit 1`).length === 0) continue
    return yield* new StoreFailed({
      message: "The new store is not empty. Use an empty database, or a file that does not exist yet."
    })
  }
})

/** Converts bigints from Postgres to JavaScript numbers. All stored integers can be represented exactly as JavaScript numbers. */
const plain = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === "bigint" ? Number(value) : value])
  )

const copyTable = Effect.fnUntraced(function* (
  from: SqlClient,
  to: SqlClient,
  table: string,
  onRows: (count: number) => void
) {
  const key = COPIED[table]!
  const columns = from.csv(key.map((column) => from`${from(column)}`))
  let last: Row | undefined
  while (true) {
    const after =
      last === undefined ? from`1 = 1` : from`(${columns}) > (${from.csv(key.map((one) => from`${last![one]}`))})`
    const rows = (yield* from<Row>`select * from ${from(table)} where ${after} order by ${columns} limit ${PAGE}`).map(
      plain
    )
    if (!Arr.isArrayNonEmpty(rows)) return
    const many = Math.floor(VALUES / Object.keys(rows[0]).length)
    for (const chunk of Arr.chunksOf(rows, many)) {
      yield* to`insert into ${to(table)} ${to.insert(chunk)}`
      onRows(chunk.length)
    }
    last = rows.at(-1)
  }
})

/**
 * Sets each sequence of Postgres to the largest number that was copied to its column. Therefore new rows have larger numbers than the
 * copied rows.
 */
const continueCounting = Effect.fnUntraced(function* (sql: SqlClient) {
  if (!isPostgres(sql)) return
  const counted = yield* sql<Row>`select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`
  for (const row of counted) {
    const [table, column] = [row["table_name"] as string, row["column_name"] as string]
    if (!Object.hasOwn(COPIED, table)) continue
    yield* sql`select setval(pg_get_serial_sequence(${table}, ${column}), max(${sql(column)})) from ${sql(table)}`
  }
})

/**
 * Copies a store, and returns the number of copied rows by table. If an error occurs while rows are copied, the new store is empty
 * afterwards.
 */
export const copy = ({
  from: where,
  onProgress,
  to: target
}: CopyOptions): Effect.Effect<ReadonlyMap<string, number>, StoreFailed> =>
  Effect.gen(function* () {
    if (!isShared(where) && !existsSync(where)) {
      return yield* new StoreFailed({ message: `The store ${where} does not exist.` })
    }
    const from = yield* makeClient(where)
    yield* checkSource(from, isShared(where) ? "The database" : where)
    yield* migrate(from)
    yield* checkUnused(from, "The store")
    const to = yield* makeClient(target)
    yield* migrate(to)
    yield* checkUnused(to, "The new store")
    const counts = new Map<string, number>()
    for (const table of Object.keys(COPIED)) counts.set(table, yield* countRows(from, table))
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    let done = 0
    const work = Effect.gen(function* () {
      if (isPostgres(to)) {
        // Postgres closes sessions whose transaction is idle for a few seconds. This timeout is disabled here, because the transaction is
        // idle while a page is read from the old store.
        yield* to`set local idle_in_transaction_session_timeout = 0`
        yield* to`lock table ${to.csv(ALL.map((table) => to`${to(table)}`))} in exclusive mode`
      }
      yield* checkEmpty(to)
      for (const table of Object.keys(COPIED)) {
        onProgress?.({ table, done, all })
        yield* copyTable(from, to, table, (count) => {
          done += count
          onProgress?.({ table, done, all })
        })
      }
      yield* continueCounting(to)
    })
    yield* from.withTransaction(to.withTransaction(work))
    if (isPostgres(to)) yield* to`analyze`
    return counts
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      isSqlError(error) ? new StoreFailed({ message: `Cannot copy the store: ${explainSqlError(error)}.` }) : error
    ),
    asStore
  )
