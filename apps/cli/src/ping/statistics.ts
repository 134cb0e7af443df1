/** Computes the statistics of pings. */
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { roundMs } from "../view/quantities.ts"

/** The statistics that results contain. All times are in ms. Before the first reply, the times are absent. */
export interface PingStatistics {
  readonly sent: number
  readonly received: number
  readonly lossPercent: number
  /**
   * Whether all round-trip times are ambiguous. If at least one round-trip time is exact, the values below are computed only from exact
   * times.
   */
  readonly rttAmbiguous?: true
  readonly minMs?: number
  readonly avgMs?: number
  readonly maxMs?: number
  /** Mean difference between consecutive round-trip times. */
  readonly jitterMs?: number
}

/** Updates statistics with each round-trip time that is added. The memory does not grow with the number of round-trip times. */
class Times {
  count = 0
  minMs = Infinity
  maxMs = 0
  meanMs = 0
  #lastMs = 0
  #steps = 0
  #squares = 0

  add(ms: number): void {
    this.count++
    this.minMs = Math.min(this.minMs, ms)
    this.maxMs = Math.max(this.maxMs, ms)
    if (this.count > 1) this.#steps += Math.abs(ms - this.#lastMs)
    this.#lastMs = ms
    // Welford's algorithm computes the deviation, because sums of squares would lose precision for large times.
    const off = ms - this.meanMs
    this.meanMs += off / this.count
    this.#squares += off * (ms - this.meanMs)
  }

  get jitterMs(): number {
    return this.count < 2 ? 0 : this.#steps / (this.count - 1)
  }

  get deviationMs(): number {
    return this.count === 0 ? 0 : Math.sqrt(this.#squares / this.count)
  }
}

/** Number of round-trip times that are stored individually, for the bars. */
const REMEMBERED = 512

export class PingTally {
  sent = 0
  received = 0
  /** The last round-trip times in order. `undefined` stands for a lost ping. */
  readonly recent: Array<number | undefined> = []
  readonly #facts = new Times()
  readonly #guesses = new Times()

  add(answer: MeasuredRoundTrip | undefined): void {
    this.sent++
    this.recent.push(answer?.rttMs)
    if (this.recent.length > REMEMBERED) this.recent.shift()
    if (answer === undefined) return
    this.received++
    const times = answer.rttAmbiguous === true ? this.#guesses : this.#facts
    times.add(answer.rttMs)
  }

  /** Packet loss in percent, with one decimal. */
  get lossPercent(): number {
    return this.sent === 0 ? 0 : Math.round(((this.sent - this.received) / this.sent) * 1000) / 10
  }

  get statistics(): PingStatistics {
    const { lossPercent, received, sent } = this
    if (received === 0) return { sent, received, lossPercent }
    const { times } = this
    return {
      sent,
      received,
      lossPercent,
      ...(times === this.#guesses ? { rttAmbiguous: true } : {}),
      minMs: roundMs(times.minMs),
      avgMs: roundMs(times.meanMs),
      maxMs: roundMs(times.maxMs),
      jitterMs: roundMs(times.jitterMs)
    }
  }

  /** The statistics of the exact times, or of the ambiguous times if no time is exact. */
  get times(): Times {
    return this.#facts.count > 0 ? this.#facts : this.#guesses
  }
}
