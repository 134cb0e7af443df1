/** News of several monitors on one store: once a second, the changes of all instances are read from the store. */
import * as Effect from "effect/Effect"
import type { Store } from "../store/Store.ts"
import type { Monitor, News } from "../watch/Monitor.ts"
import { MAX_PAGE } from "./Api.ts"

type Subscribe = (typeof Monitor.Service)["subscribe"]

/** Makes the subscription, for the lifetime of the scope. Queried targets are those of this monitor only. */
export const makeSharedNews = Effect.fnUntraced(function* (own: Subscribe, { changes }: typeof Store.Service) {
  const listeners = new Set<(news: News) => void>()
  /** The last change that was sent. */
  let lastId: number | undefined
  const look = Effect.gen(function* () {
    if (lastId === undefined || listeners.size === 0) {
      const [newest] = yield* changes({ limit: 1 })
      lastId = newest?.id ?? 0
      return
    }
    const news = yield* changes({ after: lastId, limit: MAX_PAGE })
    lastId = news.at(-1)?.id ?? lastId
    if (news.length === 0) return
    const all = { changes: news, updated: [] }
    for (const listener of listeners) listener(all)
  })
  // Changes that cannot be read while the store is unreachable are sent later.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep("1 second"))))
  let unsubscribe: (() => void) | undefined
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener)
    // One object for all subscribers, so that they encode it once.
    unsubscribe ??= own(({ updated }) => {
      const news = { changes: [], updated }
      for (const one of listeners) one(news)
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
