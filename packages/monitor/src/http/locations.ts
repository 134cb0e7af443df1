/** Reads the views of a target (its state at each location), for the page of the target. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { countingViews } from "../locations/verdictStream.ts"
import { Locations } from "../locations/Locations.ts"
import type { View } from "../locations/View.ts"
import type { StoreFailed } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"
import type { LocationRow } from "./Api.ts"
import { toQueryState } from "./views.ts"

const toLocationRow = ({ known, location }: View, counts: boolean): LocationRow => ({
  location,
  counts,
  ...toQueryState(known)
})

/** Creates functions that read the views of a target. Targets of groups without the setting `locations` have no views. */
export const makeLocationReader = Effect.gen(function* () {
  const locations = yield* Locations
  const readViews = (target: Watched): Effect.Effect<ReadonlyArray<View>, StoreFailed> =>
    locations === undefined || target.group.locations === undefined
      ? Effect.succeed([])
      : Effect.map(locations.views([target.id]), (found) => found.get(target.id)?.views ?? [])

  return {
    /**
     * The locations that have queried a target. The locations that affect the state of the target are first. Empty if the store is
     * unreachable.
     */
    rows: (target: Watched): Effect.Effect<ReadonlyArray<LocationRow>> =>
      Effect.gen(function* () {
        const views = yield* Effect.orElseSucceed(readViews(target), (): ReadonlyArray<View> => [])
        const counting = countingViews(target, views, locations?.alive() ?? [], yield* Clock.currentTimeMillis)
        const others = views.filter((view) => !counting.includes(view))
        return [
          ...counting.map((view) => toLocationRow(view, true)),
          ...others.map((view) => toLocationRow(view, false))
        ]
      }),

    /** The stored hours and the current hour of a target at a location. */
    hours: Effect.fnUntraced(function* (target: Watched, location: string, fromMs: number, toMs: number) {
      if (locations === undefined) return { hours: [], current: undefined }
      const hours = yield* locations.hours(location, target.id, fromMs, toMs)
      const view = (yield* readViews(target)).find((view) => view.location === location)
      return { hours, current: view?.known.hour }
    })
  }
})
