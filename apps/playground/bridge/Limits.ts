/**
 * How much the bridge takes on, for one client and in all, and for how long.
 *
 * @module
 */

/** Streams at a time, of all clients together. */
export const MAX_STREAMS = 64

/** TCP connections at a time; for one more, the one is closed that has been without a stream the longest. */
export const MAX_CONNECTIONS = 128

/** Until a request is here, header and body, in ms. */
export const MAX_REQUEST_MS = 10_000

/** Until a connection on which nothing moves is closed, in ms; a stream whose reader takes nothing is one. */
export const MAX_STALLED_MS = 90_000

/** A query, a list or a console command in all, in ms. */
export const MAX_STREAM_MS = 300_000

/** A watch in all, in ms: the page keeps no more than an hour of it. */
export const MAX_WATCH_MS = 3_600_000

/** Limits of a bridge. */
export interface BridgeLimits {
  /** Requests of one client that may come at once; they come back at {@link perSecond}. */
  readonly burst: number
  readonly perSecond: number
  /** Streams that one client has open at a time. */
  readonly streams: number
  /** Streams of all clients, {@link MAX_STREAMS} unless given. */
  readonly allStreams: number
  /** See {@link MAX_CONNECTIONS}; has to be more than there are streams. */
  readonly connections: number
  /** See {@link MAX_REQUEST_MS}. */
  readonly requestMs: number
  /** See {@link MAX_STALLED_MS}; has to be more than the pause of a watch, which is a minute at most. */
  readonly stalledMs: number
  /** See {@link MAX_STREAM_MS}. */
  readonly streamMs: number
  /** See {@link MAX_WATCH_MS}. */
  readonly watchMs: number
}

/** For one reader with several tabs, and far above what a page needs. */
export const DEFAULT_LIMITS: BridgeLimits = {
  burst: 60,
  perSecond: 15,
  streams: 12,
  allStreams: MAX_STREAMS,
  connections: MAX_CONNECTIONS,
  requestMs: MAX_REQUEST_MS,
  stalledMs: MAX_STALLED_MS,
  streamMs: MAX_STREAM_MS,
  watchMs: MAX_WATCH_MS
}
