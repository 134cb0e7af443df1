/** Statistics of pings. */
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { roundMs } from "../view/quantities.ts"

/** As results have it. Times in ms, absent until one came back. */
export interface PingStatistics {
  readonly sent: number
  readonly received: number
  readonly lossPercent: number
  /** All times are guesses; where there is a round trip that is none, the guesses are left out of them. */
  readonly rttAmbiguous?: true
  readonly minMs?: number
  readonly avgMs?: number
  readonly maxMs?: number
  /** Mean difference between one round trip and the next. */
  readonly jitterMs?: number
}

/** Running statistics, which need constant memory however long the pings run. */
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
    // Welford: the squares of large times would drown their differences.
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

/** Pings that are remembered one by one, for the line that is drawn of them. */
const REMEMBERED = 512

export class PingTally {
  sent = 0
  received = 0
  /** The last ones in order; `undefined` for one that was lost. */
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

  /** In percent, with one digit behind the point. */
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

  /** Facts where there are any. */
  get times(): Times {
    return this.#facts.count > 0 ? this.#facts : this.#guesses
  }
}
