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

/** Maximum number of targets that are judged together. Targets are judged together if they become due within {@link WITHIN}. */
const TOGETHER = 1000
const WITHIN = "250 millis"

/**
 * The start of a disagreement is reported after this number of consecutive checks with a disagreement. Its end is reported after the same
 * number of consecutive checks without a disagreement.
 */
const SURE = 2

/** Facts about a target that a check stores for the next check of this target. */
interface Memory {
  /** Time of the newest query in the views of the last check. */
  newest: number
  /** If the start of a disagreement was reported, but not its end: the reported states, by location. Otherwise `undefined`. */
  reported: string | undefined
  /**
   * Number of consecutive checks, up to the last check, whose result contradicts `reported`. Such a check found a disagreement although
   * `reported` is `undefined`, or found no disagreement although `reported` contains one.
   */
  other: number
}

/**
 * The result of judging a target. If there are no recent views, `outcome` is an error. `outcome` is absent if the store is unreachable, or
 * if a previous check has already judged the newest query in the recent views.
 */
export interface JudgedOutcome {
  readonly target: Watched
  readonly outcome?: QueryOutcome
  /** If this check reports the start or the end of a disagreement, the list contains this change. Otherwise the list is empty. */
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
