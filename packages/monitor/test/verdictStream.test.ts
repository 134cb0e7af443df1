/** Tests when the monitor combines the results of several locations for a target, and when it reports that the locations disagree. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type JudgedOutcome, verdictStream } from "../src/locations/verdictStream.ts"
import type { View } from "../src/locations/View.ts"
import { StoreFailed } from "../src/store/Store.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const NOW = 1_795_000_000_000

const view = (location: string, state: "up" | "down", queriedAt: number): View => ({
  location,
  known: {
    ...unknown(),
    state,
    stateAt: 0,
    queriedAt,
    ...(state === "up" ? { last: lastAnswer(queriedAt) } : {})
  }
})
const agreed = (at: number) => [view("eu", "up", at), view("us", "up", at)]
const split = (at: number) => [view("eu", "up", at), view("us", "down", at)]
const SPLIT = "eu: up, us: down"

/**
 * Judges a target once for each element of `turns`. An element contains the views of the target. If an element is `undefined`, no location
 * has a view of the target. If an element is `"unreachable"`, the store is unreachable.
 */
const judge = (turns: ReadonlyArray<ReadonlyArray<View> | "unreachable" | undefined>, disagreement?: string) => {
  const group = [...planFor([{ name: "a", targets: ["192.0.2.1:1"], locations: ["eu", "us"] }]).targets.values()][0]!
  const target = new Watched(1, "192.0.2.1:1", { host: "192.0.2.1", port: 1 }, group, unknown())
  const judged: Array<JudgedOutcome> = []
  let onJudged = (): void => undefined
  const schedule = async function* () {
    while (judged.length < turns.length) {
      const isJudged = new Promise<void>((resolve) => (onJudged = resolve))
      yield target
      await isJudged
    }
  }
  const locations = {
    alive: () => ["eu", "us"],
    views: (targets: ReadonlyArray<number>) => {
      assert.deepStrictEqual(targets, [target.id])
      const views = turns[judged.length]
      if (views === "unreachable") return Effect.fail(new StoreFailed({ message: "unreachable" }))
      return Effect.succeed(new Map(views === undefined ? [] : [[1, { views, disagreement }]]))
    }
  }
  return verdictStream(schedule() as never, locations as never, () => NOW).pipe(
    Stream.runForEach((one) => Effect.sync(() => (judged.push(one), onJudged()))),
    Effect.as(judged)
  )
}

const changesOf = (judged: ReadonlyArray<JudgedOutcome>) =>
  judged.map(({ changes }) => changes.map(({ field, from, to }) => ({ field, from, to })))

describe("a disagreement of locations", () => {
  const begins = { field: "disagreement", from: "", to: SPLIT }
  const ends = { field: "disagreement", from: SPLIT, to: "" }

  it.live(
    "is reported when two consecutive checks find it, and its end is reported when two consecutive checks find no disagreement",
    () =>
      Effect.gen(function* () {
        const judged = yield* judge([split(NOW - 9), split(NOW - 8), split(NOW - 7), agreed(NOW - 6), agreed(NOW - 5)])
        assert.deepStrictEqual(changesOf(judged), [[], [begins], [], [], [ends]])
        assert.strictEqual(judged[1]!.changes[0]!.at, NOW)
      })
  )

  it.live("is not reported if the locations agree in every second check", () =>
    Effect.gen(function* () {
      const judged = yield* judge([split(NOW - 9), agreed(NOW - 8), split(NOW - 7), agreed(NOW - 6)])
      assert.deepStrictEqual(changesOf(judged), [[], [], [], []])
    })
  )

  it.live("is not reported again after a restart, but its end is reported", () =>
    Effect.gen(function* () {
      const turns = [split(NOW - 9), split(NOW - 8), agreed(NOW - 7), agreed(NOW - 6)]
      assert.deepStrictEqual(changesOf(yield* judge(turns, SPLIT)), [[], [], [], [ends]])
    })
  )

  it.live("is not counted in a check if no location has a new result since the previous check", () =>
    Effect.gen(function* () {
      const judged = yield* judge([split(NOW - 9), split(NOW - 9), split(NOW - 8)])
      assert.deepStrictEqual(changesOf(judged), [[], [], [begins]])
      assert.deepStrictEqual(
        judged.map(({ outcome }) => outcome !== undefined),
        [true, false, true]
      )
    })
  )
})

it.live("a check of a target has no outcome while the store is unreachable", () =>
  Effect.gen(function* () {
    const judged = yield* judge([agreed(NOW - 9), "unreachable", agreed(NOW - 7)])
    assert.deepStrictEqual(
      judged.map(({ outcome, target }) => [target.id, outcome !== undefined]),
      [
        [1, true],
        [1, false],
        [1, true]
      ]
    )
    assert.deepStrictEqual(changesOf(judged), [[], [], []])
  })
)

it.live("if no location has queried the target, a check reports a local error and no changes", () =>
  Effect.gen(function* () {
    const [judged] = yield* judge([undefined])
    assert.deepInclude(judged!.outcome, { isLocal: true })
    assert.deepStrictEqual(judged!.changes, [])
  })
)
