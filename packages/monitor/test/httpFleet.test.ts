/**
 * Tests the API of a monitor in a fleet with locations. The error messages of the fleet's database contain the address of the database.
 */
import { assert, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { decodeRunner, type Runner } from "../src/fleet/FleetStatus.ts"
import { layer as fleetStatusLayer } from "../src/fleet/FleetStatusService.ts"
import { Ownership } from "../src/fleet/Ownership.ts"
import { Roster } from "../src/fleet/Roster.ts"
import { HOUR_MS, HourSamples, startOfHour } from "../src/history/HourSamples.ts"
import { layer, Web } from "../src/http/server.ts"
import { Locations } from "../src/locations/Locations.ts"
import type { View } from "../src/locations/View.ts"
import { Store, StoreFailed } from "../src/store/Store.ts"
import { UnreadableRows } from "../src/store/UnreadableRows.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { unknown } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-http-fleet-"))
afterAll(() => rmSync(directory, { recursive: true }))

const NOW = 1_795_000_000_000
const ADDRESS = "db.internal:5432"
const away = Effect.fail(new StoreFailed({ message: `connect ECONNREFUSED ${ADDRESS}` }))

/** Starts a monitor and its API, with these locations and this table of runners. */
const start = Effect.fnUntraced(function* (
  lab: Lab,
  runners: Effect.Effect<ReadonlyArray<Runner>, StoreFailed>,
  locations: Partial<NonNullable<(typeof Locations)["Service"]>> = {}
) {
  const places = {
    alive: () => ["eu", "us"],
    refresh: Effect.void,
    own: undefined,
    views: () => away,
    hours: () => away,
    unreadable: new UnreadableRows(),
    ...locations
  }
  const group = { name: "all", targets: ["127.0.0.1:27015"], locations: ["eu", "us"] as const }
  const { monitor, store } = yield* lab.watch(planFor([group])).pipe(Effect.provideService(Locations, places))
  const ownership = { ...(yield* Ownership), owner: "one:1", isShared: true }
  const services = Context.make(Monitor, monitor).pipe(
    Context.add(Store, store),
    Context.add(Datagrams, lab.network.datagrams),
    Context.add(Ownership, ownership),
    Context.add(Locations, places),
    Context.add(Roster, { report: () => Effect.void, leave: Effect.void, runners })
  )
  const web = layer({ host: "127.0.0.1", port: 0, access: {}, history: true })
  const built = yield* Layer.build(
    web.pipe(
      Layer.provide(fleetStatusLayer({ name: "test", version: "1.0.0" })),
      Layer.provide(Layer.succeedContext(services))
    )
  )
  const { id } = monitor.find("127.0.0.1:27015")!
  const get = (path: string) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${Context.get(built, Web).port}/api/${path}`)
      const text = await response.text()
      assert.notInclude(text, ADDRESS)
      return { status: response.status, body: JSON.parse(text) as Record<string, unknown> }
    })
  return { id, get }
})

it.effect(
  "if the table of runners cannot be read, the status of a fleet contains no error message of the database",
  () =>
    inLab(join(directory, "unreadable.db"), (lab) =>
      Effect.gen(function* () {
        const { get } = yield* start(lab, away)
        const { body } = yield* get("fleet")
        assert.deepInclude(body, {
          shared: true,
          trouble: "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."
        })
        assert.lengthOf(body["runners"] as ReadonlyArray<unknown>, 1)
      })
    )
)

it.effect("the status of a fleet contains the reports of all runners, without the error messages of the database", () =>
  inLab(join(directory, "reports.db"), (lab) =>
    Effect.gen(function* () {
      const report = { upMs: 5, targets: 7, perSecond: 1, waiting: 0, lagMs: 0, lost: 3 }
      const failing = { ...report, storeTrouble: `connect ECONNREFUSED ${ADDRESS}` }
      const { get } = yield* start(
        lab,
        Effect.succeed([
          decodeRunner("one:1", 1, 100, null),
          decodeRunner("two:1", 2, 100, JSON.stringify(failing)),
          decodeRunner("three:1", 3, 100, JSON.stringify(report)),
          decodeRunner("four:1", 4, null, null)
        ])
      )
      const { body } = yield* get("fleet")
      assert.notProperty(body, "trouble")
      const found = body["runners"] as ReadonlyArray<Runner>
      const reports = new Map(found.map((runner) => [runner.name, runner.report]))
      assert.sameMembers([...reports.keys()], ["one:1", "two:1", "three:1", "four:1"])
      assert.match(reports.get("two:1")!.storeTrouble!, /^The monitor cannot write to its store\. It keeps new history/)
      assert.deepStrictEqual([reports.get("two:1")!.lost, reports.get("three:1")], [3, report])
      assert.isUndefined(reports.get("four:1"))
    })
  )
)

it.effect("the details and the samples of a server contain the results of each location", () =>
  inLab(join(directory, "locations.db"), (lab) =>
    Effect.gen(function* () {
      const hour = new HourSamples(startOfHour(NOW))
      hour.add(NOW, { players: 5, bots: 1, rttMs: 12 })
      const lastError = { _tag: "Timeout", message: "No reply." }
      const views: ReadonlyArray<View> = [
        {
          location: "us",
          known: { ...unknown(), state: "down", stateAt: 1, queriedAt: NOW, failures: 2, lastError, hour }
        },
        { location: "eu", known: { ...unknown(), state: "up", stateAt: 1, queriedAt: NOW, last: lastAnswer(NOW) } }
      ]
      const asked: Array<readonly [string, number, number]> = []
      const { get, id } = yield* start(lab, Effect.succeed([]), {
        views: (targets) => Effect.succeed(new Map([[targets[0]!, { views, disagreement: undefined }]])),
        hours: (location, _, from, to) => Effect.sync(() => (asked.push([location, from, to]), []))
      })
      const { locations } = (yield* get(`targets/${id}`)).body as { locations: ReadonlyArray<Record<string, unknown>> }
      assert.deepStrictEqual(
        locations.map(({ counts, location, state }) => [location, state, counts]),
        [
          ["eu", "up", true],
          ["us", "down", true]
        ]
      )
      const { body } = yield* get(`targets/${id}/samples?location=us&from=${NOW - HOUR_MS}&to=${NOW}`)
      assert.deepStrictEqual(asked, [["us", NOW - HOUR_MS, NOW]])
      const samples = body["samples"] as ReadonlyArray<{ readonly players: { readonly max: number } }>
      assert.deepStrictEqual(
        samples.map(({ players }) => players.max),
        [5]
      )
    })
  )
)

it.effect(
  "if the store cannot be read, the details of a server contain no locations, and a request for samples fails",
  () =>
    inLab(join(directory, "away.db"), (lab) =>
      Effect.gen(function* () {
        const { get, id } = yield* start(lab, away)
        const details = yield* get(`targets/${id}`)
        assert.deepStrictEqual([details.status, details.body["locations"]], [200, []])
        const { body, status } = yield* get(`targets/${id}/samples?location=us`)
        assert.strictEqual(status, 503)
        assert.match(String(body["message"]), /^The monitor cannot read its store now\./)
      })
    )
)
