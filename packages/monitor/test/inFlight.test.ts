/** Tests which targets in flight an instance records in the store, and when the instance removes them from the record. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { StoreWriter } from "../src/watch/StoreWriter.ts"
import { InFlight } from "../src/watch/InFlight.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { planFor } from "./lab.ts"

const group = [...planFor([{ name: "all", targets: ["192.0.2.1:1"] }]).targets.values()][0]!
const makeTarget = (id: number): Watched =>
  new Watched(id, `192.0.2.${id}:1`, { host: `192.0.2.${id}`, port: 1 }, group, unknown())

describe("targets in flight", () => {
  it.effect(
    "are recorded together after a short delay, and are removed from the record after their results are stored",
    () =>
      Effect.gen(function* () {
        const noted: Array<string> = []
        const state = { isUnavailable: false, isHeld: false, intervalMs: 6000 }
        const none = yield* Store
        const store: typeof Store.Service = {
          ...none,
          noteInFlight: (_owner, targets, _at, isMore) =>
            state.isUnavailable
              ? Effect.fail(new StoreFailed({ message: "away" }))
              : Effect.sync(() => void noted.push(`${isMore === true ? "more" : "all"} ${String(targets)}`))
        }
        const writer = new StoreWriter({ store, onEvent: () => undefined, onLost: () => undefined })
        const [one, two, foreign, three] = [1, 2, 3, 4].map(makeTarget) as [Watched, Watched, Watched, Watched]
        const isOwn = (target: Watched): boolean => target !== foreign
        const inFlight = new InFlight({
          store,
          writer,
          owner: "test",
          isOwn,
          isHeld: () => state.isHeld,
          intervalMs: () => state.intervalMs
        })
        yield* Effect.forkChild(inFlight.noteAll)
        const pass = TestClock.adjust("40 millis")
        yield* pass
        assert.deepStrictEqual(noted, [])

        for (const target of [one, two, foreign]) inFlight.begin(target)
        yield* pass
        // A complete record lists all targets in flight. Until the next complete record, the instance records only new targets.
        for (const target of [three, foreign]) inFlight.begin(target)
        yield* pass
        inFlight.begin(foreign)
        yield* pass
        assert.deepStrictEqual(noted, ["all 1,2", "more 4"])

        // The result of one of these targets is not stored yet.
        inFlight.end(one)
        inFlight.end(three)
        writer.touch(one)
        yield* TestClock.adjust("250 millis")
        inFlight.begin(foreign)
        yield* pass
        yield* writer.flush
        yield* TestClock.adjust("250 millis")
        inFlight.begin(foreign)
        yield* pass
        assert.deepStrictEqual(noted.slice(2), ["all 2,1", "all 2"])

        // While queries are suspended or the store is unavailable, no targets are recorded. When the store is available again, the instance
        // writes a complete record.
        state.isHeld = true
        inFlight.begin(one)
        yield* pass
        state.isHeld = false
        state.isUnavailable = true
        inFlight.begin(one)
        yield* pass
        state.isUnavailable = false
        inFlight.begin(one)
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(noted.slice(4), ["all 2,1"])

        // If the query interval is a minute, the time between two records is 150 ms.
        state.intervalMs = 60_000
        inFlight.begin(three)
        yield* TestClock.adjust("1 second")
        inFlight.begin(one)
        yield* pass
        inFlight.begin(three)
        yield* TestClock.adjust("100 millis")
        const soon = noted.length
        yield* TestClock.adjust("40 millis")
        assert.deepStrictEqual([soon, noted.slice(5)], [7, ["all 2,1,4", "all 2,1,4", "more 4"]])
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
