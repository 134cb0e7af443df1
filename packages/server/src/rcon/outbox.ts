/**
 * Sends the output of an RCON connection in TCP segments.
 *
 * By default, packets that are created at the same time are sent as one segment. The only exception is the result of a login. It is sent in
 * its own segment, shortly after the segment with the preceding empty reply, because widely used clients read only the first packet of a
 * segment. A {@link SegmentFault} changes where the stream is split. TCP allows a split at any byte, and clients must support every split.
 */
import { concatBytes } from "@sourcewire/inside/bytes"
import { AUTH_RESPONSE, encodePacket } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"

/** How to split the stream of bytes to a client into segments. */
export interface SegmentFault {
  /** Maximum number of bytes per segment. */
  readonly segmentBytes?: number
  /** Ascending offsets in the stream at which a segment ends. A short pause follows each of these segments. */
  readonly cutAt?: ReadonlyArray<number>
  /** Time in ms during which output is collected. The collected output is sent as one segment. */
  readonly joinMs?: number
}

/** Pause between two segments, in ms. It is long enough for a receiver on the same host to read the segments separately. */
const GAP_MS = 15

interface Segment {
  readonly bytes: Uint8Array
  /** The pause before this segment is sent, in ms. */
  readonly gapMs: number
}

export class Outbox {
  private readonly write: (bytes: Uint8Array) => void
  private readonly after: (ms: number, then: () => void) => void
  private readonly fault: SegmentFault
  private offset = 0
  private readonly held: Array<Uint8Array> = []
  private queue: Array<Segment> = []
  private waiting = false

  constructor(
    write: (bytes: Uint8Array) => void,
    after: (ms: number, then: () => void) => void,
    fault: SegmentFault | undefined
  ) {
    this.write = write
    this.after = after
    this.fault = fault ?? {}
  }

  /** Number of bytes that have not been sent yet. */
  get queuedBytes(): number {
    return [...this.held, ...this.queue.map((segment) => segment.bytes)].reduce((sum, part) => sum + part.length, 0)
  }

  /** Sends a batch of packets: packets that were created at the same time. */
  push(packets: ReadonlyArray<SourceRconPacket>): void {
    if (packets.length === 0) return
    const { cutAt = [], joinMs } = this.fault
    const parts = packets.map(encodePacket)
    if (joinMs !== undefined) {
      if (this.held.push(...parts) > parts.length) return
      this.after(joinMs, () => this.cut(this.held.splice(0), cutAt))
      return
    }
    const cuts = [...cutAt]
    let end = this.offset
    for (const [i, { type }] of packets.entries()) {
      if (type === AUTH_RESPONSE && i > 0) cuts.push(end)
      end += parts[i]!.length
    }
    cuts.sort((a, b) => a - b)
    this.cut(parts, cuts)
  }

  /**
   * Sends the next bytes of the stream. `cuts` contains ascending offsets in the stream: a segment ends at each offset, and a pause follows
   * the segment.
   */
  private cut(parts: ReadonlyArray<Uint8Array>, cuts: ReadonlyArray<number>): void {
    const bytes = concatBytes(parts)
    const { segmentBytes = Number.POSITIVE_INFINITY } = this.fault
    let gapMs = 0
    for (let start = 0; start < bytes.length;) {
      const position = this.offset + start
      const cut = cuts.find((offset) => offset > position) ?? Number.POSITIVE_INFINITY
      const end = Math.min(bytes.length, start + segmentBytes, cut - this.offset)
      this.queue.push({ bytes: bytes.subarray(start, end), gapMs })
      gapMs = this.offset + end === cut ? GAP_MS : 0
      start = end
    }
    this.offset += bytes.length
    this.drain()
  }

  private drain(): void {
    while (!this.waiting && this.queue.length > 0) {
      const { bytes, gapMs } = this.queue[0]!
      if (gapMs > 0) {
        this.waiting = true
        this.queue[0] = { bytes, gapMs: 0 }
        this.after(gapMs, () => {
          this.waiting = false
          this.drain()
        })
        return
      }
      this.queue.shift()
      this.write(bytes)
    }
  }
}
