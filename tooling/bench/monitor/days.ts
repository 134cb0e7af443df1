/**
 * Measures how many bytes each table of the store has after one day of history. Also checks two conditions: the store stops growing after
 * the retention period, and the sums in the store are correct.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { mkdtempDisposable } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isInstalled, makePostgres } from "../../../packages/monitor/test/postgres.ts"
import { simulateDays, type WORLDS } from "../../../packages/monitor/test/simulatedDays.ts"
import { open } from "../../../packages/monitor/src/store/index.ts"
import * as postgres from "../../../packages/monitor/src/store/postgres.ts"
import { count, note, verdict } from "../Bench.ts"

type World = keyof typeof WORLDS
/** The size of each table with its indices, in bytes. */
type Sizes = Readonly<Record<string, number>>

const TABLES = ["sample", "change", "latest", "target"]
/** Number of simulated hours: a day, and six more hours that show whether the store continues to grow. */
const HOURS = 30
const DAY = 24
/**
 * The notes state the size of one day of history for this number of targets. The benchmark measures the size with fewer targets, and
 * calculates the size for this number of targets.
 */
const MANY = 100_000
const MOST_BYTES = 1e9

const sqliteSizes = (file: string): Sizes => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare(
      "select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name"
    )
    .all()
  database.close()
  return Object.fromEntries(rows.map(({ bytes, name }) => [String(name), Number(bytes)]))
}

const measured = Effect.fnUntraced(function* (targets: number, world: World, measureSizes: Effect.Effect<Sizes>) {
  const sizes: Array<Sizes> = []
  const began = process.cpuUsage()
  const found = yield* simulateDays({
    targets,
    hours: HOURS,
    world,
    atHour: (hour) =>
      Effect.map(measureSizes, (now) => {
        sizes.push(now)
        note(hour === HOURS ? "\n" : ".")
      })
  })
  const { system, user } = process.cpuUsage(began)
  return { ...found, day: sizes[DAY - 1]!, end: sizes.at(-1)!, cpu: (user + system) / 1e6 }
})

const inSqlite = async (targets: number, world: World) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "sourcewire-days-"))
  const file = join(directory.path, "days.db")
  const measureSizes = Effect.sync(() => sqliteSizes(file))
  return await Effect.runPromise(Effect.provide(measured(targets, world, measureSizes), open(file)))
}

const inPostgres = async (targets: number, world: World) => {
  const server = await makePostgres()
  await server.start()
  try {
    const work = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A simulated day takes one or two minutes of real time. In this short time, autovacuum rarely runs. Therefore the benchmark runs
      // `vacuum` each time before it measures the sizes.
      const measureSizes = Effect.gen(function* () {
        yield* sql.unsafe("vacuum")
        const rows = yield* sql.unsafe<{ name: string; bytes: string }>(
          `select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relname in (${TABLES.map((table) => `'${table}'`).join()})`
        )
        return Object.fromEntries(rows.map(({ bytes, name }) => [name, Number(bytes)]))
      })
      return yield* Effect.provide(measured(targets, world, Effect.orDie(measureSizes)), open(server.url()))
    })
    return await Effect.runPromise(Effect.provide(work, postgres.layer(server.url())))
  } finally {
    await server.remove()
  }
}

/** Returns the total size of the tables that grow with each day of history. The other tables grow only with the number of targets. */
const daily = ({ change = 0, sample = 0 }: Sizes): number => change + sample
const all = (sizes: Sizes): number => TABLES.reduce((sum, table) => sum + (sizes[table] ?? 0), 0)

/** A simulation with one kind of store and one kind of load. */
interface Run {
  readonly name: string
  readonly targets: number
  readonly run: (targets: number, world: World) => ReturnType<typeof inSqlite>
  readonly world: World
}

const report = async (runs: ReadonlyArray<Run>) => {
  const rows: Array<ReadonlyArray<string>> = []
  const notes: Array<string> = []
  for (const { name, run, targets, world } of runs) {
    const { compared, cpu, day, end, others } = await run(targets, world)
    const each = (bytes: number): string => count(Math.round(bytes / targets))
    rows.push([name, count(targets), ...TABLES.map((table) => each(day[table] ?? 0)), each(daily(day))])
    const [true_, grown] = [`${name}: ${count(compared)} steps compared with the raw replies`, all(end) / all(day)]
    notes.push(verdict(`${true_}, ${others.length} differences`, others.length === 0 && compared > 0))
    notes.push(verdict(`${name}: ${grown.toFixed(2)} times the size six hours later (limit: 1.10)`, grown < 1.1))
    const whole = (daily(day) / targets) * MANY
    const text = `${name}: ${(whole / 1e9).toFixed(2)} GB per day for ${count(MANY)} targets`
    notes.push(name === "Postgres, usual load" ? verdict(text, whole <= MOST_BYTES) : text)
    notes.push(`${name}: ${((cpu / targets / HOURS / 60) * 1e6).toFixed(1)} µs of CPU time per query`)
  }
  return { table: [["store, load", "targets", ...TABLES, "sample + change"], ...rows], notes }
}

/** Simulates `targets` servers with the highest load, and a tenth of this number with the usual load. */
export const daysInSqlite = ({ targets }: { readonly targets: number }) =>
  report([
    { name: "SQLite, highest load", targets, run: inSqlite, world: "busiest" },
    { name: "SQLite, usual load", targets: Math.ceil(targets / 10), run: inSqlite, world: "usual" }
  ])

/** Simulates a tenth of `targets` servers twice: with the highest load, and with the usual load. */
export const daysInPostgres = ({ targets }: { readonly targets: number }) => {
  if (!isInstalled) throw new Error("There is no Postgres in PATH.")
  const tenth = Math.ceil(targets / 10)
  return report([
    { name: "Postgres, highest load", targets: tenth, run: inPostgres, world: "busiest" },
    { name: "Postgres, usual load", targets: tenth, run: inPostgres, world: "usual" }
  ])
}
