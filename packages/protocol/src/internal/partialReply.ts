/**
 * One incomplete split reply: the fragments of one id. Each payload is copied when its fragment arrives. Fragments nearly always arrive in
 * the order of their numbers. If they arrive in a different order, {@link PartialReply.join | join} copies the payloads a second time, in
 * the order of the numbers.
 */
import type * as Result from "effect/Result"
import { fail, succeed } from "./result.ts"
import { inflate } from "../Bzip2.ts"
import { ChecksumMismatch, type DecodeError, LimitExceeded } from "../Errors.ts"
import { crc32 } from "./crc32.ts"
import {
  COMPRESSION_HEADER_BYTES,
  HEADER_BYTES,
  isCompressed,
  readNumber,
  probeLayout,
  type SplitLayout,
  readTotal
} from "./splitHeader.ts"
import { u32 } from "../Wire.ts"

/** The position of one fragment's payload, in its datagram and in the joined bytes. */
export interface JoinedFragment {
  /**
   * Number of the datagram: its index in the list given to `join`, or the number of datagrams that were added to the `Reassembler` before
   * this datagram.
   */
  readonly datagram: number
  /**
   * Offset of the fragment's payload in this datagram: after the header and, in the first fragment of a compressed reply, after size and
   * CRC32.
   */
  readonly offset: number
  /** Offset of the fragment's payload in the joined bytes, or in the bzip2 stream of a compressed reply. */
  readonly start: number
  /** Size of the fragment's payload, in bytes. */
  readonly length: number
}

/** A joined reply. */
export interface Joined {
  /** The complete, decompressed message, which begins with FF FF FF FF. The bytes are a copy and not a view of a datagram. */
  readonly bytes: Uint8Array
  /** The layout of the fragments. */
  readonly layout: SplitLayout
  /** The id as sent, as an unsigned number. Bit 31 is set if the reply is compressed. */
  readonly id: number
  /** Number of fragments. */
  readonly total: number
  /**
   * Whether the reply was compressed with bzip2. If the reply was compressed, its decompressed size and CRC32 are equal to the values in
   * the first fragment.
   */
  readonly compressed: boolean
  /** All fragments, in the order of their numbers. */
  readonly fragments: ReadonlyArray<JoinedFragment>
}

/** Limits of a `Reassembler`; see `Limits` for the reasons of the defaults. */
export interface SplitLimits {
  readonly maxFragments: number
  readonly maxJoinedBytes: number
  readonly maxInflatedBytes: number
  readonly maxPartialReplies: number
}

/**
 * Maximum size of the memory that is allocated when the fragment with the number 0 arrives. The size suffices for most replies. It is
 * small, because a single fragment may have a spoofed source. Only memory of at most this size is reused for the next reply.
 */
const FIRST_RESERVE_BYTES = 16 * 1024

const NOTHING = /* @__PURE__ */ new Uint8Array(0)

/** The value of `fragments` until the fragment with the number 0 arrives. Only this fragment shows the layout. */
const NO_FRAGMENTS: Array<JoinedFragment | undefined> = []

export class PartialReply {
  /** The id of the fragments as sent, unsigned. Only {@link begin} writes it. */
  id = 0
  private readonly limits: SplitLimits
  private layout: SplitLayout | undefined = undefined
  private total = 0
  private compressed = false
  private inflatedBytes = 0
  private crc32 = 0
  private payloads = NOTHING
  private length = 0
  /** Fragments by number. Until the reply is joined, `start` is an offset in `payloads`. */
  private fragments = NO_FRAGMENTS
  private placed = 0
  private inOrder = true
  /** Fragments that arrived before the fragment with the number 0. Their layout is still unknown. */
  private waiting: Array<{ readonly fragment: Uint8Array; readonly datagram: number }> | undefined = undefined
  private waitingBytes = 0

  constructor(limits: SplitLimits) {
    this.limits = limits
  }

  /**
   * Starts a new reply, whose fragments have the id `id`. The new reply overwrites the previous reply in this object. Therefore call this
   * method only if the object is new or {@link reusable}.
   */
  begin(id: number): void {
    this.id = id
    this.layout = undefined
    this.compressed = false
    this.length = 0
    this.placed = 0
    this.inOrder = true
    this.waitingBytes = 0
  }

  /** Number of fragments that have arrived, without duplicates. */
  get received(): number {
    return this.placed + (this.waiting?.length ?? 0)
  }

  get complete(): boolean {
    return this.layout !== undefined && this.placed === this.total
  }

  /** Whether the object can be reused for the next reply: the reply is complete, and its memory is small. */
  get reusable(): boolean {
    return this.complete && this.payloads.length <= FIRST_RESERVE_BYTES
  }

  /**
   * Adds a fragment that is valid in at least one layout. The method copies the payload or, if the layout is still unknown, the whole
   * fragment. The method ignores a duplicate. It also ignores a fragment that announces a different number of fragments than the fragment
   * with the number 0.
   */
  add(fragment: Uint8Array, datagram: number): LimitExceeded | undefined {
    if (this.layout !== undefined) return this.place(fragment, datagram, this.layout)
    const layout = probeLayout(fragment)
    if (layout === undefined) return this.wait(fragment, datagram)
    this.layout = layout
    this.total = readTotal(fragment, layout)
    this.fragments = []
    if (this.total > this.limits.maxFragments) return this.exceeds("MAX_FRAGMENTS", this.limits.maxFragments)
    const header = HEADER_BYTES[layout]
    if (isCompressed(fragment, layout)) {
      this.compressed = true
      this.inflatedBytes = u32(fragment, header)
      this.crc32 = u32(fragment, header + 4)
    }
    const reserve = Math.min(this.total * (fragment.length - header), FIRST_RESERVE_BYTES)
    if (this.payloads.length < reserve) this.payloads = new Uint8Array(reserve)
    let exceeded = this.place(fragment, datagram, layout)
    for (const early of this.waiting ?? []) exceeded ??= this.place(early.fragment, early.datagram, layout)
    this.waiting = undefined
    return exceeded
  }

  /** Returns the joined reply. Call this method once, when {@link complete} is true. */
  join(): Result.Result<Joined, DecodeError> {
    const payload = this.inOrder ? this.payloads.subarray(0, this.length) : this.reorder()
    if (!this.compressed) return succeed(this.joined(payload))
    const inflated = inflate(payload, this.inflatedBytes, this.limits.maxInflatedBytes)
    if (inflated._tag === "Failure") return fail(inflated.failure)
    const expected = this.crc32
    const actual = crc32(inflated.success)
    if (actual === expected) return succeed(this.joined(inflated.success))
    const message = "the CRC32 of a compressed reply differs from the announced CRC32"
    return fail(new ChecksumMismatch({ message, of: "crc32", expected, actual }))
  }

  /** Describes the missing fragments in words. */
  missing(): string {
    if (this.layout === undefined)
      return `fragment 0 is missing, so the layout is unknown (fragments received: ${this.received})`
    const numbers = Array.from({ length: this.total }, (_, number) => number)
    const absent = numbers.filter((number) => this.fragments[number] === undefined)
    return `${absent.length} of ${this.total} fragments are missing: ${absent.join(", ")}`
  }

  private place(fragment: Uint8Array, datagram: number, layout: SplitLayout): LimitExceeded | undefined {
    const number = readNumber(fragment, layout)
    const offset = HEADER_BYTES[layout] + (number === 0 && this.compressed ? COMPRESSION_HEADER_BYTES : 0)
    if (fragment.length < offset || readTotal(fragment, layout) !== this.total || number >= this.total) return undefined
    if (this.fragments[number] !== undefined) return undefined
    const length = fragment.length - offset
    const start = this.length
    if (start + length > this.limits.maxJoinedBytes) {
      return this.exceeds("MAX_JOINED_BYTES", this.limits.maxJoinedBytes)
    }
    if (start + length > this.payloads.length) this.grow(start + length)
    // For a Buffer, calling `subarray` takes longer than creating this `Uint8Array`.
    this.payloads.set(new Uint8Array(fragment.buffer, fragment.byteOffset + offset, length), start)
    this.length = start + length
    if (number !== this.placed) this.inOrder = false
    this.fragments[number] = { datagram, offset, start, length }
    this.placed++
    return undefined
  }

  private wait(fragment: Uint8Array, datagram: number): LimitExceeded | undefined {
    const { maxFragments, maxJoinedBytes } = this.limits
    const waiting = (this.waiting ??= [])
    // Every layout stores the number of fragments and the number of this fragment in byte 8, or in the bytes 8 and 9. Therefore a fragment
    // with the same bytes 8 and 9 as an earlier fragment is a duplicate.
    if (waiting.some((early) => early.fragment[8] === fragment[8] && early.fragment[9] === fragment[9])) {
      return undefined
    }
    if (waiting.length >= maxFragments) return this.exceeds("MAX_FRAGMENTS", maxFragments)
    this.waitingBytes += fragment.length
    if (this.waitingBytes > maxJoinedBytes) return this.exceeds("MAX_JOINED_BYTES", maxJoinedBytes)
    waiting.push({ fragment: fragment.slice(), datagram })
    return undefined
  }

  private grow(needed: number): void {
    const grown = new Uint8Array(Math.min(Math.max(needed, 2 * this.payloads.length), this.limits.maxJoinedBytes))
    grown.set(this.payloads.subarray(0, this.length))
    this.payloads = grown
  }

  /**
   * Returns the payloads in the order of the numbers of their fragments. The method is needed only if the fragments arrived in a different
   * order.
   */
  private reorder(): Uint8Array {
    const payload = new Uint8Array(this.length)
    let start = 0
    this.fragments = (this.fragments as Array<JoinedFragment>).map((arrived) => {
      payload.set(this.payloads.subarray(arrived.start, arrived.start + arrived.length), start)
      const fragment = { ...arrived, start }
      start += arrived.length
      return fragment
    })
    return payload
  }

  private joined(bytes: Uint8Array): Joined {
    const { compressed, fragments, id, layout, total } = this
    return { bytes, compressed, layout: layout!, id, total, fragments: fragments as Array<JoinedFragment> }
  }

  private exceeds(limit: string, max: number): LimitExceeded {
    return new LimitExceeded({ message: `a split reply exceeds ${limit} (${max})`, limit, max })
  }
}
