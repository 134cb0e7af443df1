/** Tests of stores in SQL databases. The databases contain damaged rows, and rows that a newer program has written. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import assert from "node:assert/strict"
import { DAY_MS, HourSamples, startOfHour } from "../src/history/HourSamples.ts"
import { Store, type StoreFailed } from "../src/store/Store.ts"
import { unknown } from "../src/watch/Watched.ts"
import { emptyBatch, lastAnswer } from "./answers.ts"

const NOW = 1_795_000_123_456
const SLICE = 7
const ADDRESSES = ["192.0.2.1:27015", "192.0.2.2:27015", "192.0.2.3:27015"]

type Test = (title: string, run: () => Effect.Effect<void, unknown>) => void

/**
 * Registers the tests of a store in an SQL database. All layers from one call of `fresh` open the same database, which is empty at first.
 * Each layer provides the store and the SQL client of its database.
 */
export const sqlSuite = (test: Test, fresh: () => () => Layer.Layer<Store | SqlClient, StoreFailed>): void => {
  /** Runs a test on a store with three targets, each with a complete state. */
  const filled = <E>(
    use: (store: typeof Store.Service, sql: SqlClient, ids: ReadonlyArray<number>) => Effect.Effect<void, E>
  ) =>
    Effect.gen(function* () {
      const store = yield* Store
      const sql = yield* SqlClient
      yield* store.claim("test", [SLICE])
      yield* store.enlist(
        ADDRESSES.map((address) => ({ address, slice: SLICE, group: "a", labels: {} })),
        NOW
      )
      const watched = yield* store.watched
      const ids = ADDRESSES.map((address) => watched.get(address)!)
      const hour = new HourSamples(startOfHour(NOW))
      hour.add(NOW, { players: 5, bots: 1, rttMs: 12 })
      const known = { ...unknown(), state: "up" as const, stateAt: NOW, queriedAt: NOW, last: lastAnswer(NOW), hour }
      const lastError = { _tag: "Timeout", message: "No reply." }
      yield* store.write({
        ...emptyBatch,
        known: ids.map((target) => ({ slice: SLICE, target, known: { ...known, lastError } }))
      })
      yield* use(store, sql, ids)
    }).pipe(Effect.provide(fresh()(), { local: true }))

  const damages: ReadonlyArray<readonly [column: string, value: string]> = [
    ["answer", "{"],
    ["answer", "null"],
    ["answer", '{"info":7}'],
    ["trouble", "Timeout"],
    ["trouble", "null"],
    ["state", "muted"]
  ]
  for (const [column, value] of damages) {
    test(`ignores the damaged value ${value} in the column ${column} of a target, and reads the other targets`, () =>
      filled((store, sql, [one, two, three]) =>
        Effect.gen(function* () {
          yield* sql`update latest set ${sql(column)} = ${value} where target = ${one!}`
          for (const known of [
            yield* store.known("slices", [SLICE]),
            yield* store.known("targets", [one!, two!, three!])
          ]) {
            assert.deepEqual([...known.keys()].toSorted(), [one, two, three].toSorted())
            assert.equal(known.get(two!)!.state, "up")
            assert.equal(known.get(three!)!.last?.summary.players, lastAnswer(NOW).summary.players)
            const { last, state, lastError } = known.get(one!)!
            const left = { answer: last, trouble: lastError, state: state === "unknown" ? undefined : state }
            assert.equal(left[column as keyof typeof left], undefined)
          }
          assert.deepEqual([...store.unreadable.all()], [["latest", 2]])
          const unreadable = store.unreadable.take()
          assert.deepEqual([unreadable.length, unreadable[0]!.table], [1, "latest"])
          assert.deepEqual(store.unreadable.take(), [])
          // The next result of the target replaces the unreadable row.
          yield* store.write({
            ...emptyBatch,
            known: [{ slice: SLICE, target: one!, known: { ...unknown(), state: "down" } }]
          })
          assert.equal((yield* store.known("targets", [one!])).get(one!)!.state, "down")
          assert.deepEqual([...store.unreadable.all()], [["latest", 2]])
        })
      ))
  }

  test("restores a target even if the samples of its current hour are missing", () =>
    filled((store, sql, [one]) =>
      Effect.gen(function* () {
        yield* sql`update latest set samples = null where target = ${one!}`
        const known = (yield* store.known("targets", [one!])).get(one!)!
        assert.deepEqual([known.state, known.hour], ["up", undefined])
      })
    ))

  test("skips unreadable records of queries in flight", () =>
    filled((store, sql, [one]) =>
      Effect.gen(function* () {
        yield* store.noteInFlight("well", [one!], NOW + 5)
        for (const [owner, targets] of [
          ["cut", "[1,2"],
          ["odd", '["a"]'],
          ["none", "null"]
        ] as const) {
          yield* sql`insert into under_way ${sql.insert({ owner, location: 0, at: NOW + 9, targets })}`
        }
        assert.equal((yield* store.known("targets", [one!])).get(one!)!.queriedAt, NOW + 5)
        assert.deepEqual([...store.unreadable.all()], [["under_way", 3]])
      })
    ))

  test("returns a change even if this version does not support the changed field", () =>
    filled((store, sql, [one]) =>
      Effect.gen(function* () {
        const change = { target: one!, at: NOW, was: "", became: "x" }
        yield* sql`insert into change ${sql.insert({ ...change, id: 1, field: "mood" })}`
        yield* sql`insert into change ${sql.insert({ ...change, id: 2, field: "map" })}`
        assert.deepEqual(
          (yield* store.changes({ limit: 9 })).map(({ field, id }) => [id, field]),
          [
            [2, "map"],
            [1, "mood"]
          ]
        )
      })
    ))

  test("counts the attempts to read a source, and resets this count when the list of the source is stored or removed", () =>
    filled((store) =>
      Effect.gen(function* () {
        assert.equal(yield* store.unfinishedReading("a"), undefined)
        yield* store.beginReading("a", NOW)
        yield* store.beginReading("b", NOW)
        yield* store.beginReading("a", NOW + 5)
        assert.deepEqual(yield* store.unfinishedReading("a"), { attempts: 2, beganAt: NOW + 5 })
        yield* store.saveList({ source: "a", text: "" }, [], [], NOW)
        assert.equal(yield* store.unfinishedReading("a"), undefined)
        yield* store.dropLists(["a"])
        assert.equal(yield* store.unfinishedReading("b"), undefined)
      })
    ))

  const keep = { fineDays: 30, hourlyDays: 730, changeDays: 365 }
  const changeAt = (target: number, at: number, to = "x") =>
    ({ slice: SLICE, id: 0, target, at, field: "map", from: "", to }) as const
  const samplesAt = (at: number): HourSamples => {
    const samples = new HourSamples(startOfHour(at))
    samples.add(at, { players: 5, bots: 1, rttMs: 12 })
    return samples
  }

  test("removes history only after a week if the clock is far ahead", () =>
    filled((store, _sql, [one]) =>
      Effect.gen(function* () {
        const hours = [0, 10, 29].map((days) => ({
          slice: SLICE,
          target: one!,
          samples: samplesAt(NOW - days * DAY_MS)
        }))
        yield* store.write({ ...emptyBatch, hours, changes: [changeAt(one!, NOW - 100 * DAY_MS), changeAt(one!, NOW)] })
        assert.equal(yield* store.prune(keep, NOW, 60_000), undefined)
        const wrong = NOW + 500 * DAY_MS
        // The clock is now 500 days ahead. Rows with this wrong time are stored before the store removes old
        // rows.
        yield* store.write({
          ...emptyBatch,
          hours: [{ slice: SLICE, target: one!, samples: samplesAt(wrong) }],
          changes: [changeAt(one!, wrong)]
        })
        const wait = yield* store.prune(keep, wrong, 3_600_000)
        assert.deepEqual(wait, { aheadMs: 500 * DAY_MS, waitMs: 7 * DAY_MS - 3_600_000 })
        const fine = Effect.map(
          store.hours(one!, 0, wrong),
          (all) => all.filter(({ fine }) => fine !== undefined).length
        )
        assert.deepEqual([yield* fine, (yield* store.changes({ limit: 9 })).length], [4, 3])
        // In this run, the clock is correct again, and no row is old enough to be removed.
        assert.equal(yield* store.prune(keep, NOW + 3_600_000, 3_600_000), undefined)
        assert.deepEqual([yield* fine, (yield* store.changes({ limit: 9 })).length], [4, 3])
        // If the clock has been ahead for a whole week, the store trusts the clock and removes old rows.
        assert.notEqual(yield* store.prune(keep, wrong, 0), undefined)
        assert.notEqual(yield* store.prune(keep, wrong + 6 * DAY_MS, 6 * DAY_MS), undefined)
        assert.equal(yield* store.prune(keep, wrong + 7 * DAY_MS, DAY_MS), undefined)
        assert.deepEqual([yield* fine, (yield* store.changes({ limit: 9 })).length], [1, 1])
      })
    ))

  test("removes old rows even if the store contains many rows with a time in the future", () =>
    filled((store, _sql, [one]) =>
      Effect.gen(function* () {
        const wrong = Array.from({ length: 2100 }, (_, i) => changeAt(one!, NOW + 9000 * DAY_MS + i))
        const old = Array.from({ length: 2100 }, (_, i) => changeAt(one!, NOW - 366 * DAY_MS + i))
        yield* store.write({ ...emptyBatch, changes: wrong })
        yield* store.write({ ...emptyBatch, changes: old })
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, NOW)] })
        yield* store.prune(keep, NOW, 0)
        const left = yield* store.changes({ limit: 5000 })
        assert.deepEqual([left.length, left[0]!.at], [2101, NOW])
      })
    ))

  test("assigns increasing safe integers to changes, even after the clock showed the year 2286", () =>
    filled((store, sql, [one, two]) =>
      Effect.gen(function* () {
        const late = 9_999_999_999_999
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, late, "a"), changeAt(two!, late, "b")] })
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, late + 1, "c")] })
        const ids = (yield* store.changes({ limit: 9 })).map(({ id }) => id)
        assert.equal(new Set(ids).size, 3)
        assert.ok(ids.every((id) => Number.isSafeInteger(id)))
        // When the clock is correct again, the next changes have larger numbers than the changes of the year
        // 2286. Therefore the store returns them first.
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, NOW, "d")] })
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, NOW, "d")] })
        assert.deepEqual(
          (yield* store.changes({ limit: 9 })).map(({ to }) => to),
          ["d", "c", "b", "a"]
        )
        // An older program may have stored a number that is larger than the maximum safe integer.
        yield* sql`insert into change (id, target, at, was, became, field)
          values (9999999999999999, ${one!}, ${late}, '', 'z', 'map')`
        yield* store.write({ ...emptyBatch, changes: [changeAt(one!, NOW + 1, "e")] })
        assert.deepEqual(
          (yield* store.changes({ limit: 2 })).map(({ to }) => to),
          ["e", "d"]
        )
      })
    ))
}
