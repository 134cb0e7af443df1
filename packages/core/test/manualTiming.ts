/** A manual clock for tests that do not use Effect. */
import type { Timing } from "../src/engine/Timing.ts"

/** A clock whose time changes only when a test calls `advance`. */
export class ManualTiming implements Timing {
  time = 0
  /** Number of timers that have run. */
  runs = 0
  readonly timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  readonly now = () => this.time
  readonly schedule = (delayMs: number, run: () => void) => {
    const key = {}
    this.timers.set(key, { at: this.time + delayMs, run })
    return () => void this.timers.delete(key)
  }

  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const next = [...this.timers].sort(([, a], [, b]) => a.at - b.at)[0]
      if (next === undefined || next[1].at > end) break
      this.timers.delete(next[0])
      this.time = Math.max(this.time, next[1].at)
      this.runs++
      next[1].run()
    }
    this.time = end
  }
}
