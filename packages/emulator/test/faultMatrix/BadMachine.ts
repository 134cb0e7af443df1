/**
 * Simulates a busy client machine in virtual time. Timers run late, and the process is stopped for a part of every second. A stopped
 * process runs no timers and receives no datagrams.
 */
import type { Timing } from "@sourcewire/core/engine"

export interface MachineFaults {
  /** Maximum delay of a timer, in ms. The delays are uniformly distributed between 0 and this maximum. */
  readonly lateTimersMs?: number
  /** How long the process is stopped in every second, in ms (at most 999). */
  readonly stoppedMs?: number
}

const SECOND_MS = 1000

/** The clock and the timers of a program that runs on the busy machine. */
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

  /** Calls `run` immediately if the process is not stopped. Otherwise, calls `run` as soon as the process continues. */
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
