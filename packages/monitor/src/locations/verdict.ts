/**
 * What the locations of a target say in all. Without clock, store and network.
 *
 * @module
 */
import type { Group } from "../config/Config.ts"
import { intervalsUntilTurn } from "../schedule/rhythm.ts"
import type { Turn } from "../watch/observe.ts"
import type { View } from "./Locations.ts"

/** A turn takes so long at most, beyond what its group says, until others can read of it. */
const LATE_MS = 5000

/** Whether a view is as current as it can be: the dead are asked seldom. */
export const isCurrent = ({ known: { askedAt, failures } }: View, group: Group, nowMs: number): boolean =>
  askedAt !== undefined &&
  nowMs - askedAt <= (intervalsUntilTurn(failures, group.downAfter) + 1) * group.intervalMs + LATE_MS

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

/** What each says, where they do not agree: some up, some down, each asked since the other came to its word. */
export const disagreementOf = (views: ReadonlyArray<View>): string | undefined => {
  const of = (state: "up" | "down") => views.filter(({ known }) => known.state === state)
  const isOpen = of("up").some((up) => of("down").some((down) => hasAskedSince(up, down) && hasAskedSince(down, up)))
  return isOpen ? views.map(({ known, location }) => `${location}: ${known.state}`).join(", ") : undefined
}
