/**
 * Split replies: messages that are sent in several datagrams, the fragments. {@link Reassembler} and {@link join} detect the header layout
 * of the fragments, and join the fragments. Pass the joined reply to `decode`. Servers and tests split a reply with {@link splitDatagram}.
 *
 * @example
 * import { isSplit, join, Reassembler, splitDatagram } from "@sourcewire/protocol/wire"
 * import * as Result from "effect/Result"
 * const datagram = new Uint8Array(3000).fill(255, 0, 4)
 * const fragments = splitDatagram(datagram, { layout: "source", id: 7, maxBytes: 1260 })
 * console.log(fragments.every(isSplit), Result.getOrThrow(join(fragments)).bytes.length) // true 3000
 * const reassembler = new Reassembler()
 * for (const fragment of fragments) console.log(reassembler.add(fragment)._tag, reassembler.missing())
 */
import type * as Result from "effect/Result"
import type { DecodeError } from "./Errors.ts"
import { withoutFtl } from "./Ftl.ts"
import { crc32 } from "./internal/crc32.ts"
import { demandBytes, demandOneOf, demandWhole, noDatagram } from "./internal/edge.ts"
import { demandOptions } from "./UnknownOption.ts"
import { malformed } from "./internal/malformed.ts"
import { type Joined, type JoinedFragment, PartialReply, type SplitLimits } from "./internal/partialReply.ts"
import {
  COMPRESSED_BIT,
  COMPRESSION_HEADER_BYTES,
  HEADER_BYTES,
  mayBeLater,
  probeLayout,
  type SplitLayout
} from "./internal/splitHeader.ts"
import { fail, succeed } from "./internal/result.ts"
import * as Limits from "./Limits.ts"
import { FRAGMENT, isBytes, datagramKind, SPLIT, u32 } from "./Wire.ts"

export type { Joined, JoinedFragment, SplitLayout, SplitLimits }

const defaultLimits: SplitLimits = {
  maxFragments: Limits.MAX_FRAGMENTS,
  maxJoinedBytes: Limits.MAX_JOINED_BYTES,
  maxInflatedBytes: Limits.MAX_INFLATED_BYTES,
  maxPartialReplies: Limits.MAX_PARTIAL_REPLIES
}

/** Options of a {@link Reassembler}. */
export interface ReassemblerOptions extends Partial<SplitLimits> {
  /**
   * Whether the memory of a joined reply is reused for the next reply (default: false). With `true`, the `bytes` of a joined reply are
   * valid only until the next call of `add`. Use `true` only if you decode each reply before you call `add` again.
   */
  readonly reuseMemory?: boolean
}

const REASSEMBLER_OPTIONS = /* @__PURE__ */ [.../* @__PURE__ */ Object.keys(defaultLimits), "reuseMemory"]

/** Minimum size of a fragment, in bytes: the size of the shortest header. */
const MIN_BYTES = HEADER_BYTES.goldsource

/**
 * Joins the split replies of one sender. Datagrams may arrive in any order, more than once, and mixed with the datagrams of other replies.
 * After the reassembler has joined the fragments of a reply, or has discarded them because of an error, it can join a new reply with the
 * same id.
 */
export class Reassembler {
  private readonly limits: SplitLimits
  private readonly reusesMemory: boolean
  /** Incomplete replies, oldest first. */
  private readonly replies: Array<PartialReply> = []
  /** If `reuseMemory` is `true`, the memory of the last joined or discarded reply, which the next reply reuses. */
  private spare: PartialReply | undefined = undefined
  private datagrams = 0

  constructor(options?: ReassemblerOptions) {
    spareCompiler()
    this.limits = options === undefined ? defaultLimits : checkedLimits(demandOptions(options, REASSEMBLER_OPTIONS))
    this.reusesMemory = options?.reuseMemory === true
  }

  /** Number of received fragments of all incomplete replies, without duplicates. */
  get received(): number {
    let sum = 0
    for (const reply of this.replies) sum += reply.received
    return sum
  }

  /**
   * Adds a datagram. Returns the reply that the datagram completes, or `undefined` if more fragments are needed. If the datagram is not a
   * fragment, the method fails with `Malformed`, and the stored fragments do not change. If the method fails for any other reason, it
   * discards all stored fragments with the id of the datagram. The caller may reuse the memory of the datagram after the call.
   */
  add(datagram: Uint8Array): Result.Result<Joined | undefined, DecodeError> {
    if (datagramKind(datagram) !== FRAGMENT) {
      if (!isBytes(datagram)) return fail(noDatagram("Split", datagram))
      this.datagrams++
      return fail(malformed("Split", datagram, "header", 0, "a fragment must begin with FE FF FF FF"))
    }
    const index = this.datagrams++
    if (datagram.length < MIN_BYTES) {
      return fail(
        malformed("Split", datagram, "header", datagram.length, "the datagram ends within the header of a fragment")
      )
    }
    const id = u32(datagram, 4)
    const reply = this.replies.find((one) => one.id === id) ?? this.open(id, datagram)
    if (reply === undefined) {
      return fail(
        malformed("Split", datagram, "number", 8, "the datagram is not a fragment in any of the three layouts")
      )
    }
    const exceeded = reply.add(datagram, index)
    if (exceeded === undefined && !reply.complete) return pending
    this.replies.splice(this.replies.indexOf(reply), 1)
    if (this.reusesMemory && reply.reusable) this.spare = reply
    return exceeded === undefined ? reply.join() : fail(exceeded)
  }

  /** Describes in words which fragments of the oldest incomplete reply are missing; `undefined` if no reply is incomplete. */
  missing(): string | undefined {
    return this.replies[0]?.missing()
  }

  /** Discards the fragments of all incomplete replies. */
  reset(): void {
    this.replies.length = 0
    this.datagrams = 0
  }

  private open(id: number, datagram: Uint8Array): PartialReply | undefined {
    if (probeLayout(datagram) === undefined && !mayBeLater(datagram)) return undefined
    if (this.replies.length >= this.limits.maxPartialReplies) this.replies.shift()
    const reply = this.spare ?? new PartialReply(this.limits)
    this.spare = undefined
    reply.begin(id)
    this.replies.push(reply)
    return reply
  }
}

const checkedLimits = (options: Partial<SplitLimits>): SplitLimits => {
  const entries = Object.entries(defaultLimits).map(([name, value]: [string, number]) => {
    const limit = options[name as keyof SplitLimits] ?? value
    demandWhole(limit, name, 1, Number.MAX_SAFE_INTEGER)
    return [name, limit]
  })
  return Object.fromEntries(entries) as SplitLimits
}

const spareCompiler = /* @__PURE__ */ withoutFtl(() => [Reassembler, PartialReply, probeLayout, u32])

const pending: Result.Result<undefined> = /* @__PURE__ */ succeed(undefined)

/**
 * Joins the fragments of one reply. The fragments can be in any order. If a fragment is missing, the function fails with a `Malformed`
 * whose `field` is `split`.
 */
export const join = (
  datagrams: ReadonlyArray<Uint8Array>,
  limits?: Partial<SplitLimits>
): Result.Result<Joined, DecodeError> => {
  if (!Array.isArray(datagrams)) return fail(noDatagram("Split", datagrams))
  const reassembler = new Reassembler(limits)
  for (const datagram of datagrams) {
    const joined = reassembler.add(datagram)
    if (joined._tag === "Failure") return fail(joined.failure)
    if (joined.success !== undefined) return succeed(joined.success)
  }
  const missing = reassembler.missing() ?? "no fragments"
  return fail(malformed("Split", datagrams[0] ?? new Uint8Array(0), "split", 0, missing))
}

/** Options of {@link splitDatagram}. */
export interface SplitOptions {
  readonly layout: SplitLayout
  /**
   * A 32-bit number that identifies the reply. This number must differ from the id of the sender's previous reply. The function sets bit
   * 31 of the number if `compressed` is given, and clears bit 31 otherwise.
   */
  readonly id: number
  /**
   * Maximum size of a fragment, including its header, in bytes. The defaults are the values of real servers: 1260 for the two Source
   * layouts, and 1400 for the GoldSource layout.
   */
  readonly maxBytes?: number
  /**
   * The datagram, compressed to a bzip2 stream. If this option is given, the fragments contain the stream instead of the datagram. The
   * first fragment also contains the size and the CRC32 of the datagram.
   */
  readonly compressed?: Uint8Array
}

/**
 * Splits a complete datagram into fragments: the inverse of {@link join}. Returns the fragments in the order of their numbers. The datagram
 * can have any size. If the datagram needs more fragments than the layout can number (255, or 15 with GoldSource), the fragments are larger
 * than `maxBytes`.
 */
export const splitDatagram = (datagram: Uint8Array, options: SplitOptions): Array<Uint8Array> => {
  const { compressed, id: given, layout, maxBytes } = demandOptions(options, ["layout", "id", "maxBytes", "compressed"])
  demandBytes(datagram, "datagram")
  demandOneOf(layout, "layout", Object.keys(HEADER_BYTES))
  demandWhole(given, "id", -(2 ** 31), 2 ** 32 - 1)
  if (maxBytes !== undefined) demandWhole(maxBytes, "maxBytes", 0, Number.MAX_SAFE_INTEGER)
  if (compressed !== undefined) demandBytes(compressed, "compressed")
  const payload = compressed === undefined ? datagram : withCompressionHeader(compressed, datagram)
  const header = HEADER_BYTES[layout]
  const most = layout === "goldsource" ? 15 : 255
  const wanted = (maxBytes ?? (layout === "goldsource" ? 1400 : 1260)) - header
  // A receiver detects the layout from the first bytes of the payload. The first fragment must contain all these bytes.
  const least = compressed === undefined ? 4 : COMPRESSION_HEADER_BYTES + 3
  const size = Math.max(wanted, least, Math.ceil(payload.length / most))
  const total = Math.max(1, Math.ceil(payload.length / size))
  const id = compressed === undefined ? given & ~COMPRESSED_BIT : given | COMPRESSED_BIT
  return Array.from({ length: total }, (_, number) => {
    const part = payload.subarray(number * size, (number + 1) * size)
    const fragment = new Uint8Array(header + part.length)
    const view = new DataView(fragment.buffer)
    view.setUint32(0, SPLIT, true)
    view.setInt32(4, id, true)
    if (layout === "goldsource") fragment[8] = (number << 4) | total
    else view.setUint16(8, total | (number << 8), true)
    if (layout === "source") view.setUint16(10, size, true)
    fragment.set(part, header)
    return fragment
  })
}

const withCompressionHeader = (compressed: Uint8Array, original: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(COMPRESSION_HEADER_BYTES + compressed.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, original.length, true)
  view.setUint32(4, crc32(original), true)
  bytes.set(compressed, COMPRESSION_HEADER_BYTES)
  return bytes
}
