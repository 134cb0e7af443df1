/** Tests which messages of the fleet's engine (Effect Cluster) the monitor logs. */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { engineLog } from "../src/fleet/engineLog.ts"
import type { MonitorEvent } from "../src/watch/Monitor.ts"

const logging = (work: Effect.Effect<unknown>) => {
  const events: Array<MonitorEvent> = []
  return Effect.map(
    Effect.provide(
      work,
      engineLog((event) => void events.push(event))
    ),
    () => events.map(({ level, message }) => `${level}: ${message}`)
  )
}

describe("the warnings of the fleet's engine", () => {
  it.effect("contain the message of the underlying error", () =>
    Effect.gen(function* () {
      const refused = new Error("Failed to execute statement", {
        cause: new Error("connect ECONNREFUSED 127.0.0.1:5432")
      })
      const cause = Cause.fail({ _tag: "SqlError", reason: { cause: refused } })
      assert.deepStrictEqual(yield* logging(Effect.logWarning("Could not acquire/release shards", cause)), [
        "warn: Could not acquire/release shards: connect ECONNREFUSED 127.0.0.1:5432"
      ])
      assert.deepStrictEqual(yield* logging(Effect.logError("Shard lock storage is unhealthy", Cause.die("gone"))), [
        "error: Shard lock storage is unhealthy: gone"
      ])
    })
  )

  it.effect("are logged at most once per 30 seconds if their texts are equal", () =>
    Effect.gen(function* () {
      const warn = (message: string) => Effect.logWarning("Could not release shards", Cause.fail(new Error(message)))
      const messages = yield* logging(
        Effect.gen(function* () {
          for (let second = 0; second < 35; second++) {
            yield* warn("away")
            yield* TestClock.adjust(1000)
          }
          yield* warn("full")
        })
      )
      assert.deepStrictEqual(messages, [
        "warn: Could not release shards: away",
        "warn: Could not release shards: away",
        "warn: Could not release shards: full"
      ])
    })
  )

  it.effect("are not logged for normal events at the start and at the end of a fleet", () =>
    Effect.gen(function* () {
      const nobody = Effect.logWarning("No healthy runners available")
      const stopped = Effect.logWarning("Could not release shards", Cause.interrupt(1))
      assert.deepStrictEqual(yield* logging(Effect.andThen(nobody, stopped)), [])
      const again = Effect.andThen(nobody, Effect.andThen(TestClock.adjust(1000), nobody))
      assert.deepStrictEqual(yield* logging(again), ["warn: No healthy runners available"])
    })
  )
})
