/** What is watched where others say it, and where the store fails in between. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Plan } from "../src/config/Config.ts"
import { NOTHING, toText } from "../src/sources/FoundList.ts"
import { layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { PlanFollower } from "../src/watch/PlanFollower.ts"
import { planFor } from "./lab.ts"

const groups = [{ name: "all", targets: ["192.0.2.1:1"], sources: [{ file: "a" }, { file: "b" }] }]
const [a, b] = planFor(groups).sources.map(({ key }) => key) as [string, string]
const listOf = (address: string) => ({ ...NOTHING, missing: new Map([[address, 0]]) })

/** Follows what others have published, and gives the plans that it has adopted; `state.fails` times that does not work. */
const start = Effect.gen(function* () {
  const state = { fails: 0, published: 1, stored: new Array<{ source: string; version: number; text: string }>() }
  const adopted: Array<ReadonlyArray<string>> = []
  const store: typeof Store.Service = {
    ...(yield* Store),
    published: (version) =>
      Effect.succeed(
        version === state.published ? undefined : { version: state.published, config: JSON.stringify({ groups }) }
      ),
    // Who keeps a list has entered its servers already.
    watched: Effect.succeed(new Map(["192.0.2.1:1", "192.0.2.2:2"].map((address, i) => [address, i + 1]))),
    lists: (after) => Effect.succeed(state.stored.filter(({ version }) => version > after))
  }
  const adopt = ({ targets }: Plan) =>
    state.fails-- > 0
      ? Effect.fail(new StoreFailed({ message: "away" }))
      : Effect.sync(() => void adopted.push([...targets.keys()]))
  return { state, adopted, follower: new PlanFollower({ store, isShared: true, now: () => 0, adopt }) }
})

describe("the plan of another instance", () => {
  it.effect("is followed once the store is readable again, and then only once", () =>
    Effect.gen(function* () {
      const { adopted, follower, state } = yield* start
      state.fails = 1
      assert.strictEqual((yield* Effect.flip(follower.followOthers()))._tag, "StoreFailed")
      yield* follower.followOthers()
      yield* follower.followOthers()
      assert.deepStrictEqual(adopted, [["192.0.2.1:1"]])

      state.stored = [{ source: a, version: 1, text: toText(listOf("192.0.2.2:2")) }]
      state.fails = 1
      yield* Effect.flip(follower.followOthers())
      yield* follower.followOthers()
      assert.deepStrictEqual(adopted.slice(1), [["192.0.2.1:1", "192.0.2.2:2"]])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.effect("is followed when it arrives while an unchanged list of our own is stored", () =>
    Effect.gen(function* () {
      const { adopted, follower, state } = yield* start
      yield* follower.followOthers()
      yield* follower.keepList(b, NOTHING)
      state.stored = [{ source: a, version: 1, text: toText(listOf("192.0.2.2:2")) }]
      yield* follower.keepList(b, NOTHING)
      yield* follower.followOthers()
      assert.deepStrictEqual(adopted.at(-1), ["192.0.2.1:1", "192.0.2.2:2"])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
