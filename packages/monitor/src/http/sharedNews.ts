/** News where others store changes too: those of the store, whoever stored them, once a second. */
import * as Effect from "effect/Effect"
import type { Store } from "../store/Store.ts"
import type { Monitor, News } from "../watch/Monitor.ts"
import { MAX_PAGE } from "./Api.ts"

type Subscribe = (typeof Monitor.Service)["subscribe"]

/** What subscribes to them, for the life of the scope. Which targets were asked is told of this monitor's own alone. */
export const makeSharedNews = Effect.fnUntraced(function* (own: Subscribe, { changes }: typeof Store.Service) {
  const listeners = new Set<(news: News) => void>()
  /** Up to which change all was told. */
  let told: number | undefined
  const look = Effect.gen(function* () {
    if (told === undefined || listeners.size === 0) {
      const [newest] = yield* changes({ limit: 1 })
      told = newest?.id ?? 0
      return
    }
    const news = yield* changes({ after: told, limit: MAX_PAGE })
    told = news.at(-1)?.id ?? told
    if (news.length === 0) return
    const all = { changes: news, updated: [] }
    for (const listener of listeners) listener(all)
  })
  // What cannot be read while the store is away is told when it is back.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep("1 second"))))
  let unsubscribe: (() => void) | undefined
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener)
    // The same news for all: what is made of them for readers is made once.
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
