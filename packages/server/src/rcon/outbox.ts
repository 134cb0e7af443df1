/**
 * The output of an RCON connection, and its TCP segments.
 *
 * By default, each batch of packets is one segment. Only the verdict on a password gets its own, a moment after the empty reply before it,
 * because widely used clients read only the first packet of a segment. With a {@link SegmentFault}, the stream is split and joined as
 * requested, which TCP allows at any byte and clients must support.
 */
import { concatBytes } from "@sourcewire/core/rcon"
import { AUTH_RESPONSE, encodePacket } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"

/** How to split the stream of bytes to a client. */
export interface SegmentFault {
  /** Bytes per segment, at most. */
  readonly segmentBytes?: number
  /** Offsets in the connection's stream at which a segment ends, ascending; a short pause follows each. */
  readonly cutAt?: ReadonlyArray<number>
  /** Delays everything for this long and sends it as one segment, in ms. */
  readonly joinMs?: number
}

/** Long enough that two segments on one machine are two reads. */
const GAP_MS = 15

interface Segment {
  readonly bytes: Uint8Array
  /** The pause before it is sent. */
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

  /** Bytes that are still delayed here. */
  get queuedBytes(): number {
    return [...this.held, ...this.queue.map((segment) => segment.bytes)].reduce((sum, part) => sum + part.length, 0)
  }

  /** Sends packets that were created together. */
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

  /** Sends parts, with a pause after each of these offsets in the connection's stream, which ascend. */
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
