/** What has come of turns, told to all who listen once a second. */
import type { Change } from "../store/Store.ts"
import type { News } from "./Monitor.ts"
import type { Watched } from "./Watched.ts"

/** Gathers news while somebody listens, and tells them. */
export class Bulletin {
  private readonly listeners = new Set<(news: News) => void>()
  private changes: Array<Change> = []
  private updated = new Set<Watched>()

  /** Something changed at a target. */
  add(change: Change): void {
    if (this.listeners.size > 0) this.changes.push(change)
  }

  /** A target was asked. */
  touch(target: Watched): void {
    if (this.listeners.size > 0) this.updated.add(target)
  }

  /** Somebody else tells of it. */
  forget(target: Watched): void {
    this.updated.delete(target)
  }

  /** Tells what has come since the last time. */
  tell(): void {
    const { changes, updated } = this
    if (changes.length === 0 && updated.size === 0) return
    this.changes = []
    this.updated = new Set()
    for (const listener of this.listeners) listener({ changes, updated: [...updated] })
  }

  /** Calls `listener` with what has come; the result ends that. */
  readonly subscribe = (listener: (news: News) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
