/** The server that was removed last, so that the removal can be undone from any view. */
import type { RemovedTarget } from "@sourcewire/monitor/api"
import { signal } from "@preact/signals"

/** Time for which it can be undone. */
const SHOWN_MS = 60_000

export interface Removed extends RemovedTarget {
  /** What it was called. */
  readonly title: string
}

export const removed = signal<Removed | undefined>(undefined)

let timer: ReturnType<typeof setTimeout>

/** Offers to undo a removal for a while. */
export const noteRemoved = (server: Removed): void => {
  clearTimeout(timer)
  removed.value = server
  timer = setTimeout(() => void (removed.value = undefined), SHOWN_MS)
}
