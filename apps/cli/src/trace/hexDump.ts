/** Bytes in rows of sixteen, with their characters. */
import { toHex } from "@sourcewire/protocol"

const ROW_BYTES = 16

/** Lines of the dump, each with the offset of its first byte. */
export const hexDump = (bytes: Uint8Array): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(bytes.length / ROW_BYTES) }, (_, row) => {
    const offset = row * ROW_BYTES
    const part = bytes.subarray(offset, offset + ROW_BYTES)
    const hex = toHex(part).replace(/..(?=.)/g, "$& ")
    const characters = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
    return `${String(offset).padStart(6)}  ${hex.padEnd(ROW_BYTES * 3 - 1)}  ${characters.join("")}`
  })
