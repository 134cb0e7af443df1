/**
 * Provides updates to the readers of an instance that shares its store with other instances. Once a second, each instance reads the new
 * changes of all instances from the store.
 */
import * as Effect from "effect/Effect"
import type { Store } from "../store/Store.ts"
import type { Monitor, Updates } from "../watch/Monitor.ts"
import { MAX_PAGE } from "./Api.ts"

type Subscribe = (typeof Monitor.Service)["subscribe"]

/**
 * Creates a function that subscribes to updates. The function can be used until the scope is closed. The updates contain the changes of all
 * instances, and the targets that this instance has queried.
 */
export const makeSharedUpdates = Effect.fnUntraced(function* (own: Subscribe, { changes }: typeof Store.Service) {
  const listeners = new Set<(updates: Updates) => void>()
  /** The id of the newest change that was read from the store. */
  let lastId: number | undefined
  const poll = Effect.gen(function* () {
    if (lastId === undefined || listeners.size === 0) {
      const [newest] = yield* changes({ limit: 1 })
      lastId = newest?.id ?? 0
      return
    }
    const newChanges = yield* changes({ after: lastId, limit: MAX_PAGE })
    lastId = newChanges.at(-1)?.id ?? lastId
    if (newChanges.length === 0) return
    const all = { changes: newChanges, updated: [] }
    for (const listener of listeners) listener(all)
  })
  // While the store is unreachable, no changes are sent. The missing changes are sent when the store can be read again.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(poll), Effect.sleep("1 second"))))
  let unsubscribe: (() => void) | undefined
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener)
    // All subscribers receive the same object, so that this object is encoded only once.
    unsubscribe ??= own(({ updated }) => {
      const updates = { changes: [], updated }
      for (const one of listeners) one(updates)
    })
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      unsubscribe?.()
      unsubscribe = undefined
    }
  }
  return subscribe
})
