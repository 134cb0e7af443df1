/** How much the bridge takes on, for one client and in all, and for how long. */

/** Limits of a bridge. */
export interface BridgeLimits {
  /** Requests of one client that may come at once; they come back at {@link perSecond}. */
  readonly burst: number
  readonly perSecond: number
  /** Streams that one client has open at a time. */
  readonly streams: number
  /** Streams of all clients together. */
  readonly allStreams: number
  /** TCP connections at a time, more than there are streams; for one more, the one is closed that has been without a stream the longest. */
  readonly connections: number
  /** Until a request is here, header and body, in ms. */
  readonly requestMs: number
  /**
   * Until a connection on which nothing moves is closed, in ms; a stream whose reader takes nothing is one. Has to be more than the
   * pause of a watch, which is a minute at most.
   */
  readonly stalledMs: number
  /** A query, a list or a console command in all, in ms. */
  readonly streamMs: number
  /** A watch in all, in ms: the page keeps no more than an hour of it. */
  readonly watchMs: number
}

/** For one reader with several tabs, and far above what a page needs. */
export const DEFAULT_LIMITS: BridgeLimits = {
  burst: 60,
  perSecond: 15,
  streams: 12,
  allStreams: 64,
  connections: 128,
  requestMs: 10_000,
  stalledMs: 90_000,
  streamMs: 300_000,
  watchMs: 3_600_000
}
