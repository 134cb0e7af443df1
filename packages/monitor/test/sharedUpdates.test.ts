/** Tests how an instance reads events from the store if other instances query the servers of these events. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeSharedUpdates } from "../src/http/sharedUpdates.ts"
import { type Change, type ChangeQuery, type Store, StoreFailed } from "../src/store/Store.ts"
import type { Updates } from "../src/watch/Monitor.ts"

const change = (id: number): Change => ({ id, target: 1, at: id, field: "map", from: "a", to: "b" })

it.effect("shared updates contain each stored change once, even if the store was unreachable for a while", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const stored = [change(1), change(2)]
      let isUnavailable = false
      const changes = ({ after = 0, limit }: ChangeQuery): Effect.Effect<ReadonlyArray<Change>, StoreFailed> => {
        if (isUnavailable) return Effect.fail(new StoreFailed({ message: "away" }))
        return Effect.succeed(limit === 1 ? stored.slice(-1) : stored.filter(({ id }) => id > after))
      }
      const own = new Set<(news: Updates) => void>()
      const store = { changes } as unknown as typeof Store.Service
      const subscribe = yield* makeSharedUpdates((listener) => {
        own.add(listener)
        return () => own.delete(listener)
      }, store)
      const received: Array<number> = []
      const pass = TestClock.adjust("1 second")
      yield* pass
      stored.push(change(3))
      yield* pass
      const end = subscribe((news) => received.push(...news.changes.map(({ id }) => id)))
      stored.push(change(4))
      yield* pass
      // The change with the id 5 is this instance's own change. It is published only after it has been read from the store.
      for (const listener of own) listener({ changes: [change(5)], updated: [] })
      isUnavailable = true
      stored.push(change(5), change(6))
      yield* pass
      expect(received).toEqual([4])
      isUnavailable = false
      yield* pass
      yield* pass
      expect(received).toEqual([4, 5, 6])
      end()
      expect(own.size).toBe(0)
    })
  )
)
