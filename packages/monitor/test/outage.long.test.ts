/** A database that is away for a while, under a monitor that goes on. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { css, info } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"
import { isInstalled, makePostgres } from "./postgres.ts"

const server = isInstalled ? await makePostgres() : undefined
await server?.start()
afterAll(() => server?.remove())

/** Lets time pass for servers in memory, and for the database, which has the time of this machine. */
const passing = (lab: Lab, seconds: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second++) {
      yield* lab.pass(1)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
  })

describe.skipIf(server === undefined)("a database that goes away", () => {
  it.effect("comes back to all that has changed, once and in order", () =>
    inLab(server!.url(), (lab) =>
      Effect.gen(function* () {
        const targets = ["127.0.0.1:27015"]
        const { monitor, store } = yield* lab.watch(planFor([{ name: "all", targets, intervalMs: 1000 }]))
        const maps: Array<string> = []
        let running: Effect.Effect<void> = Effect.void
        const play = Effect.fnUntraced(function* (map: string) {
          yield* running
          running = (yield* lab.serve(27_015, { ...css, info: { ...info, map } })).stop
          maps.push(map)
          while (monitor.find(targets[0]!)!.known.last?.summary.map !== map) yield* passing(lab, 1)
        })
        yield* play("first")
        for (let outage = 0; outage < 3; outage++) {
          yield* play(`before ${outage}`)
          yield* Effect.promise(() => server!.stop())
          yield* play(`during ${outage}`)
          while (monitor.keeper.trouble === undefined) yield* passing(lab, 1)
          yield* Effect.promise(() => server!.start())
          while (monitor.keeper.trouble !== undefined) yield* passing(lab, 1)
        }
        yield* play("last")
        while (monitor.keeper.waiting > 0) yield* passing(lab, 1)
        yield* passing(lab, 3)
        const changes = (yield* store.changes({ limit: 100 })).toReversed().filter(({ field }) => field === "map")
        assert.deepStrictEqual(
          changes.map(({ from, to }) => [from, to]),
          maps.slice(1).map((map, i) => [maps[i]!, map])
        )
        assert.strictEqual(monitor.keeper.lost, 0)
        const said = lab.events.flatMap(({ event, level }) => (event === "store" ? [level] : []))
        assert.deepStrictEqual(said, ["error", "info", "error", "info", "error", "info"])
      })
    )
  )
})
