/** Stores the server that the user removed last, so that any view can undo the removal. */
import type { RemovedTarget } from "@sourcewire/monitor/api"
import { signal } from "@preact/signals"

/** Milliseconds during which the user can undo the removal. */
const SHOWN_MS = 60_000

export interface Removed extends RemovedTarget {
  /** The name of the server. */
  readonly title: string
}

export const removed = signal<Removed | undefined>(undefined)

let timer: ReturnType<typeof setTimeout>

/** Stores a removed server, so that the user can undo the removal within {@link SHOWN_MS}. */
export const noteRemoved = (server: Removed): void => {
  clearTimeout(timer)
  removed.value = server
  timer = setTimeout(() => void (removed.value = undefined), SHOWN_MS)
}
