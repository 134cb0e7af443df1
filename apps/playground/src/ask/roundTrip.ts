/**
 * A round trip as the page shows it.
 *
 * @module
 */
import type { MeasuredRoundTrip } from "@sourcewire/core"

/** With ≈ where it is a guess. */
export const roundTrip = ({ rttAmbiguous, rttMs }: MeasuredRoundTrip, digits: number): string =>
  `${rttAmbiguous === true ? "≈" : ""}${rttMs.toFixed(digits)} ms`
