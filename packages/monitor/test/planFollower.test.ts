/** Tests an instance that adopts the plan of another instance. If the store fails, the instance tries again. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SteamCounts } from "@sourcewire/verdict"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type Plan, parsePlan } from "../src/config/Config.ts"
import { fromText, NOTHING, toText } from "../src/sources/FoundList.ts"
import { layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { PlanFollower } from "../src/watch/PlanFollower.ts"
import { planFor } from "./lab.ts"

const groups = [{ name: "all", targets: ["192.0.2.1:1"], sources: [{ file: "a" }, { file: "b" }] }]
const [a, b] = planFor(groups).sources.map(({ key }) => key) as [string, string]
const makeList = (address: string) => ({ ...NOTHING, missing: new Map([[address, 0]]) })

/**
 * Returns a `PlanFollower`, and an array with the targets of each plan that the follower has adopted. The first
 * `state.fails` attempts to adopt a plan fail.
 */
const start = Effect.gen(function* () {
  const state = { fails: 0, published: 1, stored: new Array<{ source: string; version: number; text: string }>() }
  const adopted: Array<ReadonlyArray<string>> = []
  const store: typeof Store.Service = {
    ...(yield* Store),
    published: (version) =>
      Effect.succeed(
        version === state.published ? undefined : { version: state.published, config: JSON.stringify({ groups }) }
      ),
    // The other instance, which reads the lists of the sources, has already added the servers of these lists to the store.
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
  it.effect("is adopted once, even if the first attempt fails", () =>
    Effect.gen(function* () {
      const { adopted, follower, state } = yield* start
      state.fails = 1
      assert.strictEqual((yield* Effect.flip(follower.followOthers()))._tag, "StoreFailed")
      yield* follower.followOthers()
      yield* follower.followOthers()
      assert.deepStrictEqual(adopted, [["192.0.2.1:1"]])

      state.stored = [{ source: a, version: 1, text: toText(makeList("192.0.2.2:2")) }]
      state.fails = 1
      yield* Effect.flip(follower.followOthers())
      yield* follower.followOthers()
      assert.deepStrictEqual(adopted.slice(1), [["192.0.2.1:1", "192.0.2.2:2"]])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.effect(
    "contains the new list of the other instance, even if this instance first stores the list of another source",
    () =>
      Effect.gen(function* () {
        const { adopted, follower, state } = yield* start
        yield* follower.followOthers()
        yield* follower.saveList(b, NOTHING)
        state.stored = [{ source: a, version: 1, text: toText(makeList("192.0.2.2:2")) }]
        yield* follower.saveList(b, NOTHING)
        yield* follower.followOthers()
        assert.deepStrictEqual(adopted.at(-1), ["192.0.2.1:1", "192.0.2.2:2"])
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it("is adopted without the settings that this version does not support", () => {
    const own = { query: "all", verdicts: true, rconPasswordFile: "/run/secrets/rcon" } as const
    const [group] = planFor([{ ...groups[0]!, ...own }]).config.groups
    const published = JSON.stringify({ groups: [{ ...group, newer: 1 }], defaults: { newer: 2 }, newer: 3 })
    const plan = Result.getOrThrow(parsePlan(published))
    assert.include(plan.groups.get("all"), { rconPasswordFile: "/run/secrets/rcon", verdicts: true })
    assert.deepStrictEqual([plan.hasConsoles, plan.hasVerdicts], [true, true])
    assert.notInclude(JSON.stringify(plan.config), "newer")
  })

  it("the stored text of a list contains Steam's player counts; fields that this version does not support are ignored", () => {
    const counts = new SteamCounts()
    counts.add({ addr: "192.0.2.2:2", players: 24, bots: 3, secure: true })
    const text = toText({ ...makeList("192.0.2.2:2"), counted: { from: 1, to: 2, counts } })
    const list = fromText(JSON.stringify({ ...(JSON.parse(text) as object), newer: 1 }))
    assert.notProperty(list, "newer")
    assert.deepInclude(list.counted, { from: 1, to: 2 })
    assert.deepStrictEqual(list.counted!.counts.get("192.0.2.2:2"), { players: 24, bots: 3, secure: true })
    assert.isUndefined(list.counted!.counts.get("192.0.2.1:1"))
    assert.throws(() => fromText(text.replace('"from":1', '"from":null')))
  })
})
