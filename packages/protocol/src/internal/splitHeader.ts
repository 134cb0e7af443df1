/**
 * The three header layouts of a fragment. No field identifies the layout. Only the first fragment shows which layout a reply has: at the
 * payload's offset in this layout, a message or a compressed reply begins.
 *
 * ```
 * source          FE FF FF FF  id(4)  total(1)  number(1)  size(2)  payload
 * source-no-size  FE FF FF FF  id(4)  total(1)  number(1)           payload
 * goldsource      FE FF FF FF  id(4)  number << 4 | total (1)       payload
 * ```
 *
 * The numbers in parentheses are sizes in bytes. In a compressed reply, bit 31 of the id is set, and the payload of the first fragment
 * begins with the decompressed size (4) and the CRC32 (4).
 */
import { u32, WHOLE } from "../Wire.ts"

/** Layout of the header: 12, 10 or 9 bytes. */
export type SplitLayout = "source" | "source-no-size" | "goldsource"

/** Size of the header in each layout, in bytes. */
export const HEADER_BYTES: Readonly<Record<SplitLayout, number>> = { source: 12, "source-no-size": 10, goldsource: 9 }

/** Bit of the id that marks a compressed reply; some servers also set this bit in the ids of plain replies. */
export const COMPRESSED_BIT = 0x80000000

/** Size of the two fields before the bzip2 stream (decompressed size and CRC32), in bytes. */
export const COMPRESSION_HEADER_BYTES = 8

/**
 * The layouts, in the order in which {@link probeLayout} tests them. No server sends FF FF as a size. Therefore, if FF FF is at the offset
 * of the size, the reply has no size, and these bytes are the beginning of the message. For this reason, the layout without a size is
 * tested first.
 */
const LAYOUTS: ReadonlyArray<SplitLayout> = ["source-no-size", "source", "goldsource"]

/** The number of fragments, according to this fragment. */
export const readTotal = (fragment: Uint8Array, layout: SplitLayout): number =>
  layout === "goldsource" ? fragment[8]! & 0x0f : fragment[8]!

/** The number of this fragment, from 0. */
export const readNumber = (fragment: Uint8Array, layout: SplitLayout): number =>
  layout === "goldsource" ? fragment[8]! >> 4 : fragment[9]!

/** Whether a bzip2 stream begins at `offset` (with `BZh`). */
const bzip2At = (bytes: Uint8Array, offset: number): boolean =>
  bytes[offset] === 0x42 && bytes[offset + 1] === 0x5a && bytes[offset + 2] === 0x68

/** Whether the payload of a first fragment is compressed. */
export const isCompressed = (fragment: Uint8Array, layout: SplitLayout): boolean =>
  u32(fragment, HEADER_BYTES[layout]) !== WHOLE

/** The layout of a first fragment; `undefined` for any other datagram. */
export const probeLayout = (fragment: Uint8Array): SplitLayout | undefined => {
  const mayCompress = (fragment[7]! & 0x80) !== 0
  for (const layout of LAYOUTS) {
    if (readNumber(fragment, layout) !== 0 || readTotal(fragment, layout) === 0) continue
    const payload = HEADER_BYTES[layout]
    if (u32(fragment, payload) === WHOLE) return layout
    if (mayCompress && bzip2At(fragment, payload + COMPRESSION_HEADER_BYTES)) return layout
  }
  return undefined
}

/** Whether these bytes can be a fragment other than the first, in at least one of the layouts. */
export const mayBeLater = (fragment: Uint8Array): boolean =>
  LAYOUTS.some((layout) => {
    const number = readNumber(fragment, layout)
    return fragment.length >= HEADER_BYTES[layout] && number > 0 && number < readTotal(fragment, layout)
  })
