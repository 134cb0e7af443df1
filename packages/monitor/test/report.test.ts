import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeGroup } from "../src/config/Config.ts"
import { HOUR_MS } from "../src/history/HourSamples.ts"
import { makeIncidentReader, parseMark } from "../src/http/incidents.ts"
import { makeReporter } from "../src/http/report.ts"
import type { IncidentQuery, Store, StoredIncident } from "../src/store/Store.ts"
import type { Monitor } from "../src/watch/Monitor.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"

const HOUR = Date.UTC(2026, 10, 23, 12)
const MINUTE = 60_000

const eu = makeGroup({}, "eu", {}, new Map([["192.0.2.2:27015", "Match server"]]))
const us = makeGroup({}, "us", {})

const target = (id: number, group = eu): Watched =>
  new Watched(id, `192.0.2.${id}:27015`, { host: `192.0.2.${id}`, port: 27_015 }, group, unknown())

const incident = (more: Partial<StoredIncident>): StoredIncident => ({
  target: 1,
  address: "192.0.2.1:27015",
  group: "eu",
  from: HOUR,
  noticedAt: HOUR,
  to: HOUR + MINUTE,
  reason: "Timeout",
  message: "No reply.",
  isMuted: false,
  isWatched: true,
  ...more
})

/**
 * Returns a monitor, a store, and a list of calls. The store contains incidents, and the time that each target spent in each state. Each
 * call of the store's function `incidents` adds an element to the list of calls.
 */
const setUp = (
  targets: ReadonlyArray<Watched>,
  times: Readonly<Record<number, readonly [up: number, down: number, muted: number]>>,
  incidents: ReadonlyArray<StoredIncident> = []
) => {
  const queries: Array<IncidentQuery> = []
  const store = {
    stateTime: () =>
      Effect.succeed(
        new Map(Object.entries(times).map(([id, [up, down, muted]]) => [Number(id), { up, down, muted }]))
      ),
    incidents: (query: IncidentQuery) =>
      Effect.sync(() => {
        queries.push(query)
        const { after, limit } = query
        const begin =
          after === undefined
            ? 0
            : incidents.findIndex(({ from, target }) => from === after.from && target === after.target) + 1
        return incidents.slice(begin, begin + limit)
      })
  } as unknown as typeof Store.Service
  const monitor = {
    targets: new Map(targets.map((one) => [one.id, one])),
    refresh: () => Effect.void
  } as unknown as typeof Monitor.Service
  return { monitor, store, queries }
}

const report = (of: ReturnType<typeof setUp>, only?: string, nowMs = HOUR + 10 * HOUR_MS) =>
  makeReporter(of.monitor, of.store)(HOUR, HOUR + 2 * HOUR_MS, only, nowMs)

describe("a report", () => {
  it.effect(
    "lists the servers of a group from the worst to the best, followed by servers that were not monitored",
    () =>
      Effect.gen(function* () {
        const targets = [1, 2, 3, 4, 5].map((id) => target(id))
        const times = {
          1: [HOUR_MS, 0, 0],
          2: [HOUR_MS, HOUR_MS, 0],
          3: [0, 0, HOUR_MS],
          4: [MINUTE, MINUTE, 0],
          5: [HOUR_MS, 0, 0]
        } as const
        const { groups } = yield* report(setUp(targets, times))
        const [group] = groups
        assert.deepStrictEqual(
          group!.servers.map(({ share, target }) => [target, share]),
          [
            [2, 0.5],
            [4, 0.5],
            [1, 1],
            [5, 1],
            [3, undefined]
          ]
        )
        assert.deepInclude(group!.servers[0]!, {
          address: "192.0.2.2:27015",
          name: "Match server",
          upMs: HOUR_MS,
          downMs: HOUR_MS,
          mutedMs: 0,
          unmonitoredMs: 0,
          incidents: 0,
          longestMs: 0
        })
        assert.notProperty(group!.servers[1]!, "name")
        assert.deepInclude(group!, {
          group: "eu",
          upMs: 3 * HOUR_MS + MINUTE,
          downMs: HOUR_MS + MINUTE,
          mutedMs: HOUR_MS,
          unmonitoredMs: 5 * HOUR_MS - 2 * MINUTE
        })
      })
  )

  it.effect(
    "counts only incidents that are not muted, and the longest duration of an incident includes only time within the period",
    () =>
      Effect.gen(function* () {
        const of = setUp([target(1), target(2)], {}, [
          incident({ from: HOUR - 30 * MINUTE, to: HOUR + 5 * MINUTE }),
          incident({ from: HOUR + 10 * MINUTE, to: HOUR + 17 * MINUTE }),
          incident({ target: 2, from: HOUR + HOUR_MS, to: HOUR + 3 * HOUR_MS }),
          incident({ target: 2, from: HOUR + 5, isMuted: true })
        ])
        const [group] = (yield* report(of)).groups
        assert.deepStrictEqual(
          group!.servers.map(({ incidents, longestMs, target }) => [target, incidents, longestMs]),
          [
            [1, 2, 7 * MINUTE],
            [2, 1, HOUR_MS]
          ]
        )
        assert.deepInclude(group!, { incidents: 3, longestMs: HOUR_MS })
      })
  )

  it.effect("includes all incidents, even if the store returns them in several pages", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 1001 }, (_, i) => incident({ from: HOUR + i, to: HOUR + i + 1 }))
      const of = setUp([target(1)], {}, many)
      const [group] = (yield* report(of)).groups
      assert.strictEqual(group!.incidents, 1001)
    })
  )

  it.effect("can be limited to one group", () =>
    Effect.gen(function* () {
      const of = setUp([target(1), target(2, us)], {})
      assert.deepStrictEqual(
        (yield* report(of)).groups.map(({ group }) => group),
        ["eu", "us"]
      )
      assert.deepStrictEqual(
        (yield* report(of, "us")).groups.map(({ group, servers }) => [group, servers.length]),
        [["us", 1]]
      )
      assert.strictEqual(of.queries.at(-1)!.group, "us")
    })
  )

  it.effect("begins and ends on full hours, but does not end in the future", () =>
    Effect.gen(function* () {
      const { monitor, store } = setUp([target(1)], {})
      const period = (from: number, to: number, now: number) =>
        Effect.map(makeReporter(monitor, store)(from, to, undefined, now), (made) => [made.from - HOUR, made.to - HOUR])
      assert.deepStrictEqual(yield* period(HOUR + 5, HOUR + HOUR_MS + 1, HOUR + 9 * HOUR_MS), [0, 2 * HOUR_MS])
      assert.deepStrictEqual(yield* period(HOUR, HOUR + 2 * HOUR_MS, HOUR + MINUTE), [0, MINUTE])
      assert.deepStrictEqual(yield* period(HOUR + 5, HOUR + HOUR_MS, HOUR - MINUTE), [0, 5])
    })
  )
})

describe("a reader of incidents", () => {
  // In the store, every fifth incident has no end.
  const { to: _, ...open } = incident({})
  const incidents = Array.from({ length: 10 }, (__, i): StoredIncident => {
    return i % 5 === 0 ? { ...open, from: HOUR - i } : incident({ from: HOUR - i })
  })
  const down = new Watched(1, "192.0.2.1:27015", { host: "192.0.2.1", port: 27_015 }, eu, {
    ...unknown(),
    state: "down",
    stateAt: HOUR
  })

  it.effect(
    "continues to read incidents until the page is full, even if a filter excludes some of these incidents",
    () =>
      Effect.gen(function* () {
        const { monitor, queries, store } = setUp([down], {}, incidents)
        const read = (query: Parameters<ReturnType<typeof makeIncidentReader>>[0]) =>
          Effect.map(makeIncidentReader(monitor, store)(query, HOUR + 5), (rows) => rows.map(({ from }) => HOUR - from))
        assert.deepStrictEqual(yield* read({ limit: 3 }), [0, 1, 2])
        assert.lengthOf(queries, 1)
        assert.deepStrictEqual(yield* read({ limit: 3, isOngoing: true }), [0])
        assert.deepStrictEqual(yield* read({ limit: 3, isOngoing: false }), [1, 2, 3])
        assert.deepStrictEqual(yield* read({ limit: 3, after: { from: HOUR - 7, target: 1 } }), [8, 9])
      })
  )

  it("parseMark returns the start and the target of the last incident on the previous page", () => {
    assert.deepStrictEqual(parseMark("1795000000000-17"), { from: 1_795_000_000_000, target: 17 })
    assert.isUndefined(parseMark(undefined))
  })
})
