/**
 * How long to wait for one more part of a reply that has no end mark.
 *
 * GoldSource RCON never says that a reply is over, and some Source servers don't echo the packet that would tell. What is left is
 * silence: parts of one reply are sent in one go, so they arrive close together, and the reply is taken as whole when nothing
 * more has come for a **quiet period** after the last part:
 *
 * - twice the round trip time plus four times its variation, as measured on this server, because a part may be held up by one
 *   lost and repeated TCP segment or by a busy path;
 * - at least 100 ms (servers work once per frame, up to 50 ms) and at most 1 s;
 * - 500 ms as long as nothing has been measured;
 * - two and a half times as long after a part that is nearly as large as a part can be, since then more is likely to come.
 *
 * Every part starts the period anew.
 */
import { RoundTrip } from "../engine/Retry.ts"

/** Shortest quiet period: servers answer once per frame, so parts may be 50 ms apart. */
export const QUIET_FLOOR_MS = 100

/** Longest quiet period after a part that does not look cut. */
export const QUIET_CAP_MS = 1000

const UNMEASURED_MS = 500
const NEARLY_FULL_FACTOR = 2.5

/** Round trip times seen on one server, and the quiet period that follows from them. */
export class QuietRule {
  private readonly roundTrip = new RoundTrip()

  /** Smoothed round trip time; 0 before the first sample. */
  get roundTripMs(): number {
    return this.roundTrip.smoothedMs
  }

  /** Takes in one measured round trip: request sent to first byte of its reply. */
  sample(roundTripMs: number): void {
    // 0 stands for "not measured", and a test's clock can measure it.
    this.roundTrip.sample(Math.max(roundTripMs, 0.001))
  }

  /** How long to wait after a part. */
  quietMs(nearlyFull: boolean): number {
    const { deviationMs, smoothedMs } = this.roundTrip
    const wanted = smoothedMs === 0 ? UNMEASURED_MS : 2 * smoothedMs + 4 * deviationMs
    return Math.min(QUIET_CAP_MS, Math.max(QUIET_FLOOR_MS, wanted)) * (nearlyFull ? NEARLY_FULL_FACTOR : 1)
  }
}
