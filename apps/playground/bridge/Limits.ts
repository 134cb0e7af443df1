/** Limits of the bridge: per client, in total, and of durations. */

/** Enough for one user with several tabs. */
export const DEFAULT_LIMITS = {
  /** Maximum burst of requests from one client. The allowance is refilled at `perSecond`. */
  burst: 60,
  perSecond: 15,
  /** Maximum number of open streams per client. */
  streams: 12,
  /** Maximum number of open streams of all clients. */
  allStreams: 64,
  /**
   * Maximum number of TCP connections, more than the number of streams. A further connection replaces the connection that has been without
   * a stream for the longest time.
   */
  connections: 128,
  /** Time limit for receiving the headers and the body of a request, in ms. */
  requestMs: 10_000,
  /**
   * Time after which a connection without traffic is closed, in ms. A stream whose reader reads nothing is also closed. The time must be
   * longer than the interval of a watch, which is a minute at most.
   */
  stalledMs: 90_000,
  /** Time limit for a query, a list or a console command, in ms. */
  streamMs: 300_000,
  /** Time limit for a watch, in ms. The page stores at most the last hour. */
  watchMs: 3_600_000
}

/** Limits of a bridge. */
export type BridgeLimits = Readonly<typeof DEFAULT_LIMITS>
