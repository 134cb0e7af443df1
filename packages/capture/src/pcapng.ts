/**
 * Reads pcapng, the newer capture format of Wireshark. A file consists of sections. A section consists of blocks. Each block has a type and
 * a length.
 */
import { bytesBetween, type FileFormat, InvalidCapture, MAX_BLOCK_BYTES, type Packet } from "./Packet.ts"

/**
 * Type of the first block of every section, and therefore of the first block of every file. This number is the same in big-endian and in
 * little-endian byte order.
 */
const SECTION_HEADER = 0x0a0d0d0a
const INTERFACE = 1
const OBSOLETE_PACKET = 2
const SIMPLE_PACKET = 3
const ENHANCED_PACKET = 6

const BYTE_ORDER_MAGIC = 0x1a2b3c4d

/** Size of all parts of a block except its body: the type, the length, and the copy of the length at the end. */
const FRAME_BYTES = 12

interface Interface {
  readonly linkType: number
  readonly snapLength: number
  readonly unitsPerSecond: bigint
  readonly offsetSeconds: bigint
}

/** The section that is being read. */
interface Section {
  readonly littleEndian: boolean
  readonly interfaces: Array<Interface>
}

/** Returns the reader for a file that begins with this number; `undefined` if the file is not pcapng. */
export const pcapng = (magic: number): FileFormat | undefined => {
  if (magic !== SECTION_HEADER) return undefined
  let section: Section = { littleEndian: true, interfaces: [] }
  return (bytes, at) => {
    if (bytes.byteLength < at + FRAME_BYTES) return FRAME_BYTES
    if (bytes.getUint32(at) === SECTION_HEADER) {
      const littleEndian = bytes.getUint32(at + 8, true) === BYTE_ORDER_MAGIC
      if (!littleEndian && bytes.getUint32(at + 8) !== BYTE_ORDER_MAGIC) {
        return new InvalidCapture({ message: "a section of the capture has no valid byte order" })
      }
      section = { littleEndian, interfaces: [] }
    }
    const length = bytes.getUint32(at + 4, section.littleEndian)
    if (length < FRAME_BYTES || length > MAX_BLOCK_BYTES || length % 4 !== 0) {
      return new InvalidCapture({ message: `a block of the capture has an invalid length (${length} bytes)` })
    }
    if (bytes.byteLength < at + length) return length
    const body = new DataView(bytes.buffer, bytes.byteOffset + at + 8, length - FRAME_BYTES)
    const packet = readBlock(bytes.getUint32(at, section.littleEndian), body, section)
    return packet instanceof InvalidCapture ? packet : { end: at + length, packet }
  }
}

const readBlock = (type: number, body: DataView, section: Section): Packet | InvalidCapture | undefined => {
  switch (type) {
    case INTERFACE: {
      if (body.byteLength < 8) return new InvalidCapture({ message: "an interface block of the capture is too short" })
      section.interfaces.push(readInterface(body, section.littleEndian))
      return undefined
    }
    case SIMPLE_PACKET:
      return simplePacket(body, section)
    case ENHANCED_PACKET:
    case OBSOLETE_PACKET:
      return packet(type, body, section)
    default:
      return undefined
  }
}

const TIME_RESOLUTION = 9
const TIME_OFFSET = 14

const readInterface = (body: DataView, littleEndian: boolean): Interface => {
  let unitsPerSecond = 1_000_000n
  let offsetSeconds = 0n
  for (let at = 8; at + 4 <= body.byteLength;) {
    const code = body.getUint16(at, littleEndian)
    const length = body.getUint16(at + 2, littleEndian)
    if (code === 0 || at + 4 + length > body.byteLength) break
    if (code === TIME_RESOLUTION && length >= 1) {
      const resolution = body.getUint8(at + 4)
      unitsPerSecond = (resolution & 0x80) === 0 ? 10n ** BigInt(resolution) : 2n ** BigInt(resolution & 0x7f)
    }
    if (code === TIME_OFFSET && length === 8) offsetSeconds = body.getBigInt64(at + 4, littleEndian)
    at += 4 + Math.ceil(length / 4) * 4
  }
  return {
    linkType: body.getUint16(0, littleEndian),
    snapLength: body.getUint32(4, littleEndian),
    unitsPerSecond,
    offsetSeconds
  }
}

const simplePacket = (body: DataView, { interfaces, littleEndian }: Section): Packet | undefined => {
  const from = interfaces[0]
  if (from === undefined || body.byteLength < 4) return undefined
  const kept = Math.min(
    body.getUint32(0, littleEndian),
    from.snapLength === 0 ? Number.POSITIVE_INFINITY : from.snapLength,
    body.byteLength - 4
  )
  return { timeNs: undefined, linkType: from.linkType, data: bytesBetween(body, 4, 4 + kept) }
}

const packet = (type: number, body: DataView, section: Section): Packet | InvalidCapture | undefined => {
  const { interfaces, littleEndian } = section
  if (body.byteLength < 20) return undefined
  const from = interfaces[type === ENHANCED_PACKET ? body.getUint32(0, littleEndian) : body.getUint16(0, littleEndian)]
  if (from === undefined) {
    return new InvalidCapture({ message: "a packet of the capture refers to an interface that is missing" })
  }
  const units = (BigInt(body.getUint32(4, littleEndian)) << 32n) | BigInt(body.getUint32(8, littleEndian))
  const timeNs = from.offsetSeconds * 1_000_000_000n + (units * 1_000_000_000n) / from.unitsPerSecond
  const kept = Math.min(body.getUint32(12, littleEndian), body.byteLength - 20)
  return { timeNs, linkType: from.linkType, data: bytesBetween(body, 20, 20 + kept) }
}
