/**
 * Computes how much of a receive queue a reply occupies, and therefore how many replies may arrive at once before the system drops some.
 */
import { USUAL_RECEIVE_BUFFER_BYTES } from "../Limits.ts"

/** Bytes of a receive queue that the largest burst of one server occupies on Linux, including the kernel's bookkeeping. */
export const BURST_BYTES = {
  info: 1280,
  players: 2304,
  rules: 5 * 2304,
  all: 5 * 2304
}

/**
 * Usable share of a receive queue. Linux does not release the space of each datagram at once, but only after a quarter of the queue has
 * been read.
 */
const USABLE_SHARE = 0.7

/** How many bursts of this size fit into a receive queue; not rounded. `queueBytes` defaults to the usual size of a queue. */
export const burstsThatFit = (burstBytes: number, queueBytes: number = USUAL_RECEIVE_BUFFER_BYTES): number =>
  (USABLE_SHARE * queueBytes) / burstBytes
