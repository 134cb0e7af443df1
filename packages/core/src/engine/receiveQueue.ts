/** Computes how many replies can arrive at once before a receive queue is full and the system drops datagrams. */
import { DEFAULT_RECEIVE_BUFFER_BYTES } from "../Limits.ts"

/**
 * For each kind of query: the space that the largest usual reply occupies in a receive queue on Linux, in bytes. This space includes the
 * kernel's own data about the datagrams.
 */
export const BURST_BYTES = {
  info: 1280,
  players: 2304,
  rules: 5 * 2304,
  all: 5 * 2304
}

/**
 * Usable share of a receive queue. The rest of the queue may be occupied by datagrams that were already read: Linux releases their space
 * only after a quarter of the queue has been read.
 */
const USABLE_SHARE = 0.7

/** How many replies of `burstBytes` fit into a receive queue; not rounded. The default of `queueBytes` is the usual size of a queue. */
export const burstsThatFit = (burstBytes: number, queueBytes: number = DEFAULT_RECEIVE_BUFFER_BYTES): number =>
  (USABLE_SHARE * queueBytes) / burstBytes
