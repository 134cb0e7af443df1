/**
 * How much of a socket's receive queue an answer takes, and so how many may come at once before the system drops some.
 */
import { USUAL_RECEIVE_BUFFER_BYTES } from "../Limits.ts"

/** Part of a receive queue, in bytes, that the largest burst of one server takes on Linux, bookkeeping included. */
export const BURST_BYTES = {
  info: 1280,
  players: 2304,
  rules: 5 * 2304,
  all: 5 * 2304
}

/** Part of a receive queue that can be counted on: Linux gives the room of datagrams that were read back a quarter at a time. */
const USABLE_SHARE = 0.7

/** How many bursts of that size fit, perhaps not a whole number. Without `queueBytes` the queue is as large as usual. */
export const burstsThatFit = (burstBytes: number, queueBytes: number = USUAL_RECEIVE_BUFFER_BYTES): number =>
  (USABLE_SHARE * queueBytes) / burstBytes
