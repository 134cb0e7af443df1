/**
 * The store over SQL: the same statements for SQLite and Postgres.
 *
 * @module
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrate } from "./migrate.ts"
import { changeOf, hourOfRow, knownOf, type Row, rowOfChange, rowOfHour, rowOfKnown } from "./rows.ts"
import { SLICES } from "./slices.ts"
import { Store, StoreFailed, type StoredTarget, StoreTaken } from "./Store.ts"
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"

/** Rows of one statement: as many for all, so that a database prepares few statements. */
const CHUNK = 100

/** Rows that retention takes away in one statement, so that nobody waits for it long. */
const PRUNED_AT_ONCE = 2000

const failed = (error: SqlError): StoreFailed => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: { readonly cause?: unknown } }
  const why = reason?.cause ?? cause ?? error
  return new StoreFailed({ message: why instanceof Error ? why.message : String(error.message) })
}

const chunksOf = <A>(rows: ReadonlyArray<A>) => Arr.chunksOf(rows, CHUNK)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  yield* migrate(sql, isPostgres)
  let mine = 0
  /** Keeps a new owner waiting until the transaction is over; SQLite has one writer at a time anyway. */
  const locked = sql.onDialectOrElse({ pg: () => sql`for share`, orElse: () => sql`` })

  const upsert = Effect.fnUntraced(function* (
    table: string,
    key: ReadonlyArray<string>,
    rows: ReadonlyArray<Record<string, unknown>>
  ) {
    for (const chunk of chunksOf(rows)) {
      const columns = Object.keys(chunk[0]!).filter((column) => !key.includes(column))
      const set = sql.csv(columns.map((column) => sql`${sql(column)} = ${sql(`excluded.${column}`)}`))
      const conflict = sql.csv(key.map((column) => sql`${sql(column)}`))
      yield* sql`insert into ${sql(table)} ${sql.insert(chunk)} on conflict (${conflict}) do update set ${set}`
    }
  })

  /** Repeats a statement that takes a few rows away until there are no more of them. */
  const inPortions = (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.gen(function* () {
      while ((yield* statement).length >= PRUNED_AT_ONCE) yield* Effect.yieldNow
    })

  return Store.of({
    claim: (owner) =>
      Effect.gen(function* () {
        const slices = Arr.makeBy(SLICES, (slice) => ({ slice, owner, epoch: 1 }))
        yield* sql`insert into slice ${sql.insert(slices)}
          on conflict (slice) do update set owner = excluded.owner, epoch = slice.epoch + 1`
        const [row] = yield* sql<Row>`select max(epoch) as epoch from slice`
        mine = Number(row!["epoch"])
      }).pipe(sql.withTransaction, Effect.mapError(failed)),

    enlist: (targets, atMs) =>
      Effect.gen(function* () {
        yield* sql`update target set watched = 0 where watched = 1`
        const rows = targets.map(({ address, group, labels, slice }) => ({
          address,
          slice,
          group,
          labels: JSON.stringify(labels),
          watched: 1,
          added_at: atMs
        }))
        for (const chunk of chunksOf(rows)) {
          yield* sql`insert into target ${sql.insert(chunk)} on conflict (address) do update set
            slice = excluded.slice, "group" = excluded."group", labels = excluded.labels, watched = 1`
        }
        const stored = yield* sql<Row>`select target.id as id, target.address as address, latest.*
          from target left join latest on latest.target = target.id where target.watched = 1`
        return new Map(
          stored.map((row): readonly [string, StoredTarget] => {
            const address = row["address"] as string
            return [address, { id: Number(row["id"]), known: knownOf(address, row) }]
          })
        )
      }).pipe(sql.withTransaction, Effect.mapError(failed)),

    write: ({ changes, hours, known, told }) =>
      Effect.suspend(() => {
        // All at once, before anything is waited for: what goes into one transaction is of one moment.
        const changed = changes.map(rowOfChange)
        const latest = known.map(({ known, target }) => rowOfKnown(target, known))
        const samples = hours.map(({ samples, target }) => rowOfHour(target, samples))
        const marks = [...told].map(([name, id]) => ({ name, told: id }))
        return Effect.gen(function* () {
          const newer = yield* sql`select slice from slice where epoch > ${mine} ${locked}`
          if (newer.length > 0) {
            return yield* new StoreTaken({
              message: "Another monitor has opened this store, and goes on in our place."
            })
          }
          for (const chunk of chunksOf(changed)) {
            yield* sql`insert into change ${sql.insert(chunk)} on conflict (id) do nothing`
          }
          yield* upsert("latest", ["target"], latest)
          yield* upsert("sample", ["target", "hour"], samples)
          yield* upsert("webhook", ["name"], marks)
        }).pipe(sql.withTransaction)
      }).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(failed(error)))),

    changes: ({ after, before, field, limit, target }) => {
      const ofTarget = target === undefined ? sql`1 = 1` : sql`target = ${target}`
      const ofField = field === undefined ? sql`1 = 1` : sql`field = ${field}`
      const later = after === undefined ? sql`1 = 1` : sql`id > ${after}`
      const earlier = before === undefined ? sql`1 = 1` : sql`id < ${before}`
      const order = after === undefined ? sql`desc` : sql`asc`
      return sql<Row>`select * from change where ${sql.and([ofTarget, ofField, later, earlier])} order by id ${order} limit ${limit}`.pipe(
        Effect.map((rows) => rows.map(changeOf)),
        Effect.mapError(failed)
      )
    },

    hours: (target, fromMs, toMs) =>
      sql<Row>`select * from sample where target = ${target} and hour >= ${Math.floor(fromMs / HOUR_MS)} and hour <= ${Math.floor(toMs / HOUR_MS)}
        order by hour`.pipe(
        Effect.map((rows) => rows.map(hourOfRow)),
        Effect.mapError(failed)
      ),

    told: (webhook) =>
      sql<Row>`select told from webhook where name = ${webhook}`.pipe(
        Effect.map(([row]) => (row === undefined ? undefined : Number(row["told"]))),
        Effect.mapError(failed)
      ),

    prune: ({ changeDays, fineDays, hourlyDays }, nowMs) =>
      Effect.gen(function* () {
        const before = (days: number): number => nowMs - days * DAY_MS
        const beforeHour = (days: number): number => Math.ceil(before(days) / HOUR_MS)
        const many = sql.literal(String(PRUNED_AT_ONCE))
        yield* inPortions(sql`delete from sample where (target, hour) in
          (select target, hour from sample where hour < ${beforeHour(hourlyDays)} limit ${many}) returning target`)
        yield* inPortions(sql`update sample set fine = null where (target, hour) in
          (select target, hour from sample where hour < ${beforeHour(fineDays)} and fine is not null limit ${many})
          returning target`)
        yield* inPortions(sql`delete from change where id in
          (select id from change where id < ${before(changeDays) * 1000} limit ${many}) returning id`)
      }).pipe(Effect.mapError(failed))
  })
})

/** The store in the database of the client. */
export const layer: Layer.Layer<Store, StoreFailed, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.mapError(make, failed)
)
