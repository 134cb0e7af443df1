/** `GET /api/report` returns the availability of the servers of each group in a period, and the number of their incidents. */
import * as Effect from "effect/Effect"
import { addTime, computeAvailability, noTime, type StateTime } from "../history/StateTime.ts"
import { startOfHour, HOUR_MS } from "../history/HourSamples.ts"
import { sumStateTime } from "../history/uptime.ts"
import type { Store } from "../store/Store.ts"
import type { Monitor } from "../watch/Monitor.ts"
import { findName } from "../watch/Watched.ts"
import type { Report, ReportRow } from "./Api.ts"
import { makeIncidentReader } from "./incidents.ts"
import { toTimes } from "./views.ts"
import { displayText } from "@sourcewire/core/text"

/** Number of incidents that the report reads from the store in one query. */
const PAGE = 1000

/** For a server and a period: the number of incidents, and how long the longest incident lasted within the period. */
interface Counted {
  incidents: number
  longestMs: number
}

const makeFigures = (time: StateTime, { incidents, longestMs }: Counted, periodMs: number) => {
  const share = computeAvailability(time)
  return {
    ...toTimes(time),
    unmonitoredMs: Math.max(0, periodMs - time.up - time.down - time.muted),
    ...(share === undefined ? {} : { share }),
    incidents,
    longestMs
  }
}

/** Sorts the rows of servers by availability, the lowest first. Servers that were not monitored in the period are at the end. */
const byShare = (a: ReportRow, b: ReportRow): number =>
  (a.share ?? 2) - (b.share ?? 2) || b.downMs - a.downMs || (a.address < b.address ? -1 : 1)

/** Returns a function that builds a report from the store. */
export const makeReporter = (monitor: typeof Monitor.Service, store: typeof Store.Service) => {
  const readIncidents = makeIncidentReader(monitor, store)
  return Effect.fnUntraced(function* (fromMs: number, toMs: number, only: string | undefined, nowMs: number) {
    const [from, to] = [startOfHour(fromMs), Math.min(startOfHour(toMs + HOUR_MS - 1), Math.max(nowMs, fromMs))]
    yield* monitor.refresh()
    const targets = [...monitor.targets.values()].filter(({ group }) => only === undefined || group.name === only)
    const times = yield* sumStateTime(store, targets, from, to)
    const counted = new Map<number, Counted>()
    let after: { readonly from: number; readonly target: number } | undefined
    do {
      const page = yield* readIncidents({ fromMs: from, toMs: to, group: only, limit: PAGE, after }, nowMs)
      for (const { durationMs, from: began, isMuted, target } of page) {
        if (isMuted) continue
        const one = counted.get(target) ?? { incidents: 0, longestMs: 0 }
        const within = Math.min(to, began + (durationMs ?? 0)) - Math.max(from, began)
        counted.set(target, { incidents: one.incidents + 1, longestMs: Math.max(one.longestMs, within) })
      }
      const last = page.at(-1)
      after = page.length < PAGE || last === undefined ? undefined : { from: last.from, target: last.target }
    } while (after !== undefined)
    const groups = [...Map.groupBy(targets, ({ group }) => group.name)].map(([group, members]) => {
      const time = noTime()
      const sum: Counted = { incidents: 0, longestMs: 0 }
      const servers = members.map((target): ReportRow => {
        const { address, id } = target
        const own = times.get(id) ?? noTime()
        const incidents = counted.get(id) ?? { incidents: 0, longestMs: 0 }
        addTime(time, own)
        sum.incidents += incidents.incidents
        sum.longestMs = Math.max(sum.longestMs, incidents.longestMs)
        const name = findName(target)
        return {
          target: id,
          address,
          ...(name === undefined ? {} : { name: displayText(name) }),
          ...makeFigures(own, incidents, to - from)
        }
      })
      return { group, ...makeFigures(time, sum, (to - from) * members.length), servers: servers.sort(byShare) }
    })
    return { from, to, groups } satisfies Report
  })
}
