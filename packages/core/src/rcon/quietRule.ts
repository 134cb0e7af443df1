/**
 * Decides how long to wait for the next part of a reply that has no end mark.
 *
 * Replies of GoldSource have no end mark, and some Source servers do not return the packet that would show the end. A server sends the
 * parts of a reply in quick succession. Therefore a reply counts as complete when no part has arrived for a **quiet period**. The length of
 * the quiet period is calculated as follows:
 *
 * - Usually, the quiet period is twice the measured round-trip time of this server plus four times the variation of this time, because a
 *   retransmitted TCP segment or a busy network can delay a part.
 * - The minimum is 100 ms, because servers send once per frame, and frames are up to 50 ms apart. The maximum is 1 s.
 * - If no round-trip time has been measured yet, the quiet period is 500 ms.
 * - After a part of nearly the maximum size, the quiet period is 2.5 times as long as after other parts (up to 2.5 s), because another part
 *   probably follows.
 *
 * Every part restarts the quiet period.
 */
import { RoundTrip } from "../engine/Retry.ts"

/** Minimum quiet period, in ms. Servers send once per frame, so two parts of a reply may be 50 ms apart. */
export const QUIET_FLOOR_MS = 100

/** Maximum quiet period, in ms. After a part of nearly the maximum size, the quiet period can be 2.5 times as long as this value. */
export const QUIET_CAP_MS = 1000

const UNMEASURED_MS = 500
const NEARLY_FULL_FACTOR = 2.5

/** Collects the round-trip times of one server, and calculates the quiet period from these times. */
export class QuietRule {
  private readonly roundTrip = new RoundTrip()

  /** Smoothed round-trip time in ms; 0 before the first sample. */
  get roundTripMs(): number {
    return this.roundTrip.smoothedMs
  }

  /** Adds a measured round-trip time in ms, from the request to the first byte of the reply. */
  sample(roundTripMs: number): void {
    // A round-trip time of 0 means "not measured", but with a test clock, a measured time can be 0.
    this.roundTrip.sample(Math.max(roundTripMs, 0.001))
  }

  /** The quiet period after a part, in ms. */
  quietMs(nearlyFull: boolean): number {
    const { deviationMs, smoothedMs } = this.roundTrip
    const wanted = smoothedMs === 0 ? UNMEASURED_MS : 2 * smoothedMs + 4 * deviationMs
    return Math.min(QUIET_CAP_MS, Math.max(QUIET_FLOOR_MS, wanted)) * (nearlyFull ? NEARLY_FULL_FACTOR : 1)
  }
}
