/**
 * Tests an instance that has the lock of a slice, although another instance owns the slice according to the store. The real engine of Effect
 * Cluster manages the locks.
 */
import { assert, expect, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { layerOver } from "../src/fleet/Fleet.ts"
import { Ownership } from "../src/fleet/Ownership.ts"
import { layer as fleetStatusLayer, FleetStatusService } from "../src/fleet/FleetStatusService.ts"
import { layer as webLayer, Web } from "../src/http/server.ts"
import { open } from "../src/store/index.ts"
import { SLICES } from "../src/store/slices.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type MonitorEvent } from "../src/watch/Monitor.ts"
import { inLab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-fleet-"))
afterAll(() => rmSync(directory, { recursive: true }))

it.effect(
  "an instance that loses a slice to another instance is not ready until it has claimed this slice again",
  () => {
    const file = join(directory, "taken.db")
    return inLab(file, (lab) =>
      Effect.gen(function* () {
        yield* lab.serve(27_015)
        const onEvent = (event: MonitorEvent): void => void lab.events.push(event)
        const engine = yield* Layer.build(layerOver(RunnerStorage.layerMemory, { host: "one", port: 1 }, onEvent))
        const ownership = Context.get(engine, Ownership)
        const plan = planFor([{ name: "all", targets: ["127.0.0.1:27015"], intervalMs: 1000 }])
        const { monitor, store } = yield* lab.watch(plan, ownership)
        const passUntil = (what: () => boolean, seconds: number) =>
          Effect.gen(function* () {
            for (let second = 0; second < seconds && !what(); second++) yield* lab.pass(1)
            assert.isTrue(what(), `after ${seconds} s`)
          })
        yield* passUntil(() => monitor.slices() === SLICES && monitor.find("127.0.0.1:27015")!.known.state === "up", 60)

        const services = Context.make(Monitor, monitor).pipe(
          Context.add(Store, store),
          Context.add(Ownership, ownership),
          Context.add(Datagrams, lab.network.datagrams)
        )
        const fleetStatus = fleetStatusLayer({ name: "one", version: "1.0.0" })
        const web = webLayer({ host: "127.0.0.1", port: 0, access: {}, history: true })
        const built = yield* Layer.build(
          web.pipe(Layer.provideMerge(fleetStatus), Layer.provide(Layer.succeedContext(services)))
        )
        const get = (path: string) =>
          Effect.promise(() => fetch(`http://127.0.0.1:${Context.get(built, Web).port}${path}`))
        expect((yield* get("/ready")).status).toBe(200)

        // Another instance claims the target's slice without the lock of this slice. An old backup of the store can contain such a claim,
        // too.
        const { slice } = monitor.find("127.0.0.1:27015")!
        const other = Context.get(yield* Layer.build(open(file)), Store)
        yield* other.claim("nobody", [slice])
        yield* passUntil(() => monitor.slices() === SLICES - 1, 5)
        yield* passUntil(() => monitor.unqueried() === 1, 8)
        expect((yield* get("/ready")).status).toBe(503)
        const health = yield* get("/health")
        expect([health.status, yield* Effect.promise(() => health.json())]).toMatchObject([503, { unqueriedSlices: 1 }])
        const metrics = yield* Effect.flatMap(get("/metrics"), (response) => Effect.promise(() => response.text()))
        expect(metrics).toMatch(/^sourcewire_monitor_slices_unqueried 1$/m)
        yield* lab.pass(2)
        expect((yield* Context.get(built, FleetStatusService).status).runners[0]!.report).toMatchObject({
          unqueried: 1
        })

        yield* passUntil(() => monitor.slices() === SLICES, 10)
        expect(lab.events.filter(({ event }) => event === "unqueried-slices")).toMatchObject([{ level: "error" }])
        expect((yield* get("/ready")).status).toBe(200)
        const { queried } = monitor.counters
        yield* lab.pass(5)
        assert.isAtLeast(monitor.counters.queried, queried + 4)
        assert.isUndefined((yield* Context.get(built, FleetStatusService).status).runners[0]!.report!.unqueried)
      })
    )
  }
)
