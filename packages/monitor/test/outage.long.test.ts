/** Tests a monitor that temporarily cannot write to its store, because the database is unreachable or the disk is full. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { afterAll } from "vitest"
import { smallDisk } from "./smallDisk.ts"
import { css, info } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"
import { isInstalled, makePostgres } from "./postgres.ts"

const server = isInstalled ? await makePostgres() : undefined
await server?.start()
/** The size of the disk is 16 MB. SQLite's write-ahead log grows to 4 MB before SQLite moves the log's contents to the database file. */
const disk = smallDisk(16)
afterAll(async () => {
  disk?.[Symbol.dispose]()
  await server?.remove()
})

/**
 * Advances the virtual clock of the monitor and the servers. After each virtual second, the function waits 20 ms, because the database
 * needs real time.
 */
const passTime = (lab: Lab, seconds: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second++) {
      yield* lab.pass(1)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
  })

/** A store, and functions that begin and end an outage. During an outage, the monitor cannot write to the store. */
interface Outage {
  readonly store: string
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
}

/** Changes the map of a server before, during and after three outages, and checks the stored changes. */
const checkOutages = ({ begin, end, store: where }: Outage) =>
  inLab(where, (lab) =>
    Effect.gen(function* () {
      const targets = ["127.0.0.1:27015"]
      const silent = Array.from({ length: 200 }, (_, i) => `127.0.0.2:${30_000 + i}`)
      const { monitor, store } = yield* lab.watch(
        planFor([
          { name: "all", targets, intervalMs: 1000 },
          // These targets cause many writes per second.
          { name: "silent", targets: silent, intervalMs: 1000, timeoutMs: 200, retries: 0, downAfter: 100 }
        ])
      )
      const maps: Array<string> = []
      let running: Effect.Effect<void> = Effect.void
      const play = Effect.fnUntraced(function* (map: string) {
        yield* running
        running = (yield* lab.serve(27_015, { ...css, info: { ...info, map } })).stop
        maps.push(map)
        while (monitor.find(targets[0]!)!.known.last?.summary.map !== map) yield* passTime(lab, 1)
      })
      yield* play("first")
      for (let outage = 0; outage < 3; outage++) {
        yield* play(`before ${outage}`)
        yield* Effect.promise(async () => begin())
        yield* play(`during ${outage}`)
        while (monitor.writer.error === undefined) yield* passTime(lab, 1)
        yield* Effect.promise(async () => end())
        while (monitor.writer.error !== undefined) yield* passTime(lab, 1)
      }
      yield* play("last")
      while (monitor.writer.waiting > 0) yield* passTime(lab, 1)
      yield* passTime(lab, 3)
      const changes = (yield* store.changes({ limit: 100 })).toReversed().filter(({ field }) => field === "map")
      assert.deepStrictEqual(
        changes.map(({ from, to }) => [from, to]),
        maps.slice(1).map((map, i) => [maps[i]!, map])
      )
      assert.strictEqual(monitor.writer.lost, 0)
      const levels = lab.events.flatMap(({ event, level }) => (event === "store" ? [level] : []))
      assert.deepStrictEqual(levels, ["error", "info", "error", "info", "error", "info"])
    })
  )

describe("after an outage, all changes are stored once and in order", () => {
  it.effect.skipIf(server === undefined)("if the database was unreachable", () =>
    checkOutages({ store: server!.url(), begin: () => server!.stop(), end: () => server!.start() })
  )

  it.effect.skipIf(disk === undefined)("if the disk was full", () =>
    checkOutages({ store: join(disk!.directory, "monitor.db"), begin: () => disk!.fill(), end: () => disk!.free() })
  )
})
