/** Computes the statistics of pings. */
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { roundMs } from "../view/quantities.ts"

/**
 * The statistics of the pings of a target. The command prints these statistics. All times are in ms. If the target has not replied, the
 * times are absent.
 */
export interface PingStatistics {
  readonly sent: number
  readonly received: number
  readonly lossPercent: number
  /**
   * `true` if all round-trip times are ambiguous. If at least one round-trip time is not ambiguous, this property is absent, and the times
   * below are computed without the ambiguous round-trip times.
   */
  readonly rttAmbiguous?: true
  readonly minMs?: number
  readonly avgMs?: number
  readonly maxMs?: number
  /** Mean of the absolute differences between consecutive round-trip times. */
  readonly jitterMs?: number
}

/**
 * Computes the statistics of round-trip times. This class does not store each round-trip time. Therefore its memory use does not grow with
 * the number of pings.
 */
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
    // The deviation is computed with Welford's algorithm. A plain sum of the squared times would lose precision if the times are large.
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

/** The live view shows a bar for each of the last pings. This is the maximum number of pings that are stored for these bars. */
const REMEMBERED = 512

export class PingTally {
  sent = 0
  received = 0
  /** The round-trip times of the last pings, oldest first. `undefined` stands for a lost ping. */
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

  /**
   * If all round-trip times are ambiguous, these are the statistics of all round-trip times. Otherwise, these are the statistics of the
   * round-trip times that are not ambiguous.
   */
  get times(): Times {
    return this.#facts.count > 0 ? this.#facts : this.#guesses
  }
}
