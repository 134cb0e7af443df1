/** Turns of targets that locations ask: nobody is asked, what they stored is read and judged. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Schedule } from "../schedule/Schedule.ts"
import type { Observed, Turn } from "../watch/observe.ts"
import type { Watched } from "../watch/Watched.ts"
import { locationsFor } from "./locationsFor.ts"
import type { Locations } from "./Locations.ts"
import type { View, Views } from "./View.ts"
import { findDisagreement, isCurrent, combineViews } from "./verdict.ts"

/** So many turns are judged at a time, and those of so long. */
const TOGETHER = 1000
const WITHIN = "250 millis"

/** So many turns in a row must find that locations agree, or that they do not, until it is told. */
const SURE = 2

/** What is remembered of a target between its turns. */
interface Memory {
  /** When the newest of the views was. */
  newest: number
  /** What was told of their not agreeing. */
  told: string | undefined
  /** So many turns in a row have found something else. */
  other: number
}

/** A turn that was judged; without one where nothing was learned since the one before. */
export interface JudgedTurn {
  readonly target: Watched
  readonly turn?: Turn
  /** That the locations do not agree any more, or agree again. */
  readonly changes: ReadonlyArray<Observed>
}

/** The views of a target that count, in the order in which they do. */
export const countingViews = (
  target: Watched,
  views: ReadonlyArray<View>,
  alive: ReadonlyArray<string>,
  nowMs: number
): ReadonlyArray<View> =>
  (locationsFor(target, alive) ?? []).flatMap((name) =>
    views.filter((view) => view.location === name && isCurrent(view, target.group, nowMs))
  )

/** Judges the targets that a schedule gives, as they become due. */
export const verdictStream = (
  schedule: Schedule<Watched>,
  locations: NonNullable<(typeof Locations)["Service"]>,
  now: () => number
): Stream.Stream<JudgedTurn> => {
  const memories = new WeakMap<Watched, Memory>()

  const findChanges = (memory: Memory, views: ReadonlyArray<View>, at: number): ReadonlyArray<Observed> => {
    const said = findDisagreement(views)
    if ((said === undefined) === (memory.told === undefined)) {
      memory.other = 0
      return []
    }
    if (++memory.other < SURE) return []
    const change = { at, field: "disagreement", from: memory.told ?? "", to: said ?? "" } as const
    memory.told = said
    memory.other = 0
    return [change]
  }

  const judge = (target: Watched, known: Views | undefined): JudgedTurn => {
    const at = now()
    const views = countingViews(target, known?.views ?? [], locations.alive(), at)
    const memory = memories.get(target) ?? { newest: 0, told: known?.disagreement, other: 0 }
    memories.set(target, memory)
    const newest = Math.max(0, ...views.map(({ known: { askedAt = 0 } }) => askedAt))
    if (newest > 0 && newest <= memory.newest) return { target, changes: [] }
    memory.newest = newest
    return { target, turn: combineViews(views), changes: findChanges(memory, views, at) }
  }

  return Stream.fromAsyncIterable(schedule, (cause) => cause).pipe(
    Stream.orDie,
    Stream.groupedWithin(TOGETHER, WITHIN),
    Stream.mapEffect((due) =>
      locations.views(due.map(({ id }) => id)).pipe(
        Effect.map((views) => due.map((target) => judge(target, views.get(target.id)))),
        // Without the store there is nothing to judge by.
        Effect.orElseSucceed(() => due.map((target): JudgedTurn => ({ target, changes: [] })))
      )
    ),
    Stream.flatMap(Stream.fromIterable)
  )
}
