/** What locations know of a target, for its page. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { countingViews } from "../locations/verdictStream.ts"
import { Locations } from "../locations/Locations.ts"
import type { View } from "../locations/View.ts"
import type { StoreFailed } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"
import type { LocationRow } from "./Api.ts"
import { turnsOf } from "./views.ts"

const rowOf = ({ known, location }: View, counts: boolean): LocationRow => ({ location, counts, ...turnsOf(known) })

/** Reads them. A target that is asked from one place has none. */
export const makeLocationReader = Effect.gen(function* () {
  const locations = yield* Locations
  const viewsOf = (target: Watched): Effect.Effect<ReadonlyArray<View>, StoreFailed> =>
    locations === undefined || target.group.locations === undefined
      ? Effect.succeed([])
      : Effect.map(locations.views([target.id]), (found) => found.get(target.id)?.views ?? [])

  return {
    /** Each location that has asked a target, those first that are to ask it. A store that is away tells none. */
    rows: (target: Watched): Effect.Effect<ReadonlyArray<LocationRow>> =>
      Effect.gen(function* () {
        const views = yield* Effect.orElseSucceed(viewsOf(target), (): ReadonlyArray<View> => [])
        const counting = countingViews(target, views, locations?.alive() ?? [], yield* Clock.currentTimeMillis)
        const others = views.filter((view) => !counting.includes(view))
        return [...counting.map((view) => rowOf(view, true)), ...others.map((view) => rowOf(view, false))]
      }),

    /** The hours of a target as a location had them, and the one that is not over. */
    hours: Effect.fnUntraced(function* (target: Watched, location: string, fromMs: number, toMs: number) {
      if (locations === undefined) return { hours: [], current: undefined }
      const hours = yield* locations.hours(location, target.id, fromMs, toMs)
      const view = (yield* viewsOf(target)).find((view) => view.location === location)
      return { hours, current: view?.known.hour }
    })
  }
})
