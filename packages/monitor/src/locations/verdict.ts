/** What the locations of a target say in all. Without clock, store and network. */
import type { Group } from "../config/Config.ts"
import { intervalsUntilTurn } from "../schedule/rhythm.ts"
import type { Turn } from "../watch/observe.ts"
import type { View } from "./Locations.ts"

/** It takes so long at most until others can read of a turn that has ended. */
const WRITTEN_MS = 2000
/** Questions of a turn. */
const QUESTIONS = { info: 1, all: 3 } as const

/** Whether a view is as current as it can be: the dead are asked seldom. */
export const isCurrent = (
  { known: { askedAt, failures } }: View,
  { downAfter, intervalMs, way: { query, timeoutMs } }: Group,
  nowMs: number
): boolean =>
  askedAt !== undefined &&
  nowMs - askedAt <=
    (intervalsUntilTurn(failures, downAfter) + 1) * intervalMs + QUESTIONS[query] * timeoutMs + WRITTEN_MS

const NOBODY: Turn = {
  trouble: { _tag: "NotAsked", message: "No location that is to ask this server has asked it lately." },
  isOurs: true
}

/** An answer where one has it, in their order; a failed turn where the last one of all failed. */
export const verdictOf = (views: ReadonlyArray<View>): Turn => {
  const answering = views.find(({ known }) => known.failures === 0 && known.last !== undefined)
  if (answering !== undefined) return { answer: answering.known.last! }
  const silent = views.find(({ known }) => known.failures > 0)
  return silent === undefined ? NOBODY : { trouble: silent.known.trouble!, isOurs: false }
}

/** Whether a view has been renewed since the other came to its word. */
const hasAskedSince = ({ known: { askedAt = 0 } }: View, other: View): boolean => askedAt > other.known.stateAt

/** What each says, where they do not agree: some up, some down, each asked since the other came to its word, and was answered or not. */
export const disagreementOf = (views: ReadonlyArray<View>): string | undefined => {
  const ups = views.filter(({ known }) => known.state === "up" && known.failures === 0)
  const downs = views.filter(({ known }) => known.state === "down")
  const isOpen = ups.some((up) => downs.some((down) => hasAskedSince(up, down) && hasAskedSince(down, up)))
  return isOpen ? views.map(({ known, location }) => `${location}: ${known.state}`).join(", ") : undefined
}
