/**
 * Checks of targets that are queried by locations. Such a check sends no query. Instead, it reads the stored results of the locations and
 * combines these results.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Schedule } from "../schedule/Schedule.ts"
import type { Observed, QueryOutcome } from "../watch/observe.ts"
import type { Watched } from "../watch/Watched.ts"
import { locationsFor } from "./locationsFor.ts"
import type { Locations } from "./Locations.ts"
import type { View, Views } from "./View.ts"
import { findDisagreement, isCurrent, combineViews } from "./verdict.ts"

/** Targets that become due within {@link WITHIN} are judged together. This is the maximum number of targets that are judged together. */
const TOGETHER = 1000
const WITHIN = "250 millis"

/** Number of consecutive checks that must find the start or the end of a disagreement before it is reported. */
const SURE = 2

/** The facts about a target that one check leaves for the next check. */
interface Memory {
  /** Time of the newest query in the views that were last judged. */
  newest: number
  /** The last disagreement that was reported. `undefined` if its end was reported, too. */
  reported: string | undefined
  /**
   * Number of the latest consecutive checks that differ from `reported`: they found a disagreement that is not reported, or they found no
   * disagreement although one is reported.
   */
  other: number
}

/** The result of judging a target. `outcome` is absent if the monitor has read no new result of a location since the previous check. */
export interface JudgedOutcome {
  readonly target: Watched
  readonly outcome?: QueryOutcome
  /** The change that reports the start or the end of a disagreement. Empty if neither is reported. */
  readonly changes: ReadonlyArray<Observed>
}

/** Returns the views that affect the state of a target: the recent views of its selected locations, in the order of these locations. */
export const countingViews = (
  target: Watched,
  views: ReadonlyArray<View>,
  alive: ReadonlyArray<string>,
  nowMs: number
): ReadonlyArray<View> =>
  (locationsFor(target, alive) ?? []).flatMap((name) =>
    views.filter((view) => view.location === name && isCurrent(view, target.group, nowMs))
  )

/** Judges each target of a schedule when the target becomes due. */
export const verdictStream = (
  schedule: Schedule<Watched>,
  locations: NonNullable<(typeof Locations)["Service"]>,
  now: () => number
): Stream.Stream<JudgedOutcome> => {
  const memories = new WeakMap<Watched, Memory>()

  const findChanges = (memory: Memory, views: ReadonlyArray<View>, at: number): ReadonlyArray<Observed> => {
    const found = findDisagreement(views)
    if ((found === undefined) === (memory.reported === undefined)) {
      memory.other = 0
      return []
    }
    if (++memory.other < SURE) return []
    const change = { at, field: "disagreement", from: memory.reported ?? "", to: found ?? "" } as const
    memory.reported = found
    memory.other = 0
    return [change]
  }

  const judge = (target: Watched, known: Views | undefined): JudgedOutcome => {
    const at = now()
    const views = countingViews(target, known?.views ?? [], locations.alive(), at)
    const memory = memories.get(target) ?? { newest: 0, reported: known?.disagreement, other: 0 }
    memories.set(target, memory)
    const newest = Math.max(0, ...views.map(({ known: { queriedAt = 0 } }) => queriedAt))
    if (newest > 0 && newest <= memory.newest) return { target, changes: [] }
    memory.newest = newest
    return { target, outcome: combineViews(views), changes: findChanges(memory, views, at) }
  }

  return Stream.fromAsyncIterable(schedule, (cause) => cause).pipe(
    Stream.orDie,
    Stream.groupedWithin(TOGETHER, WITHIN),
    Stream.mapEffect((due) =>
      locations.views(due.map(({ id }) => id)).pipe(
        Effect.map((views) => due.map((target) => judge(target, views.get(target.id)))),
        // If the store is unreachable, there are no results to judge.
        Effect.orElseSucceed(() => due.map((target): JudgedOutcome => ({ target, changes: [] })))
      )
    ),
    Stream.flatMap(Stream.fromIterable)
  )
}
