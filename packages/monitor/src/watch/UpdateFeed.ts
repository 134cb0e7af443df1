/** Collects the results of checks, and publishes them to all subscribers once a second. */
import type { Change } from "../store/Store.ts"
import type { Watched } from "./Watched.ts"

/** The updates that are sent to all subscribers at once: the changes and the queried targets since updates were last sent. */
export interface Updates {
  readonly changes: ReadonlyArray<Change>
  /** Targets that were queried. */
  readonly updated: ReadonlyArray<Watched>
}

/** Collects updates while there is at least one subscriber. */
export class UpdateFeed {
  private readonly listeners = new Set<(updates: Updates) => void>()
  private changes: Array<Change> = []
  private updated = new Set<Watched>()

  /** Adds a change. */
  add(change: Change): void {
    if (this.listeners.size > 0) this.changes.push(change)
  }

  /** Adds a target that was queried. */
  touch(target: Watched): void {
    if (this.listeners.size > 0) this.updated.add(target)
  }

  /**
   * Removes the update of a target. Call this method when another instance has taken over the target. The other instance then publishes the
   * updates of the target.
   */
  forget(target: Watched): void {
    this.updated.delete(target)
  }

  /** Sends the updates since the last publication to all subscribers. */
  publish(): void {
    const { changes, updated } = this
    if (changes.length === 0 && updated.size === 0) return
    this.changes = []
    this.updated = new Set()
    for (const listener of this.listeners) listener({ changes, updated: [...updated] })
  }

  /** Calls `listener` with the updates of each publication after this call. The returned function unsubscribes. */
  readonly subscribe = (listener: (updates: Updates) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
