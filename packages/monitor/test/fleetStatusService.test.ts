/**
 * Tests when a runner writes its report to the table of reports, and how the reports of all runners are combined into the fleet's status.
 * The time is virtual.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { decodeRunner, type Runner } from "../src/fleet/FleetStatus.ts"
import { FleetStatusService, layer } from "../src/fleet/FleetStatusService.ts"
import { Ownership } from "../src/fleet/Ownership.ts"
import { Roster } from "../src/fleet/Roster.ts"
import { StoreFailed } from "../src/store/Store.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-fleet-status-"))
afterAll(() => rmSync(directory, { recursive: true }))

const test = (name: string, use: (lab: Lab) => Effect.Effect<void, unknown, never>) =>
  it.effect(name, () => inLab(join(directory, `${name.replace(/\W/g, "")}.db`), use))

/** Creates a table of reports in memory. */
const makeTable = () => {
  const reports: Array<string> = []
  const table = {
    reports,
    hasLeft: false,
    runners: Effect.succeed([]) as Effect.Effect<ReadonlyArray<Runner>, StoreFailed>
  }
  const roster: NonNullable<(typeof Roster)["Service"]> = {
    report: (report) => Effect.sync(() => void reports.push(report)),
    leave: Effect.sync(() => void (table.hasLeft = true)),
    runners: Effect.suspend(() => table.runners)
  }
  return { table, roster }
}

/**
 * Starts a monitor that monitors one server and uses the table of reports `roster`. Returns the service that combines the reports into a
 * status.
 */
const start = Effect.fnUntraced(function* (lab: Lab, roster: (typeof Roster)["Service"]) {
  yield* lab.serve(27_015)
  const { monitor } = yield* lab.watch(planFor([{ name: "all", targets: ["127.0.0.1:27015"], intervalMs: 1000 }]))
  const context = Context.make(Monitor, monitor).pipe(Context.add(Roster, roster))
  const own = { ...(yield* Ownership), owner: "host-a:1", isShared: roster !== undefined }
  const service = yield* Layer.build(layer({ name: "alone", version: "1.2.3" })).pipe(
    Effect.provideContext(Context.add(context, Ownership, own))
  )
  return Context.get(service, FleetStatusService)
})

describe("a runner of a fleet", () => {
  test("reports its status every two seconds, with the query rate over the last five reports", (lab) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { roster, table } = makeTable()
        yield* start(lab, roster)
        yield* lab.pass(31)
        assert.isAtLeast(table.reports.length, 15)
        assert.isAtMost(table.reports.length, 17)
        const last = JSON.parse(table.reports.at(-1)!) as Record<string, unknown>
        assert.equal(last["version"], "1.2.3")
        assert.equal(last["targets"], 1)
        assert.approximately(last["perSecond"] as number, 1, 0.2)
        assert.approximately(last["upMs"] as number, 30_000, 2000)
        assert.equal(last["lost"], 0)
        assert.notProperty(last, "storeTrouble")
        assert.isFalse(table.hasLeft)
      })
    ))

  test("removes its report when it stops", (lab) =>
    Effect.gen(function* () {
      const { roster, table } = makeTable()
      yield* Effect.scoped(start(lab, roster))
      assert.isTrue(table.hasLeft)
    }))

  test("shows the status of all runners, or its own status and an error if the table of runners cannot be read", (lab) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { roster, table } = makeTable()
        const { status } = yield* start(lab, roster)
        table.runners = Effect.succeed([
          decodeRunner("host-b:1", 40, 100, null),
          decodeRunner("host-a:1", 9, 100, null)
        ])
        yield* lab.pass(2)
        const all = yield* status
        assert.isTrue(all.shared)
        assert.deepEqual(
          all.runners.map(({ alive, name, self, slices }) => [name, alive, self, slices > 9]),
          [
            ["host-a:1", true, true, true],
            ["host-b:1", true, false, true]
          ]
        )
        assert.notProperty(all, "trouble")
        table.runners = Effect.fail(new StoreFailed({ message: "The connection was refused." }))
        // The status is cached for a second.
        assert.lengthOf((yield* status).runners, 2)
        yield* lab.pass(2)
        const own = yield* status
        assert.deepEqual([own.shared, own.trouble], [true, "The connection was refused."])
        assert.deepEqual(
          own.runners.map(({ name }) => name),
          ["host-a:1"]
        )
      })
    ))

  test("reports its configured name even if there are no other runners", (lab) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { status } = yield* start(lab, undefined)
        const { runners, shared } = yield* status
        assert.isFalse(shared)
        assert.deepEqual(
          runners.map(({ alive, name, self, silentMs }) => [name, alive, self, silentMs]),
          [["alone", true, true, 0]]
        )
      })
    ))
})
