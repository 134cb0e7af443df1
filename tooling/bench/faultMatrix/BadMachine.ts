/**
 * The client's own machine on a bad day, in virtual time: timers that come late, and a process that is stopped for a while in every
 * second, in which neither timers nor datagrams reach it.
 */
import type { Timing } from "@sourcewire/core/engine"

/** What the machine does to the program. */
export interface MachineFaults {
  /** How late a timer may come, evenly from 0 up to this, in ms. */
  readonly lateTimersMs?: number
  /** For how long the process does not run in every second, in ms; at most 999. */
  readonly stoppedMs?: number
}

const SECOND_MS = 1000

/** Time as the program sees it on that machine. */
export class BadMachine implements Timing {
  private readonly time: Timing
  private readonly faults: MachineFaults
  private readonly random: () => number

  constructor(time: Timing, faults: MachineFaults, random: () => number) {
    this.time = time
    this.faults = faults
    this.random = random
  }

  readonly now = (): number => this.time.now()

  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const { lateTimersMs = 0 } = this.faults
    const late = lateTimersMs > 0 ? this.random() * lateTimersMs : 0
    let cancel = this.time.schedule(delayMs + late, () => {
      cancel = this.whenRunning(run)
    })
    return () => cancel()
  }

  /** Runs at once, or as soon as the process does. */
  whenRunning(run: () => void): () => void {
    const { stoppedMs = 0 } = this.faults
    const inSecond = this.time.now() % SECOND_MS
    if (inSecond >= stoppedMs) {
      run()
      return () => {}
    }
    return this.time.schedule(stoppedMs - inSecond, run)
  }
}
