/**
 * `GET /api/events`: what changes, as server-sent events, once a second.
 *
 * - `change`: one {@link ChangeRow}; its id is the event's, so that a reader that was cut off goes on where it was (`Last-Event-ID`).
 * - `update`, with `?updates=1`: the {@link TargetRow}s of all targets that were asked.
 *
 * A reader that falls far behind is cut off, and comes back by itself.
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { Ownership } from "../fleet/Ownership.ts"
import { type Change, Store } from "../store/Store.ts"
import { Monitor, type News } from "../watch/Monitor.ts"
import { MAX_PAGE } from "./Api.ts"
import { makeSharedNews } from "./sharedNews.ts"
import { changeRowOf, rowOf } from "./views.ts"

/** So many seconds a reader may be behind. */
const BEHIND = 30
/** So often something is sent to those for whom there is nothing, so that a connection that has died is noticed. */
const PULSE = "15 seconds"
const MAX_READERS = 1000

const eventOf = (event: string, data: unknown, id?: number): string =>
  `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

export const eventsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const store = yield* Store
    const { isShared } = yield* Ownership
    const subscribe = isShared ? yield* makeSharedNews(monitor.subscribe, store) : monitor.subscribe
    let readers = 0
    const changeText = (change: Change): string =>
      eventOf("change", changeRowOf(change, monitor.targets.get(change.target)), change.id)
    // Written once for all readers.
    const written = new WeakMap<News, { readonly changes: string; updates?: string }>()
    const textOf = (news: News, updates: boolean): string => {
      const texts = written.get(news) ?? { changes: news.changes.map(changeText).join("") }
      written.set(news, texts)
      if (!updates || news.updated.length === 0) return texts.changes
      texts.updates ??= eventOf("update", news.updated.map(rowOf))
      return texts.changes + texts.updates
    }

    yield* router.add(
      "GET",
      "/api/events",
      Effect.gen(function* () {
        if (readers >= MAX_READERS) return HttpServerResponse.empty({ status: 503 })
        const { headers, url } = yield* HttpServerRequest.HttpServerRequest
        const updates = new URL(url, "http://monitor").searchParams.get("updates") === "1"
        const last = Number(headers["last-event-id"] ?? Number.NaN)
        const live = Stream.callback<string, Cause.Done>(
          (queue) =>
            Effect.acquireRelease(
              Effect.sync(() => {
                readers++
                return subscribe((news) => {
                  const text = textOf(news, updates)
                  if (text !== "" && !Queue.offerUnsafe(queue, text)) Queue.endUnsafe(queue)
                })
              }),
              (unsubscribe) =>
                Effect.sync(() => {
                  readers--
                  unsubscribe()
                })
            ),
          { bufferSize: BEHIND, strategy: "dropping" }
        )
        const missed = Number.isFinite(last)
          ? Stream.fromIterableEffect(store.changes({ after: last, limit: MAX_PAGE })).pipe(
              Stream.map(changeText),
              Stream.catch(() => Stream.empty)
            )
          : Stream.empty
        const pulse = Stream.tick(PULSE).pipe(Stream.map(() => ": \n\n"))
        const text = Stream.concat(missed, Stream.merge(live, pulse, { haltStrategy: "left" }))
        return HttpServerResponse.stream(Stream.encodeText(text), {
          contentType: "text/event-stream",
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
        })
      })
    )
  })
)
