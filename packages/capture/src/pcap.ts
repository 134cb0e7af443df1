/**
 * Reads pcap, the older capture format of tcpdump: a file header of 24 bytes, and then a header of 16 bytes before each frame. We wrote our
 * own reader, because the readers on npm are no longer maintained, or support only pcap or only pcapng.
 */
import { type FileFormat, bytesBetween, InvalidCapture, MAX_BLOCK_BYTES } from "./Packet.ts"

const HEADER_BYTES = 24
const RECORD_HEADER_BYTES = 16

/**
 * The variants of the format. The variants differ in the byte order, and in the unit of the times: `unitNs` is 1000 for microseconds, and 1
 * for nanoseconds. The keys are the first four bytes of the file as a big-endian number.
 */
const variants: ReadonlyMap<number, { readonly littleEndian: boolean; readonly unitNs: bigint }> = new Map([
  [0xa1b2c3d4, { littleEndian: false, unitNs: 1000n }],
  [0xd4c3b2a1, { littleEndian: true, unitNs: 1000n }],
  [0xa1b23c4d, { littleEndian: false, unitNs: 1n }],
  [0x4d3cb2a1, { littleEndian: true, unitNs: 1n }]
])

/** Returns the reader for a file that begins with this number (big-endian); `undefined` if the file is not pcap. */
export const pcap = (magic: number): FileFormat | undefined => {
  const variant = variants.get(magic)
  if (variant === undefined) return undefined
  const { littleEndian, unitNs } = variant
  let linkType: number | undefined
  let number = 1
  return (bytes, at) => {
    if (linkType === undefined) {
      if (bytes.byteLength < at + HEADER_BYTES) return HEADER_BYTES
      // The upper four bits are not part of the link type. They can show that each frame ends with a checksum. The checksum needs no
      // handling: the IP header contains the length of the packet, so bytes after the packet are ignored.
      linkType = bytes.getUint32(at + 20, littleEndian) & 0x0fff_ffff
      return { end: at + HEADER_BYTES, packet: undefined }
    }
    if (bytes.byteLength < at + RECORD_HEADER_BYTES) return RECORD_HEADER_BYTES
    const length = bytes.getUint32(at + 8, littleEndian)
    if (length > MAX_BLOCK_BYTES) {
      return new InvalidCapture({ message: `packet ${number} has an invalid length (${length} bytes)` })
    }
    const end = at + RECORD_HEADER_BYTES + length
    if (bytes.byteLength < end) return RECORD_HEADER_BYTES + length
    number++
    const seconds = BigInt(bytes.getUint32(at, littleEndian))
    const timeNs = seconds * 1_000_000_000n + BigInt(bytes.getUint32(at + 4, littleEndian)) * unitNs
    return { end, packet: { timeNs, linkType, data: bytesBetween(bytes, at + RECORD_HEADER_BYTES, end) } }
  }
}
