/**
 * `GET /api/events` sends changes as server-sent events, once a second.
 *
 * - `change`: one {@link ChangeRow}. The id of the event is the id of the change. After a disconnection, a reader resumes after the last
 *   change that it received (`Last-Event-ID`).
 * - `update`, only with `?updates=1`: the {@link TargetRow}s of all targets that were queried since the previous `update`.
 *
 * If too much data waits for a reader, the reader is disconnected. Browsers then reconnect automatically.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ServerResponse } from "node:http"
import { Ownership } from "../fleet/Ownership.ts"
import { type Change, Store } from "../store/Store.ts"
import { Monitor, type Updates } from "../watch/Monitor.ts"
import { MAX_PAGE } from "./Api.ts"
import { type EventReader, makeEventReader } from "./eventReader.ts"
import { makeSharedUpdates } from "./sharedUpdates.ts"
import { findStrongest, toChangeRow, isKnown, toTargetRow } from "./views.ts"

/** Interval at which a comment is sent to all readers, so that dead connections are detected. */
const PULSE = "15 seconds"
const PULSE_BYTES = Buffer.from(": \n\n")
const MAX_READERS = 1000
/** Maximum number of missed changes that a reader receives after it has reconnected. */
const MAX_MISSED = 10_000

const formatEvent = (event: string, data: unknown, id?: number): string =>
  `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/**
 * The encoded events of an `Updates` object. Readers with `?updates=1` receive `all`: the changes and the queried targets. Other readers
 * receive only `changes`.
 */
interface Written {
  readonly changes: Uint8Array
  all?: Uint8Array
}

export const eventsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const store = yield* Store
    const { isShared } = yield* Ownership
    const subscribe = isShared ? yield* makeSharedUpdates(monitor.subscribe, store) : monitor.subscribe
    const readers = new Set<EventReader>()
    const changeText = (change: Change): string =>
      isKnown(change) ? formatEvent("change", toChangeRow(change, monitor.targets.get(change.target)), change.id) : ""
    const encodeChanges = (changes: ReadonlyArray<Change>): Uint8Array => Buffer.from(changes.map(changeText).join(""))

    const updateText = ({ updated }: Updates): string =>
      formatEvent(
        "update",
        updated.map((target) => toTargetRow(target, monitor.muted(target), findStrongest(monitor.findings(target.id))))
      )
    // All readers share the encoded events of an `Updates` object, so that the object is encoded only once.
    const written = new WeakMap<Updates, Written>()
    const encoded = (news: Updates, updates: boolean): Uint8Array => {
      const known: Written = written.get(news) ?? { changes: encodeChanges(news.changes) }
      written.set(news, known)
      if (!updates || news.updated.length === 0) return known.changes
      return (known.all ??= Buffer.concat([known.changes, Buffer.from(updateText(news))]))
    }

    /** Reads up to {@link MAX_MISSED} changes after the change with the id `last`. */
    const missedAfter = Effect.fnUntraced(function* (last: number) {
      const missed: Array<Change> = []
      for (let after = last; missed.length < MAX_MISSED;) {
        const page = yield* store.changes({ after, limit: MAX_PAGE })
        missed.push(...page)
        if (page.length < MAX_PAGE) break
        after = page.at(-1)!.id
      }
      return missed
    })

    const pulse = Effect.sync(() => {
      for (const reader of readers) reader.send(PULSE_BYTES)
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(PULSE), pulse)))

    yield* router.add(
      "GET",
      "/api/events",
      Effect.gen(function* () {
        if (readers.size >= MAX_READERS) return HttpServerResponse.empty({ status: 503 })
        const request = yield* HttpServerRequest.HttpServerRequest
        const updates = new URL(request.url, "http://monitor").searchParams.get("updates") === "1"
        const last = Number(request.headers["last-event-id"] ?? Number.NaN)
        const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
        const reader = makeEventReader(response, () => {
          readers.delete(reader)
          unsubscribe()
        })
        const send = (bytes: Uint8Array): void => {
          if (bytes.length > 0) reader.send(bytes)
        }
        /**
         * While the missed changes are read, new updates are collected here. The collected updates are sent after the missed changes. Then
         * this variable becomes `undefined`, and later updates are sent at once.
         */
        let held: Array<Updates> | undefined = []
        readers.add(reader)
        const unsubscribe = subscribe((news) => (held === undefined ? send(encoded(news, updates)) : held.push(news)))
        send(PULSE_BYTES)
        let sentTo = last
        if (Number.isFinite(last)) {
          // A change may be published before it is stored. Therefore the writer stores all published changes before the missed changes are
          // read. Instances that share a store skip this step, because they publish only stored changes.
          if (!isShared) yield* monitor.writer.flush
          // If the store is unreachable, the reader does not receive the missed changes.
          const missed = yield* Effect.orElseSucceed(missedAfter(last), () => [])
          send(encodeChanges(missed))
          sentTo = missed.at(-1)?.id ?? last
        }
        for (const news of held) {
          const changes = news.changes.filter(({ id }) => !(id <= sentTo))
          send(encoded(changes.length === news.changes.length ? news : { ...news, changes }, updates))
        }
        held = undefined
        return HttpServerResponse.raw(reader.stream, {
          contentType: "text/event-stream",
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
        })
      })
    )
  })
)
