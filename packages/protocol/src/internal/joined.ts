/**
 * What joining takes and gives; `Split` exports these types.
 *
 * @module
 */
import type { SplitLayout } from "./splitHeader.ts"

/** Where the payload of one fragment went. */
export interface JoinedFragment {
  /** Which datagram: its place in the list given to `join`, or how many `Reassembler.add` had been given before. */
  readonly datagram: number
  /** Where its payload begins in that datagram: after the header, and after size and CRC32 of a compressed reply. */
  readonly offset: number
  /** Where its payload begins in the joined bytes; of a compressed reply, in the bzip2 stream. */
  readonly start: number
  /** Bytes of its payload. */
  readonly length: number
}

/** A split reply made whole. */
export interface Joined {
  /** The message, from its FF FF FF FF on; inflated. Its own memory, no view of a datagram. */
  readonly bytes: Uint8Array
  /** Which headers the fragments had. */
  readonly layout: SplitLayout
  /** The id as sent, unsigned; bit 31 is set when `compressed`. */
  readonly id: number
  /** How many fragments there were. */
  readonly total: number
  /** Whether it came as bzip2; size and CRC32 then were as announced. */
  readonly compressed: boolean
  /** Every fragment, by number. */
  readonly fragments: ReadonlyArray<JoinedFragment>
}

/** What a `Reassembler` refuses to exceed; see `Limits` for the reasons of what applies otherwise. */
export interface SplitLimits {
  readonly maxFragments: number
  readonly maxJoinedBytes: number
  readonly maxInflatedBytes: number
  readonly maxPartialReplies: number
}
