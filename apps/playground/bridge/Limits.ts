/** How much the bridge takes on, for one client and in all, and for how long. */

/** For one reader with several tabs, and far above what a page needs. */
export const DEFAULT_LIMITS = {
  /** Requests of one client that may come at once; they come back at `perSecond`. */
  burst: 60,
  perSecond: 15,
  /** Streams that one client has open at a time. */
  streams: 12,
  /** Streams of all clients together. */
  allStreams: 64,
  /** TCP connections at a time, more than there are streams; for one more, the one is closed that has been without a stream the longest. */
  connections: 128,
  /** Until a request is here, header and body, in ms. */
  requestMs: 10_000,
  /**
   * Until a connection on which nothing moves is closed, in ms; a stream whose reader takes nothing is one. Has to be more than the
   * pause of a watch, which is a minute at most.
   */
  stalledMs: 90_000,
  /** A query, a list or a console command in all, in ms. */
  streamMs: 300_000,
  /** A watch in all, in ms: the page keeps no more than an hour of it. */
  watchMs: 3_600_000
}

/** Limits of a bridge. */
export type BridgeLimits = Readonly<typeof DEFAULT_LIMITS>
