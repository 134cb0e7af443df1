/** Dissects the header of one fragment, for programs that show the bytes of datagrams. */
import { type DissectedField, addUnread } from "./Dissection.ts"
import { toHex } from "./Hex.ts"
import { demandBytes, demandOneOf } from "./internal/edge.ts"
import { isBytes, isSplit, u32 } from "./Wire.ts"
import {
  COMPRESSION_HEADER_BYTES,
  HEADER_BYTES,
  isCompressed,
  readNumber,
  probeLayout,
  type SplitLayout,
  readTotal
} from "./internal/splitHeader.ts"

/** Size of the first two fields in all three layouts: the mark FE FF FF FF and the id. */
const COMMON_BYTES = 8

/**
 * Returns the fields of a fragment. The payload is one field. The function can detect the layout only in the first fragment of a reply. For
 * the other fragments of the reply, pass the `layout` of the `Joined` reply. Without a layout, all bytes after the id are one field `rest`.
 * If the datagram ends within the header, the result contains the complete fields of the header, and then a field `unread` with the
 * remaining bytes.
 */
export const dissectFragment = (
  datagram: Uint8Array,
  layout: SplitLayout | undefined = isBytes(datagram) ? probeLayout(datagram) : undefined
): ReadonlyArray<DissectedField> => {
  demandBytes(datagram, "datagram")
  if (layout !== undefined) demandOneOf(layout, "layout", Object.keys(HEADER_BYTES))
  const fields: Array<DissectedField> = []
  let at = 0
  const note = (path: string, length: number, type: string, value: DissectedField["value"], doc: string): void => {
    fields.push({ path, offset: at, length, type, value, doc })
    at += length
  }
  if (!isSplit(datagram)) return fields
  note("header", 4, "i32", -2, "−2: a fragment of a split reply.")
  const unread = () => (addUnread(fields, datagram), fields)
  const rest = (path: string, doc: string): ReadonlyArray<DissectedField> => {
    if (at < datagram.length) note(path, datagram.length - at, "bytes", toHex(datagram, at), doc)
    return fields
  }
  if (datagram.length < COMMON_BYTES) return unread()
  note("id", 4, "u32", u32(datagram, 4), "The same in all fragments of a reply. Bit 31 marks a compressed reply.")
  if (layout === undefined) {
    return rest("rest", "Number, total and payload. Their layout is known only from the first fragment.")
  }
  if (datagram.length < HEADER_BYTES[layout]) return unread()
  const number = readNumber(datagram, layout)
  const total = readTotal(datagram, layout)
  if (layout === "goldsource") {
    note("number", 1, "u8", number, `The upper four bits are the number of this fragment (${number}), counted from 0.`)
    at -= 1
    note("total", 1, "u8", total, `The lower four bits are the number of fragments in the reply (${total}).`)
  } else {
    note("total", 1, "u8", total, "Number of fragments in the reply.")
    note("number", 1, "u8", number, "Number of this fragment, counted from 0.")
  }
  if (layout === "source") {
    const size = datagram[at]! | (datagram[at + 1]! << 8)
    note("size", 2, "u16", size, "Bytes of payload in a full fragment; servers from before 2007 omit this field.")
  }
  if (number === 0 && datagram.length >= at + COMPRESSION_HEADER_BYTES && isCompressed(datagram, layout)) {
    note("inflatedSize", 4, "u32", u32(datagram, at), "Size of the complete reply after decompression, in bytes.")
    note("crc32", 4, "u32", u32(datagram, at), "CRC32 of the decompressed reply.")
  }
  return rest("payload", "This fragment's part of the reply.")
}
