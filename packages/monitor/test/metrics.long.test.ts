/** Measures how long a scrape of the metrics of many servers takes over a real socket on loopback. */
import { it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { layer as fleetStatusLayer } from "../src/fleet/FleetStatusService.ts"
import { layer, Web } from "../src/http/server.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { lastAnswer } from "./answers.ts"
import { inLab, planFor } from "./lab.ts"

const SERVERS = 40_000

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

it.effect(
  "a scrape of 40,000 servers takes less than three seconds, and does not delay requests to /live",
  () =>
    inLab(":memory:", (lab) =>
      Effect.gen(function* () {
        const targets = Array.from({ length: SERVERS }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:27015`)
        // The virtual clock does not advance, so no target is queried.
        const plan = planFor([{ name: "all", targets, labels: { region: "eu" }, intervalMs: 86_400_000 }])
        const { monitor, store } = yield* lab.watch(plan)
        for (const target of monitor.targets.values()) {
          const last = lastAnswer(1)
          const name = `Server ${target.id}`
          // As in a real monitor, each target has a separate reply object.
          const answer = structuredClone(last.answer)
          Object.assign(target.known, { state: "up", last: { ...last, answer, summary: { ...last.summary, name } } })
        }
        const services = Context.make(Monitor, monitor).pipe(
          Context.add(Store, store),
          Context.add(Datagrams, lab.network.datagrams)
        )
        const web = layer({ host: "127.0.0.1", port: 0, access: {}, history: true }).pipe(
          Layer.provide(fleetStatusLayer({ name: "test", version: "1.0.0" })),
          Layer.provide(Layer.succeedContext(services))
        )
        const { port } = Context.get(yield* Layer.build(web), Web)
        const url = `http://127.0.0.1:${port}`
        yield* Effect.promise(async () => {
          const scrapes: Array<number> = []
          const waits: Array<number> = []
          for (let round = 0; round < 5; round++) {
            const state = { isScraping: true }
            const began = performance.now()
            const scrape = fetch(`${url}/metrics`, { headers: { "accept-encoding": "gzip" } }).then(
              async (response) => {
                expect(response.headers.get("content-encoding")).toBe("gzip")
                const bytes = new Uint8Array(await response.arrayBuffer())
                scrapes.push(performance.now() - began)
                state.isScraping = false
                return bytes
              }
            )
            while (state.isScraping) {
              const asked = performance.now()
              await (await fetch(`${url}/live`)).text()
              waits.push(performance.now() - asked)
              await new Promise((resolve) => setTimeout(resolve, 10))
            }
            const text = new TextDecoder().decode(await scrape)
            expect(text.split("\n").filter((line) => line.startsWith("sourcewire_server_players{"))).toHaveLength(
              SERVERS
            )
          }
          // The limit is high, because the test's client runs in the process of the monitor, and because other tests use the CPU at the
          // same time.
          expect(median(scrapes)).toBeLessThan(3000)
          expect(median(waits)).toBeLessThan(100)
        })
      })
    ),
  120_000
)
