/**
 * How many datagrams a proxy sends to one game server over time. ReHLDS and HLDS accept 3 queries per second from an address, averaged
 * over a minute (`max_queries_sec`, `max_queries_window`), and then drop everything from that address. A cycle that needs many datagrams,
 * because replies are lost, is therefore followed by a longer pause.
 */

/** Datagrams per refresh interval in the long run: 135 a minute with the default interval of 2 s. A cycle without loss sends about 3. */
const PER_CYCLE = 4.5

/** Datagrams that may be sent at once after a quiet time: the first cycle has all challenges to fetch. */
const BURST = 10

/** The budget of one game server. All times are ms of one steady clock. */
export class Budget {
  private readonly msPerDatagram: number
  private left = BURST
  private countedAt: number

  constructor(refreshMs: number, now: number) {
    this.msPerDatagram = refreshMs / PER_CYCLE
    this.countedAt = now
  }

  /** Counts datagrams that were sent, and returns how long to wait until the next may be, in ms. */
  spend(datagrams: number, now: number): number {
    this.left = Math.min(BURST, this.left + (now - this.countedAt) / this.msPerDatagram) - datagrams
    this.countedAt = now
    return Math.max(0, -this.left * this.msPerDatagram)
  }
}
