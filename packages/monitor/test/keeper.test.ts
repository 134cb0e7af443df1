/** What waits for a store that cannot be written. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HourSamples } from "../src/history/HourSamples.ts"
import { type Batch, layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { makeKeeper } from "../src/watch/Keeper.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { planFor } from "./lab.ts"

const MOST_WAITING = 100_000
const target = (): Watched => {
  const group = [...planFor([{ name: "all", targets: ["192.0.2.1:1"] }]).targets.values()][0]!
  return new Watched(1, "192.0.2.1:1", { host: "192.0.2.1", port: 1 }, group, unknown())
}

describe("a keeper", () => {
  it.live(
    "holds 100 000 changes and as many hours, loses the oldest of more, counts them, and writes the others when it can",
    () =>
      Effect.gen(function* () {
        let isAway = true
        const written: Array<Batch> = []
        const none = yield* Store
        const store: typeof Store.Service = {
          ...none,
          write: (batch) =>
            isAway ? Effect.fail(new StoreFailed({ message: "away" })) : Effect.sync(() => (written.push(batch), []))
        }
        const watched = target()
        const keeper = makeKeeper(
          store,
          () => undefined,
          () => undefined
        )
        for (let id = 0; id < MOST_WAITING + 7; id++) {
          keeper.add(watched, { id, target: 1, at: id, field: "map", from: "", to: "" })
          if (id % 30_000 === 0) yield* keeper.flush
        }
        for (let hour = 0; hour < MOST_WAITING + 2; hour++) keeper.finish(watched, new HourSamples(hour, []))
        yield* keeper.flush
        assert.deepInclude(keeper, { lost: 9, trouble: "away", waiting: 2 * MOST_WAITING })
        isAway = false
        yield* keeper.flush
        const [{ changes, hours }] = written as [Batch]
        assert.deepStrictEqual([changes[0]!.id, changes.at(-1)!.id], [7, MOST_WAITING + 6])
        assert.deepStrictEqual([hours[0]!.samples.hour, hours.length], [2, MOST_WAITING])
        assert.deepInclude(keeper, { lost: 9, trouble: undefined, waiting: 0 })
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
