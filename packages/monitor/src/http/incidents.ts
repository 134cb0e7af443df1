/** Reads incidents for the API. */
import * as Effect from "effect/Effect"
import type { IncidentQuery, Store, StoreFailed } from "../store/Store.ts"
import type { Monitor } from "../watch/Monitor.ts"
import type { IncidentRow } from "./Api.ts"
import { toIncidentRow } from "./views.ts"

/**
 * Selects incidents. If `isOngoing` is `true`, only ongoing incidents are selected; if it is `false`, only ended incidents are selected. If
 * `isOngoing` is absent, all incidents are selected.
 */
export interface RequestedIncidents extends IncidentQuery {
  readonly isOngoing?: boolean | undefined
}

/** Parses a position in the list of incidents (the start of an incident and the id of its target), such as `1795000000000-17`. */
export const parseMark = (mark: string | undefined): IncidentQuery["after"] => {
  if (mark === undefined) return undefined
  const [from, target] = mark.split("-").map(Number) as [number, number]
  return { from, target }
}

/**
 * Reads a page of incidents. If `isOngoing` excludes some of the incidents that the store returns, further incidents are read until the
 * page is full or no incidents are left.
 */
export const makeIncidentReader =
  (monitor: typeof Monitor.Service, store: typeof Store.Service) =>
  (
    { isOngoing, ...query }: RequestedIncidents,
    nowMs: number
  ): Effect.Effect<ReadonlyArray<IncidentRow>, StoreFailed> =>
    Effect.gen(function* () {
      const found: Array<IncidentRow> = []
      let { after } = query
      while (found.length < query.limit) {
        const page = yield* store.incidents({ ...query, after })
        yield* monitor.refresh(
          page.flatMap(({ target, to }) => (to === undefined ? (monitor.targets.get(target) ?? []) : []))
        )
        for (const incident of page) {
          const row = toIncidentRow(incident, monitor.targets.get(incident.target), nowMs)
          if (isOngoing === undefined || row.isOngoing === isOngoing) found.push(row)
        }
        const last = page.at(-1)
        if (last === undefined || page.length < query.limit) break
        after = { from: last.from, target: last.target }
      }
      return found.slice(0, query.limit)
    })
