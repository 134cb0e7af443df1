/** Tests the store writer. While the store cannot be written, the writer stores rows in memory. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HourSamples } from "../src/history/HourSamples.ts"
import { type Batch, layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import type { MonitorEvent } from "../src/watch/MonitorEvent.ts"
import { StoreWriter } from "../src/watch/StoreWriter.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const MOST_WAITING = 100_000
const target = (): Watched => {
  const group = [...planFor([{ name: "all", targets: ["192.0.2.1:1"] }]).targets.values()][0]!
  return new Watched(1, "192.0.2.1:1", { host: "192.0.2.1", port: 1 }, group, unknown())
}

/** A store whose writes fail while `isUnavailable` is `true`. `written` contains the batches of successful writes. */
const failingStore = Effect.map(Store, (none) => {
  const state = { isUnavailable: true, written: [] as Array<Batch> }
  const write = (batch: Batch) =>
    state.isUnavailable
      ? Effect.fail(new StoreFailed({ message: "away" }))
      : Effect.sync(() => (state.written.push(batch), []))
  return Object.assign(state, { store: { ...none, write } satisfies typeof Store.Service })
})

describe("a store writer", () => {
  it.live(
    "stores a limited number of rows in memory while the store is unavailable, counts the dropped rows, and writes the other rows later",
    () =>
      Effect.gen(function* () {
        const away = yield* failingStore
        const watched = target()
        const writer = new StoreWriter({ store: away.store, onEvent: () => undefined, onLost: () => undefined })
        for (let id = 0; id < MOST_WAITING + 7; id++) {
          writer.addChange(watched, { id, target: 1, at: id, field: "map", from: "", to: "" })
          if (id % 30_000 === 0) yield* writer.flush
        }
        for (let hour = 0; hour < MOST_WAITING + 2; hour++) writer.addHour(watched, new HourSamples(hour, []))
        yield* writer.flush
        assert.deepInclude(writer, { lost: 9, error: "away", waiting: 2 * MOST_WAITING })
        away.isUnavailable = false
        yield* writer.flush
        const [{ changes, hours }] = away.written as [Batch]
        assert.deepStrictEqual([changes[0]!.id, changes.at(-1)!.id], [7, MOST_WAITING + 6])
        assert.deepStrictEqual([hours[0]!.samples.hour, hours.length], [2, MOST_WAITING])
        assert.deepInclude(writer, { lost: 9, error: undefined, waiting: 0 })
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.live(
    "writes incidents, and the number of the last change for each webhook, when the store is available again",
    () =>
      Effect.gen(function* () {
        const away = yield* failingStore
        const watched = target()
        const writer = new StoreWriter({ store: away.store, onEvent: () => undefined, onLost: () => undefined })
        const incident = { from: 1, noticedAt: 2, reason: "Timeout", message: "No reply.", isMuted: false }
        writer.addIncident(watched, incident)
        writer.setPosition("http://127.0.0.1:1/", 7)
        writer.setPosition("http://127.0.0.1:2/", 3)
        yield* writer.flush
        assert.deepInclude(writer, { error: "away", waiting: 1 })
        writer.setPosition("http://127.0.0.1:1/", 8)
        away.isUnavailable = false
        yield* writer.flush
        assert.deepInclude(writer, { error: undefined, waiting: 0 })
        const [{ incidents, positions }] = away.written as [Batch]
        assert.deepStrictEqual(incidents, [{ slice: watched.slice, target: 1, ...incident }])
        assert.deepStrictEqual(
          [...positions],
          [
            ["http://127.0.0.1:1/", 8],
            ["http://127.0.0.1:2/", 3]
          ]
        )
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.live("writes a reply again after a failed write, because it is unknown whether the store contains the reply", () =>
    Effect.gen(function* () {
      let isUnavailable = false
      const hadAnswer: Array<boolean | undefined> = []
      const none = yield* Store
      const store: typeof Store.Service = {
        ...none,
        write: ({ known }) => {
          for (const { hasAnswer } of known) hadAnswer.push(hasAnswer)
          return isUnavailable ? Effect.fail(new StoreFailed({ message: "away" })) : Effect.succeed([])
        }
      }
      const watched = target()
      watched.known.last = lastAnswer(1)
      const writer = new StoreWriter({ store, onEvent: () => undefined, onLost: () => undefined })
      const write = Effect.suspend(() => {
        writer.touch(watched)
        return writer.flush
      })
      // The first write contains the reply. The second write omits the reply, because the store already contains the reply.
      yield* write
      yield* write
      assert.deepStrictEqual(hadAnswer, [false, true])
      // While writes fail, a user may restore the store from a backup without this reply. Therefore the reply is written again.
      isUnavailable = true
      yield* write
      isUnavailable = false
      yield* writer.flush
      yield* write
      assert.deepStrictEqual(hadAnswer.slice(2), [true, false, true])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.live("reports once that the store cannot be written, and once that the store can be written again", () =>
    Effect.gen(function* () {
      const away = yield* failingStore
      const events: Array<MonitorEvent> = []
      const watched = target()
      const writer = new StoreWriter({
        store: away.store,
        onEvent: (event) => void events.push(event),
        onLost: () => assert.fail("no slice is lost")
      })
      const write = Effect.suspend(() => {
        writer.touch(watched)
        return writer.flush
      })
      yield* write
      yield* write
      assert.deepStrictEqual(events, [{ level: "error", event: "store", message: "the store cannot be written: away" }])
      away.isUnavailable = false
      yield* write
      yield* write
      assert.deepStrictEqual(events.slice(1), [
        { level: "info", event: "store", message: "the store can be written again" }
      ])
      assert.strictEqual(writer.writes, 2)
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.live("reports slices that another instance has claimed", () =>
    Effect.gen(function* () {
      const none = yield* Store
      const lost: Array<ReadonlyArray<number>> = []
      const writer = new StoreWriter({
        store: { ...none, write: () => Effect.succeed([3, 5]) },
        onEvent: () => undefined,
        onLost: (slices) => void lost.push(slices)
      })
      writer.touch(target())
      yield* writer.flush
      assert.deepStrictEqual(lost, [[3, 5]])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.live("writes empty batches, but only if other instances share the store", () =>
    Effect.gen(function* () {
      const away = yield* failingStore
      away.isUnavailable = false
      const how = { store: away.store, onEvent: () => undefined, onLost: () => undefined }
      yield* new StoreWriter(how).flush
      assert.lengthOf(away.written, 0)
      yield* new StoreWriter({ ...how, isShared: true }).flush
      assert.lengthOf(away.written, 1)
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
