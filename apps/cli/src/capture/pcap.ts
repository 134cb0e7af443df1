/**
 * Reads the classic capture format of tcpdump: a header of 24 bytes, then per frame 16 bytes and the frame. Own code, since the
 * readers on npm are abandoned or know one of the two formats only.
 *
 * @module
 */
import type { ByteSource } from "./byteSource.ts"
import { InvalidCapture, MAX_BLOCK_BYTES } from "./packet.ts"
import type { Packet } from "./packet.ts"

const HEADER_BYTES = 24
const RECORD_HEADER_BYTES = 16

/** How a file says byte order and unit of its times: nanoseconds per fraction. */
const formats: ReadonlyMap<number, { readonly littleEndian: boolean; readonly unitNs: bigint }> = new Map([
  [0xa1b2c3d4, { littleEndian: false, unitNs: 1000n }],
  [0xd4c3b2a1, { littleEndian: true, unitNs: 1000n }],
  [0xa1b23c4d, { littleEndian: false, unitNs: 1n }],
  [0x4d3cb2a1, { littleEndian: true, unitNs: 1n }]
])

/** Whether a file that begins with this number (big endian) is of this format. */
export const isPcap = (magic: number): boolean => formats.has(magic)

/** The frames of a file whose first four bytes, `magic`, have been taken already. Throws `InvalidCapture`. */
export async function* readPcap(source: ByteSource, magic: number): AsyncGenerator<Packet> {
  const { littleEndian, unitNs } = formats.get(magic)!
  const header = await source.take(HEADER_BYTES - 4)
  if (header.length < HEADER_BYTES - 4) throw new InvalidCapture({ message: "the capture ends within its header" })
  // The upper bits may say that frames end with a checksum, which decoding ignores anyway.
  const linkType = view(header).getUint32(16, littleEndian) & 0x0fff_ffff
  for (let number = 1; ; number++) {
    const record = await source.take(RECORD_HEADER_BYTES)
    if (record.length === 0) return
    if (record.length < RECORD_HEADER_BYTES) throw brokenOff(number)
    const fields = view(record)
    const length = fields.getUint32(8, littleEndian)
    if (length > MAX_BLOCK_BYTES) {
      throw new InvalidCapture({ message: `packet ${number} claims ${length} bytes, more than any has` })
    }
    const data = await source.take(length)
    if (data.length < length) throw brokenOff(number)
    const seconds = BigInt(fields.getUint32(0, littleEndian))
    const timeNs = seconds * 1_000_000_000n + BigInt(fields.getUint32(4, littleEndian)) * unitNs
    yield { timeNs, linkType, data }
  }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

const brokenOff = (number: number): InvalidCapture =>
  new InvalidCapture({ message: `the capture breaks off within packet ${number}` })
