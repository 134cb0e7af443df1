/**
 * How much of a receive queue a reply takes up, and therefore how many replies may come at once before the system drops some.
 */
import { USUAL_RECEIVE_BUFFER_BYTES } from "../Limits.ts"

/** Part of a receive queue, in bytes, that the largest burst of one server takes on Linux, bookkeeping included. */
export const BURST_BYTES = {
  info: 1280,
  players: 2304,
  rules: 5 * 2304,
  all: 5 * 2304
}

/** Usable share of a receive queue: Linux frees the room of datagrams that were read a quarter at a time. */
const USABLE_SHARE = 0.7

/** How many bursts of that size fit, perhaps not a whole number. The default `queueBytes` is the usual size. */
export const burstsThatFit = (burstBytes: number, queueBytes: number = USUAL_RECEIVE_BUFFER_BYTES): number =>
  (USABLE_SHARE * queueBytes) / burstBytes
