/**
 * Limits the datagrams that a proxy sends to a game server. ReHLDS and HLDS accept 3 queries per second from an address, averaged over a
 * minute (`max_queries_sec`, `max_queries_window`). If an address exceeds this limit, these servers drop all datagrams from the address.
 * Therefore the proxy makes a longer pause than usual after a cycle that needed many datagrams because of packet loss.
 */

/**
 * Maximum number of datagrams per refresh interval, on average. With the default interval of 2 s, the proxy sends at most 135 datagrams per
 * minute. A cycle without packet loss needs about 3 datagrams.
 */
const PER_CYCLE = 4.5

/**
 * Maximum number of datagrams that the proxy may send at once after a pause. The number is larger than the usual need of a cycle, because
 * the first cycle must also request a challenge.
 */
const BURST = 10

/** Counts the datagrams that the proxy sends to one game server. All times are in ms of the same monotonic clock. */
export class Budget {
  private readonly msPerDatagram: number
  private left = BURST
  private countedAt: number

  constructor(refreshMs: number, now: number) {
    this.msPerDatagram = refreshMs / PER_CYCLE
    this.countedAt = now
  }

  /** Counts `datagrams` as sent at `now`. Returns the time until the next datagram is allowed, in ms. */
  spend(datagrams: number, now: number): number {
    this.left = Math.min(BURST, this.left + (now - this.countedAt) / this.msPerDatagram) - datagrams
    this.countedAt = now
    return Math.max(0, -this.left * this.msPerDatagram)
  }
}
