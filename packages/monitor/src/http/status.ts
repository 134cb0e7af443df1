/**
 * `GET /status/GROUP` returns a read-only page about the servers of a group. `GET /embed/GROUP` returns a shorter page, for frames on other
 * sites. If a group is in `publicStatus`, its pages are public. Otherwise, its pages require the credentials of the monitor, and cannot be
 * embedded.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"
import { makeUptimes, type Uptimes } from "../history/uptime.ts"
import { Store, type StoredHour } from "../store/Store.ts"
import { Monitor } from "../watch/Monitor.ts"
import type { Watched } from "../watch/Watched.ts"
import { Listing } from "./listing.ts"
import { makeIncidentReader } from "./incidents.ts"
import { problem } from "@sourcewire/ui/problem"
import { type GroupStatus, formatPolicy, statusPage } from "./statusPage.ts"
import { summarizeDay, toTargetRow } from "./views.ts"

/** Maximum numbers of servers and of incidents on a page. */
const MAX_SERVERS = 100
const MAX_INCIDENTS = 20

/** Time for which the content of a page is cached, so that many readers cause only one computation. */
const CACHED_FOR = "10 seconds"

const PATH = /^\/(status|embed)\/([^/?]+)$/

/** Returns the kind of page and the group in a path, or `undefined` if this is not the path of a status page. */
const groupIn = (path: string): readonly [kind: string, group: string] | undefined => {
  const [, kind, name] = PATH.exec(path) ?? []
  try {
    return kind === undefined ? undefined : [kind, decodeURIComponent(name!)]
  } catch {
    return undefined
  }
}

/** Whether a path is the path of a public status page, which requires no credentials. */
export const isPublicStatus = (path: string, { plan }: Pick<typeof Monitor.Service, "plan">): boolean => {
  const found = groupIn(path)
  return found !== undefined && plan().publicStatus.has(found[1])
}

export const statusRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const store = yield* Store
    const readIncidents = makeIncidentReader(monitor, store)
    const readUptimes = makeUptimes(store)

    const readStatus = Effect.fnUntraced(function* (group: string) {
      const now = yield* Clock.currentTimeMillis
      const all = new Map([...monitor.targets].filter(([, target]) => target.group.name === group))
      yield* monitor.refresh([...all.values()])
      const isMuted = (target: Watched): boolean => monitor.mutes.isMuted(target, now)
      const counts = { up: 0, down: 0, unknown: 0, muted: 0 }
      for (const target of all.values()) counts[isMuted(target) ? "muted" : target.known.state]++
      const shown = new Listing().of(all, { sort: "problems", order: "desc" }, now, { isMuted }).slice(0, MAX_SERVERS)
      // If the history cannot be read, the page shows only current states.
      const uptimes = yield* Effect.orElseSucceed(readUptimes(shown, now), () => new Map<number, Uptimes>())
      const rows = yield* Effect.forEach(shown, (target) =>
        Effect.map(
          Effect.orElseSucceed(
            store.hours(target.id, now - DAY_MS + HOUR_MS, now),
            (): ReadonlyArray<StoredHour> => []
          ),
          (hours) => ({
            row: toTargetRow(target, monitor.muted(target)),
            uptimes: uptimes.get(target.id),
            times: summarizeDay(hours, target, now).times
          })
        )
      )
      const incidents = yield* Effect.orElseSucceed(
        readIncidents({ fromMs: now - 7 * DAY_MS, toMs: now, group, limit: MAX_INCIDENTS }, now),
        () => []
      )
      return { group, atMs: now, counts, rows, incidents } satisfies GroupStatus
    })
    const statuses = new Map<string, Effect.Effect<GroupStatus>>()
    const cached = Effect.fnUntraced(function* (group: string) {
      const known = statuses.get(group) ?? (yield* Effect.cachedWithTTL(readStatus(group), CACHED_FOR))
      statuses.set(group, known)
      return yield* known
    })

    const answer = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const { pathname, searchParams } = new URL(url, "http://monitor")
      const [kind, group] = groupIn(pathname) ?? []
      const { groups, publicStatus } = monitor.plan()
      if (group === undefined || !groups.has(group)) return problem(404, "NoGroup", "There is no such group.")
      const isPublic = publicStatus.has(group)
      const isEmbedded = kind === "embed"
      if (isEmbedded && !isPublic) {
        return problem(404, "NotPublic", "The group is not public. Add it to publicStatus in the configuration.")
      }
      const [theme, refresh] = [searchParams.get("theme"), searchParams.get("refresh")]
      return HttpServerResponse.text(statusPage(yield* cached(group), { isEmbedded, refresh, theme }), {
        contentType: "text/html; charset=utf-8",
        headers: {
          "content-security-policy": formatPolicy(isEmbedded ? "*" : "'none'"),
          "cache-control": isPublic ? "public, max-age=10" : "no-store",
          ...(isEmbedded ? { "cross-origin-resource-policy": "cross-origin" } : {})
        }
      })
    })
    yield* router.add("GET", "/status/:group", answer)
    yield* router.add("GET", "/embed/:group", answer)
  })
)
