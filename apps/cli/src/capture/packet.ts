/**
 * What a capture file holds, whichever format it has.
 *
 * @module
 */
import * as Data from "effect/Data"

/** One captured frame. */
export interface Packet {
  /** Nanoseconds since 1970; `undefined` where the format has no times. */
  readonly timeNs: bigint | undefined
  /** Number of the link layer's format, from the list that both file formats share. */
  readonly linkType: number
  /** As much of the frame as was kept. */
  readonly data: Uint8Array
}

/** The file is no capture, or breaks off. */
export class InvalidCapture extends Data.TaggedError("InvalidCapture")<{
  /** A sentence for people. */
  readonly message: string
}> {}

/** Bytes of the largest frame or block that is read: tcpdump keeps 256 kB at most, a block adds its options. */
export const MAX_BLOCK_BYTES = 16 * 1024 * 1024

/** Milliseconds around 1970 that a `Date` can hold. */
const MAX_DATE_MS = 8_640_000_000_000_000n

/** When, to the microsecond and in UTC, as in `2026-11-21T08:15:00.123456Z`; `undefined` for what no calendar has. */
export const isoTime = (timeNs: bigint): string | undefined => {
  const timeMs = timeNs / 1_000_000n
  if (timeNs < 0n || timeMs > MAX_DATE_MS) return undefined
  const seconds = new Date(Number(timeMs)).toISOString().slice(0, -"000Z".length)
  return `${seconds}${String((timeNs / 1000n) % 1_000_000n).padStart(6, "0")}Z`
}
