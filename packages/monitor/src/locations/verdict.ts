/** What the locations of a target say in all. Without clock, store and network. */
import type { Group } from "../config/Config.ts"
import type { Turn } from "../watch/observe.ts"
import { chooseInterval } from "../watch/Watched.ts"
import type { View } from "./View.ts"

/** It takes so long at most until others can read of a turn that has ended. */
const WRITTEN_MS = 2000
/** Questions of a turn. */
const QUESTIONS = { info: 1, all: 3 } as const

/** Whether a view is as current as it can be: a target that is down has an interval of its own. */
export const isCurrent = ({ known }: View, group: Group, nowMs: number): boolean => {
  const { intervalMs, way } = group
  const longest = chooseInterval(group, known) + intervalMs + QUESTIONS[way.query] * way.timeoutMs + WRITTEN_MS
  return known.askedAt !== undefined && nowMs - known.askedAt <= longest
}

const NOBODY: Turn = {
  trouble: { _tag: "NotAsked", message: "No location that is to ask this server has asked it lately." },
  isOurs: true
}

/** An answer where one has it, in their order; a failed turn where the last one of all failed. */
export const combineViews = (views: ReadonlyArray<View>): Turn => {
  const answering = views.find(({ known }) => known.failures === 0 && known.last !== undefined)
  if (answering !== undefined) return { answer: answering.known.last! }
  const silent = views.find(({ known }) => known.failures > 0)
  if (silent === undefined) return NOBODY
  const locations = views.flatMap(({ known: { trouble }, location }) =>
    trouble === undefined ? [] : [{ location, reason: trouble._tag }]
  )
  return { trouble: silent.known.trouble!, isOurs: false, locations }
}

/** Whether a view has been renewed since the other came to its word. */
const hasAskedSince = ({ known: { askedAt = 0 } }: View, other: View): boolean => askedAt > other.known.stateAt

/** What each says, where they do not agree: some up, some down, each asked since the other came to its word, and was answered or not. */
export const findDisagreement = (views: ReadonlyArray<View>): string | undefined => {
  const ups = views.filter(({ known }) => known.state === "up" && known.failures === 0)
  const downs = views.filter(({ known }) => known.state === "down")
  const isOpen = ups.some((up) => downs.some((down) => hasAskedSince(up, down) && hasAskedSince(down, up)))
  return isOpen ? views.map(({ known, location }) => `${location}: ${known.state}`).join(", ") : undefined
}
