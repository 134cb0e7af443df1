/** Combines the results of a target's locations. The functions are pure: they use no clock, store or network. */
import type { Group } from "../config/Config.ts"
import type { QueryOutcome } from "../watch/observe.ts"
import { chooseInterval } from "../watch/Watched.ts"
import type { View } from "./View.ts"

/** Maximum time from the end of a check until other instances can read its result. */
const WRITTEN_MS = 2000
/** For each value of the setting `query`: the number of queries that a check of one target needs. */
const QUERIES = { info: 1, all: 3 } as const

/**
 * Whether a location has queried the target so recently that the view of the location affects the state of the target. If the target is
 * down at this location, a query may be older, because a location may query targets that are down less often than other targets.
 */
export const isCurrent = ({ known }: View, group: Group, nowMs: number): boolean => {
  const { intervalMs, querySettings } = group
  const longest =
    chooseInterval(group, known) + intervalMs + QUERIES[querySettings.query] * querySettings.timeoutMs + WRITTEN_MS
  return known.queriedAt !== undefined && nowMs - known.queriedAt <= longest
}

const NOT_QUERIED: QueryOutcome = {
  error: { _tag: "NotAsked", message: "None of the locations that should query this server has queried it recently." },
  isLocal: true
}

/**
 * Determines the outcome of a check from the views of the locations. The outcome is the reply of the first location that received a reply.
 * If no location received a reply, the outcome is the error of the first location whose query failed. If no query failed either, no
 * location has queried the target recently. In this case, the outcome is an error that does not count as a failed check.
 */
export const combineViews = (views: ReadonlyArray<View>): QueryOutcome => {
  const answering = views.find(({ known }) => known.failures === 0 && known.last !== undefined)
  if (answering !== undefined) return { answer: answering.known.last! }
  const silent = views.find(({ known }) => known.failures > 0)
  if (silent === undefined) return NOT_QUERIED
  const locations = views.flatMap(({ known: { lastError }, location }) =>
    lastError === undefined ? [] : [{ location, reason: lastError._tag }]
  )
  return { error: silent.known.lastError!, isLocal: false, locations }
}

/**
 * Compares the views of two locations. Returns whether the first location has queried the target since the other location last stored a
 * change of the target's state.
 */
const hasQueriedSince = ({ known: { queriedAt = 0 } }: View, other: View): boolean => queriedAt > other.known.stateAt

/**
 * If two locations disagree, returns the state of the target at each location; otherwise `undefined`. Two locations disagree if the target
 * is down at one location, but the last query at the other location got a reply. In addition, each of these two locations must have queried
 * the target after the other location last stored a change of the target's state.
 */
export const findDisagreement = (views: ReadonlyArray<View>): string | undefined => {
  const ups = views.filter(({ known }) => known.state === "up" && known.failures === 0)
  const downs = views.filter(({ known }) => known.state === "down")
  const isOpen = ups.some((up) => downs.some((down) => hasQueriedSince(up, down) && hasQueriedSince(down, up)))
  return isOpen ? views.map(({ known, location }) => `${location}: ${known.state}`).join(", ") : undefined
}
