/** The tests that every store must pass, with any database. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import assert from "node:assert/strict"
import { HOUR_MS, startOfHour, HourSamples, MOST_PLAYERS } from "../src/history/HourSamples.ts"
import type { CurrentFinding } from "../src/store/findings.ts"
import {
  type Change,
  type NewTarget,
  type WithSlice,
  Store,
  type StoredHour,
  type StoreFailed
} from "../src/store/Store.ts"
import { type Known, unknown } from "../src/watch/Watched.ts"
import { emptyBatch, lastAnswer } from "./answers.ts"

const DAY_MS = 24 * HOUR_MS
const NOW = 1_795_000_123_456
const ONE = { address: "192.0.2.1:27015", slice: 7, group: "a", labels: { region: "eu" } }
const TWO = { address: "game.example:27016", slice: 8, group: "b", labels: {} }

const OURS = [ONE.slice, TWO.slice]
const keep = { fineDays: 30, hourlyDays: 730, changeDays: 365 }

const samplesAt = (at: number, players = 5): HourSamples => {
  const samples = new HourSamples(startOfHour(at))
  samples.add(at, { players, bots: 1, rttMs: 12.345 })
  samples.add(at, undefined)
  return samples
}

const changeAt = (target: number, at: number, to = "x"): WithSlice<Change> => ({
  slice: ONE.slice,
  id: at * 1000,
  target,
  at,
  field: "map",
  from: "",
  to
})

/** Adds targets to the store, and returns their numbers and states by address. */
const enlist = Effect.fnUntraced(function* (
  store: typeof Store.Service,
  targets: ReadonlyArray<NewTarget> = [ONE, TWO]
) {
  yield* store.enlist(targets, NOW)
  const known = yield* store.known("slices", [ONE.slice, TWO.slice])
  return new Map(Array.from(yield* store.watched, ([address, id]) => [address, { id, known: known.get(id) }]))
})
/** Removes the slice from a change, because the store returns changes without slices. */
const read = ({ at, field, from, id, target, to }: Change): Change => ({ id, target, at, field, from, to })

/** Adds two targets to the store, and returns the number of the first target. */
const first = (store: typeof Store.Service) => Effect.map(enlist(store), (stored) => stored.get(ONE.address)!.id)

/** Registers a test with a test runner, or with a program on another runtime. */
type Test = (title: string, run: () => Effect.Effect<void, unknown>) => void

/** Registers the tests of a store. All layers from one call of `fresh` open the same store, which is empty at first. */
export const storeSuite = (
  test: Test,
  fresh: () => () => Layer.Layer<Store, StoreFailed>,
  { keepsFindings = true }: { readonly keepsFindings?: boolean } = {}
): void => {
  /** Returns a function that opens a store and runs a program with it. All calls of the returned function open the same store. */
  const reopening = () => {
    const open = fresh()
    return <A, E>(use: (store: typeof Store.Service) => Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const store = yield* Store
        yield* store.claim("test", OURS)
        return yield* use(store)
      }).pipe(Effect.provide(open(), { local: true }))
  }

  test("restores targets with their complete state", () =>
    Effect.gen(function* () {
      const within = reopening()
      const known: Known = {
        state: "up",
        stateAt: NOW - 1000,
        failures: 1,
        failingAt: NOW - 10,
        queriedAt: NOW,
        last: lastAnswer(NOW - 500),
        lastError: { _tag: "Timeout", message: "Nothing came." },
        hour: samplesAt(NOW),
        earlier: undefined
      }
      const id = yield* within((store) =>
        Effect.gen(function* () {
          const stored = yield* enlist(store)
          assert.strictEqual(stored.get(TWO.address)!.known, undefined)
          const { id } = stored.get(ONE.address)!
          yield* store.write({ ...emptyBatch, known: [{ slice: ONE.slice, target: id, known }] })
          // The list contains more target numbers than a database accepts as parameters of one statement.
          const many = Array.from({ length: 70_000 }, (_, number) => number)
          assert.deepStrictEqual([...(yield* store.known("targets", many)).keys()], [id])
          return id
        })
      )
      const again = yield* within((store) => enlist(store, [ONE]))
      assert.deepStrictEqual([...again.keys()], [ONE.address])
      assert.deepStrictEqual(again.get(ONE.address)!, { id, known })
    }))

  test("does not change if the same batch is written a second time", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const changes = Array.from({ length: 250 }, (_, i) => changeAt(id, NOW + i, `map ${i}`))
        const hours = [{ slice: ONE.slice, target: id, samples: samplesAt(NOW) }]
        const batch = {
          ...emptyBatch,
          known: [{ slice: ONE.slice, target: id, known: unknown() }],
          changes,
          hours,
          positions: new Map([["hook", 5]])
        }
        yield* store.write(batch)
        yield* store.write(batch)
        assert.deepStrictEqual(yield* store.changes({ limit: 1000 }), changes.toReversed().map(read))
        assert.strictEqual((yield* store.hours(id, NOW, NOW)).length, 1)
        assert.strictEqual(yield* store.webhookPosition("hook"), 5)
        yield* store.write({ ...batch, positions: new Map([["hook", 4]]) })
        assert.strictEqual(yield* store.webhookPosition("hook"), 5)
        assert.strictEqual(yield* store.webhookPosition("nobody"), undefined)
      })
    ))

  test("stores a list together with the added and removed targets, and returns all lists that are newer than a given version", () =>
    Effect.gen(function* () {
      const within = reopening()
      const [a, b] = [
        { source: "a", text: "'1'" },
        { source: "b", text: "2" }
      ]
      const ids = yield* within((store) =>
        Effect.gen(function* () {
          yield* store.enlist([ONE], NOW)
          yield* store.saveList(a, [TWO], [], NOW)
          yield* store.saveList(b, [], [ONE.address, "nobody.example:1"], NOW)
          const watched = yield* store.watched
          assert.deepStrictEqual([...watched.keys()], [TWO.address])
          // If a target is removed and added again, it has the same number as before its removal.
          yield* store.saveList({ ...a, text: "3" }, [ONE, TWO], [], NOW)
          assert.strictEqual((yield* store.watched).get(TWO.address), watched.get(TWO.address))
          assert.strictEqual((yield* store.watched).size, 2)
          return watched
        })
      )
      yield* within((store) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* store.watched).get(TWO.address), ids.get(TWO.address))
          const all = yield* store.lists(0)
          assert.deepStrictEqual(
            all.map(({ source, text }) => [source, text]),
            [
              ["b", "2"],
              ["a", "3"]
            ]
          )
          assert.deepStrictEqual(yield* store.lists(all[0]!.version), [all[1]])
          yield* store.dropLists(["b"])
          assert.deepStrictEqual(yield* store.lists(0), [all[0]])
          yield* store.dropLists([])
          assert.deepStrictEqual(yield* store.lists(0), [])
        })
      )
    }))

  test("returns the changes of one target, or all changes whose number is smaller or larger than a given number", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const stored = yield* enlist(store)
        const [one, two] = [stored.get(ONE.address)!.id, stored.get(TWO.address)!.id]
        const changes = [1, 2, 3, 4].map((i) => changeAt(i % 2 === 0 ? one : two, NOW + i))
        yield* store.write({ ...emptyBatch, changes })
        const found = (query: Parameters<typeof store.changes>[0]) =>
          Effect.map(store.changes(query), (rows) => rows.map(({ at }) => at - NOW))
        assert.deepStrictEqual(yield* found({ limit: 2 }), [4, 3])
        assert.deepStrictEqual(yield* found({ limit: 9, target: one }), [4, 2])
        assert.deepStrictEqual(yield* found({ limit: 9, before: (NOW + 3) * 1000 }), [2, 1])
        assert.deepStrictEqual(yield* found({ limit: 2, after: (NOW + 1) * 1000 }), [2, 3])
      })
    ))

  test("returns hourly samples unchanged, and removes old samples", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const hours = [0, 29, 31, 729, 731].map((days) => ({
          slice: ONE.slice,
          target: id,
          samples: samplesAt(NOW - days * DAY_MS, days)
        }))
        const changes = [364, 366].map((days) => changeAt(id, NOW - days * DAY_MS))
        yield* store.write({ ...emptyBatch, hours, changes })
        const all = yield* store.hours(id, 0, NOW)
        const newest = hours[0]!.samples
        assert.strictEqual(all.length, 5)
        assert.deepStrictEqual(all.at(-1), {
          hour: startOfHour(NOW),
          total: newest.total(),
          time: newest.totalTime(),
          fine: newest
        })
        yield* store.prune(keep, NOW, 0)
        yield* store.prune(keep, NOW, 0)
        const left = yield* store.hours(id, 0, NOW)
        assert.deepStrictEqual(
          left.map(({ fine, total }) => [total.playersMax, fine !== undefined]),
          [
            [729, false],
            [31, false],
            [29, true],
            [0, true]
          ]
        )
        assert.strictEqual((yield* store.changes({ limit: 9 })).length, 1)
        assert.strictEqual((yield* store.hours(id, NOW - 30 * DAY_MS, NOW - DAY_MS)).length, 1)
      })
    ))

  test("removes old rows, even if there are thousands of them", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const changes = Array.from({ length: 4500 }, (_, i) => changeAt(id, NOW - 400 * DAY_MS + i))
        yield* store.write({ ...emptyBatch, changes: [...changes, changeAt(id, NOW)] })
        yield* store.prune(keep, NOW, 0)
        assert.deepStrictEqual(
          (yield* store.changes({ limit: 2 })).map(({ at }) => at),
          [NOW]
        )
      })
    ))

  test("rejects all rows of a batch from an earlier owner of the slice", () =>
    Effect.gen(function* () {
      const open = fresh()
      const [earlier, later] = [open(), open()]
      yield* Effect.gen(function* () {
        const old = yield* Store
        yield* old.claim("first", OURS)
        const id = yield* first(old)
        yield* Effect.gen(function* () {
          const taken = yield* Store
          assert.deepStrictEqual(yield* taken.claim("second", OURS), OURS)
          assert.deepStrictEqual(yield* old.write({ ...emptyBatch, changes: [changeAt(id, NOW)] }), OURS)
          assert.deepStrictEqual(yield* old.write(emptyBatch), [])
          assert.deepStrictEqual(yield* taken.changes({ limit: 1 }), [])
          yield* taken.write({ ...emptyBatch, changes: [changeAt(id, NOW + 1)] })
          assert.strictEqual((yield* taken.changes({ limit: 9 })).length, 1)
        }).pipe(Effect.provide(later, { local: true }))
      }).pipe(Effect.provide(earlier, { local: true }))
    }))

  test("rejects a write with an old epoch, even if the same owner has claimed the slice again", () =>
    Effect.gen(function* () {
      const open = fresh()
      // Instance A opens the store and is frozen. Then instance B opens the store. Finally, A is restarted and opens the store again.
      const [before, other, after] = [open(), open(), open()]
      const program = Effect.gen(function* () {
        const old = yield* Store
        yield* old.claim("A", OURS)
        const id = yield* first(old)
        yield* Effect.gen(function* () {
          yield* (yield* Store).claim("B", OURS)
          yield* Effect.gen(function* () {
            const now = yield* Store
            assert.deepStrictEqual((yield* now.claim("A", OURS)).toSorted(), OURS)
            yield* now.write({ ...emptyBatch, changes: [changeAt(id, NOW + 2, "now")] })
            // This write has the name of the current owner, but an old epoch.
            assert.deepStrictEqual(
              (yield* old.write({ ...emptyBatch, changes: [changeAt(id, NOW, "old")] })).toSorted(),
              OURS
            )
            assert.deepStrictEqual(
              (yield* now.changes({ limit: 9 })).map(({ to }) => to),
              ["now"]
            )
            assert.deepStrictEqual(yield* now.write(emptyBatch), [])
          }).pipe(Effect.provide(after, { local: true }))
        }).pipe(Effect.provide(other, { local: true }))
      })
      yield* Effect.provide(program, before, { local: true })
    }))

  test("does not change a stored reply if a batch omits this reply", () =>
    Effect.gen(function* () {
      yield* reopening()((store) =>
        Effect.gen(function* () {
          const target = yield* first(store)
          const before: Known = { ...unknown(), state: "up", queriedAt: NOW, last: lastAnswer(NOW) }
          const after: Known = { ...before, queriedAt: NOW + 1, last: { ...lastAnswer(NOW + 1), rttMs: 7 } }
          const row = { target, slice: ONE.slice }
          yield* store.write({ ...emptyBatch, known: [{ ...row, known: before }] })
          const silent = { ...after, last: { ...after.last!, answer: { info: undefined as never } } }
          yield* store.write({ ...emptyBatch, known: [{ ...row, known: silent, hasAnswer: true }] })
          assert.deepEqual((yield* store.known("targets", [target])).get(target), after)
        })
      )
    }))

  test("returns the time of a query in flight until the result is stored, or until the query is older than a day", () =>
    Effect.gen(function* () {
      yield* reopening()((store) =>
        Effect.gen(function* () {
          const [one, two] = [...(yield* enlist(store)).values()].map(({ id }) => id)
          const queriedAt = Effect.map(store.known("slices", OURS), (known) =>
            [one!, two!].map((id) => known.get(id)?.queriedAt)
          )
          yield* store.noteInFlight("test", [one!, two!], NOW - 5)
          yield* store.noteInFlight("test", [one!], NOW)
          yield* store.noteInFlight("another", [one!], NOW - 1)
          assert.deepEqual(yield* queriedAt, [NOW, undefined])
          for (const some of [[], [two!], []]) yield* store.noteInFlight("more", some, NOW - 3, true)
          assert.deepEqual(yield* queriedAt, [NOW, NOW - 3])
          yield* store.noteInFlight("more", [], NOW - 3)
          yield* store.noteInFlight("more", [two!], NOW - 2, true)
          yield* store.noteInFlight("more", [one!], NOW + 1, true)
          assert.deepEqual(yield* queriedAt, [NOW + 1, NOW + 1])
          yield* store.noteInFlight("more", [], NOW)
          assert.deepEqual((yield* store.known("targets", [two!])).size, 0)
          const known = { ...unknown(), queriedAt: NOW + 1 }
          yield* store.write({ ...emptyBatch, known: [{ target: one!, slice: ONE.slice, known }] })
          assert.deepEqual(yield* queriedAt, [NOW + 1, undefined])
          yield* store.noteInFlight("another", [two!], NOW)
          yield* store.prune(keep, NOW + DAY_MS + 1, 0)
          assert.deepEqual(yield* queriedAt, [NOW + 1, undefined])
        })
      )
    }))

  test("stores how long a target was in each state in each hour, and returns sums over several hours", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const hour = startOfHour(NOW)
        const samples = [0, 1, 2].map((index) => {
          const one = samplesAt(hour + index * HOUR_MS)
          one.addTime("up", one.hour, one.hour + 1_000_000)
          one.addTime("down", one.hour + 1_000_000, one.hour + 1_500_000 + index)
          one.addTime("muted", one.hour + 2_000_000, one.hour + 2_000_007)
          return { slice: ONE.slice, target: id, samples: one }
        })
        yield* store.write({ ...emptyBatch, hours: samples })
        const [stored] = yield* store.hours(id, hour, hour)
        assert.deepStrictEqual(stored!.time, { up: 1_000_000, down: 500_000, muted: 7 })
        assert.deepStrictEqual(stored!.fine!.totalTime(), stored!.time)
        const sums = (from: number, to: number) =>
          Effect.map(store.stateTime([id, id + 1000], hour + from * HOUR_MS, hour + to * HOUR_MS), (found) => [
            ...found
          ])
        assert.deepStrictEqual(yield* sums(0, 3), [[id, { up: 3_000_000, down: 1_500_003, muted: 21 }]])
        assert.deepStrictEqual(yield* sums(1, 2), [[id, { up: 1_000_000, down: 500_001, muted: 7 }]])
        assert.deepStrictEqual(yield* sums(3, 9), [])
      })
    ))

  test("stores each incident once, with its end", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const stored = yield* enlist(store)
        const [one, two] = [stored.get(ONE.address)!.id, stored.get(TWO.address)!.id]
        const begun = {
          from: NOW,
          noticedAt: NOW + 15,
          reason: "Timeout",
          message: "No reply\0.",
          players: 7,
          map: "de_dust2",
          isMuted: false
        }
        const locations = [{ location: "eu", reason: "Timeout" }]
        const mine = { slice: ONE.slice, target: one, ...begun }
        yield* store.write({ ...emptyBatch, incidents: [mine] })
        // When the end of an incident is written, the other stored fields do not change. When the start is
        // written again, no stored field changes.
        const ended = { ...mine, noticedAt: 0, players: 0, to: NOW + 100 }
        yield* store.write({ ...emptyBatch, incidents: [ended] })
        yield* store.write({ ...emptyBatch, incidents: [mine] })
        // The second incident begins and ends within one batch. The third incident belongs to a slice of another owner, so the store does
        // not write it.
        const second = { ...mine, target: two, slice: TWO.slice, from: NOW + 50, locations }
        yield* store.write({ ...emptyBatch, incidents: [second, { ...second, to: NOW + 60, map: "x" }] })
        yield* store.write({ ...emptyBatch, incidents: [{ ...mine, slice: 250, from: NOW + 70 }] })
        const read = (query: object) => store.incidents({ limit: 10, ...query })
        const all = yield* read({})
        const of = { ...begun, message: "No reply." }
        assert.deepStrictEqual(all, [
          {
            target: two,
            address: TWO.address,
            group: TWO.group,
            isWatched: true,
            ...of,
            from: NOW + 50,
            to: NOW + 60,
            locations
          },
          { target: one, address: ONE.address, group: ONE.group, isWatched: true, ...of, to: NOW + 100 }
        ])
        const found = (query: object) => Effect.map(read(query), (rows) => rows.map(({ target }) => target))
        assert.deepStrictEqual(yield* found({ target: one }), [one])
        assert.deepStrictEqual(yield* found({ group: TWO.group }), [two])
        assert.deepStrictEqual(yield* found({ fromMs: NOW + 61 }), [one])
        assert.deepStrictEqual(yield* found({ toMs: NOW + 50 }), [one])
        assert.deepStrictEqual(yield* found({ after: { from: NOW + 50, target: two } }), [one])
        assert.deepStrictEqual(yield* found({ limit: 1 }), [two])
        yield* store.prune(keep, NOW + 366 * DAY_MS, 0)
        assert.deepStrictEqual(yield* read({}), [])
      })
    ))

  test("returns the mutes that last at least until a given time, and can end a mute before its planned end", () =>
    Effect.gen(function* () {
      const within = reopening()
      const mute = { kind: "group" as const, what: "a", from: NOW, until: undefined, note: "moving house" }
      const id = yield* within((store) => store.addMute(mute))
      yield* within((store) =>
        Effect.gen(function* () {
          const other = yield* store.addMute({ ...mute, kind: "server", what: ONE.address, until: NOW + 10 })
          assert.deepStrictEqual(yield* store.mutes(NOW + 11), [{ id, ...mute }])
          assert.strictEqual((yield* store.mutes(NOW + 10)).length, 2)
          assert.strictEqual(yield* store.endMute(id, NOW + 20), true)
          assert.strictEqual(yield* store.endMute(other, NOW + 30), true)
          assert.strictEqual(yield* store.endMute(id + other, NOW), false)
          const ends = (yield* store.mutes(0)).map(({ until }) => until)
          assert.deepStrictEqual(ends, [NOW + 20, NOW + 10])
        })
      )
    }))

  if (keepsFindings) {
    test("ends a finding that was not found again within the given time", () =>
      reopening()((store) =>
        Effect.gen(function* () {
          const id = yield* first(store)
          const kinds = new Set(["redirect", "frozen-play-times"])
          const judge = (at: number, ...findings: ReadonlyArray<CurrentFinding>) =>
            Effect.map(store.judge([{ target: id, findings, kinds }], at, 100), (changes) =>
              changes.map(({ field, from, to }) => [field, from, to])
            )
          const of = (kind: string, strength: CurrentFinding["strength"], observed = "x") => ({
            kind,
            strength,
            observed
          })
          const redirect = of("redirect", "strong")
          assert.deepStrictEqual(yield* judge(NOW, of("redirect", "medium"), of("newer", "strong")), [
            ["finding", "", "newer"]
          ])
          assert.deepStrictEqual(yield* judge(NOW + 10, redirect, of("frozen-play-times", "strong", "a\0b")), [
            ["finding", "", "redirect"],
            ["finding", "", "frozen-play-times"]
          ])
          assert.deepStrictEqual(yield* judge(NOW + 60, redirect), [])
          // The finding `newer` does not end, because its kind is not among the checked kinds.
          assert.deepStrictEqual(yield* judge(NOW + 120, redirect), [["finding", "frozen-play-times", ""]])
          assert.deepStrictEqual(
            (yield* store.findings()).map(({ from, kind, seenAt }) => [kind, from, seenAt]).toSorted(),
            [
              ["newer", NOW, NOW],
              ["redirect", NOW, NOW + 120]
            ]
          )
          const [frozen] = yield* store.findings({ target: id, limit: 1 })
          assert.deepStrictEqual([frozen!.kind, frozen!.from, frozen!.to], ["frozen-play-times", NOW + 10, NOW + 10])
          yield* store.prune(keep, NOW + 366 * DAY_MS, 8 * DAY_MS)
          assert.strictEqual((yield* store.findings({ target: id, limit: 9 })).length, 2)
          // If a target is no longer monitored, its findings are removed together with its history.
          yield* store.enlist([TWO], NOW)
          assert.deepStrictEqual(yield* store.findings(), [])
          yield* store.prune(keep, NOW + 366 * DAY_MS, 0)
          assert.deepStrictEqual(yield* store.findings({ target: id, limit: 9 }), [])
        })
      ))
  }

  test("stores an hour with one query per second, even if the server reports extremely many players", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const samples = new HourSamples(startOfHour(NOW))
        for (let second = 0; second < 3600; second++) {
          samples.add(startOfHour(NOW) + second * 1000, { players: 999_999_999_999_999, bots: 1e15, rttMs: 60_000 })
        }
        yield* store.write({ ...emptyBatch, hours: [{ slice: ONE.slice, target: id, samples }] })
        const [{ fine, total }] = (yield* store.hours(id, NOW, NOW)) as [StoredHour]
        assert.deepStrictEqual(
          { ...total, playersMax: MOST_PLAYERS, playersSum: 3600 * MOST_PLAYERS, rttSum: 216e9 },
          total
        )
        assert.deepStrictEqual(fine?.total(), total)
      })
    ))

  test("stores texts of servers unchanged, except for NUL characters", () =>
    reopening()((store) =>
      Effect.gen(function* () {
        const id = yield* first(store)
        const evil = "'; drop table change; -- \u{1f600} \\ \" \n \u202e ð"
        yield* store.write({ ...emptyBatch, changes: [changeAt(id, NOW, evil)] })
        assert.strictEqual((yield* store.changes({ limit: 1 }))[0]!.to, evil)
        yield* enlist(store, [{ ...ONE, labels: { evil } }])
        yield* store.write({ ...emptyBatch, changes: [changeAt(id, NOW + 1, "a\0b")] })
        assert.ok(["ab", "a\0b"].includes((yield* store.changes({ limit: 1 }))[0]!.to))
      })
    ))
}
