/** Functions for the tests that copy a store from one database to another. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import assert from "node:assert/strict"
import { HOUR_MS } from "../src/history/HourSamples.ts"
import { COPIED, copy, type CopyProgress } from "../src/store/copy.ts"
import { isShared, open } from "../src/store/index.ts"
import * as postgres from "../src/store/postgres.ts"
import type { Row } from "../src/store/rows.ts"
import * as sqlite from "../src/store/sqlite.ts"
import { Store } from "../src/store/Store.ts"
import { unknown } from "../src/watch/Watched.ts"
import { simulateDays } from "./simulatedDays.ts"

/** Reads all rows of the copied tables as JSON, in the order of their keys. */
export const readContents = (where: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const contents: Record<string, ReadonlyArray<string>> = {}
    for (const [table, key] of Object.entries(COPIED)) {
      const rows = yield* sql<Row>`select * from ${sql(table)} order by ${sql.csv(key.map((one) => sql`${sql(one)}`))}`
      contents[table] = rows.map((row) =>
        JSON.stringify(row, (_, value: unknown) => {
          if (value instanceof Uint8Array) return Buffer.from(value).toString("hex")
          return typeof value === "bigint" ? Number(value) : value
        }).replaceAll(/\{"type":"Buffer","data":(\[[\d,]*\])\}/g, (_, bytes: string) =>
          JSON.stringify(Buffer.from(JSON.parse(bytes) as Array<number>).toString("hex"))
        )
      )
    }
    return contents
  }).pipe(Effect.provide(isShared(where) ? postgres.layer(where) : sqlite.layer(where), { local: true }))

/** Fills a store with the history of some targets over some hours, and with rows of the tables `webhook`, `plan` and `target`. */
export const fill = (where: string, { hours, targets }: { readonly hours: number; readonly targets: number }) =>
  Effect.gen(function* () {
    yield* simulateDays({ targets, hours, world: "busiest", atHour: () => Effect.void })
    const store = yield* Store
    yield* store.write({ known: [], changes: [], hours: [], incidents: [], positions: new Map([["team", 5]]) })
    yield* store.publish('{"groups":[]}', [], 0)
    yield* store.enlist([{ address: "192.0.2.1:1", slice: 3, group: 'ä "b"', labels: { note: "\u{1f600} \\" } }], 7)
  }).pipe(Effect.provide(open(where), { local: true }))

/** Copies `from` to the empty store `to`, and compares all rows of the two stores. */
export const checkCopy = (from: string, to: string) =>
  Effect.gen(function* () {
    const before = yield* readContents(from)
    const reports: Array<CopyProgress> = []
    const counts = yield* copy({ from, to, onProgress: (progress) => void reports.push(progress) })
    assert.deepStrictEqual(yield* readContents(to), before)
    assert.deepStrictEqual(
      Object.fromEntries(counts),
      Object.fromEntries(Object.entries(before).map(([table, rows]) => [table, rows.length]))
    )
    for (const table of ["target", "latest", "change", "sample", "webhook", "plan"]) assert.ok(counts.get(table)! > 0)
    const last = reports.at(-1)!
    assert.strictEqual(last.done, last.all)
    // A second copy to `to` is rejected, and changes nothing.
    const refusal = yield* Effect.flip(copy({ from, to }))
    assert.match(refusal.message, /is not empty/)
    // The number of a new row is larger than the numbers of all copied rows. If a copied target is added again, the target keeps its
    // number.
    yield* Effect.gen(function* () {
      const store = yield* Store
      const ids = yield* store.watched
      const [known] = ids
      const wanted = [known![0], "198.51.100.1:1"].map((address) => ({ address, slice: 1, group: "a", labels: {} }))
      yield* store.enlist(wanted, 1)
      const after = yield* store.watched
      assert.strictEqual(after.get(known![0]), known![1])
      assert.ok(after.get("198.51.100.1:1")! > Math.max(...before["target"]!.map(parseId)))
      yield* store.claim("new", [1])
      const [newest] = yield* store.changes({ limit: 1 })
      const target = known![1]
      yield* store.write({
        known: [{ slice: 1, target, known: unknown() }],
        changes: [{ slice: 1, id: 1, target, at: newest!.at + HOUR_MS, field: "map", from: "a", to: "b" }],
        hours: [],
        incidents: [],
        positions: new Map()
      })
      assert.ok((yield* store.changes({ limit: 1 }))[0]!.id > newest!.id)
    }).pipe(Effect.provide(Layer.fresh(open(to)), { local: true }))
  })

const parseId = (row: string): number => (JSON.parse(row) as { readonly id: number }).id
