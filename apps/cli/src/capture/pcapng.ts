/**
 * Reads the newer capture format of Wireshark: sections of blocks, each with type and length. Own code for the reason that `pcap`
 * gives.
 *
 * @module
 */
import type { ByteSource } from "./byteSource.ts"
import { InvalidCapture, MAX_BLOCK_BYTES } from "./packet.ts"
import type { Packet } from "./packet.ts"

/** Type of the block that every section, and so every file, begins with; the same in both byte orders. */
export const SECTION_HEADER = 0x0a0d0d0a

const INTERFACE = 1
const OBSOLETE_PACKET = 2
const SIMPLE_PACKET = 3
const ENHANCED_PACKET = 6

const BYTE_ORDER_MAGIC = 0x1a2b3c4d

/** Type, length, and the length once more at the end. */
const FRAME_BYTES = 12

interface Interface {
  readonly linkType: number
  readonly snapLength: number
  /** Time units per second. */
  readonly unitsPerSecond: bigint
  readonly offsetSeconds: bigint
}

/** What a section has told so far. */
interface Section {
  readonly littleEndian: boolean
  readonly interfaces: Array<Interface>
}

/** The frames of a file whose first four bytes have been taken already. Throws `InvalidCapture`. */
export async function* readPcapng(source: ByteSource): AsyncGenerator<Packet> {
  let type = SECTION_HEADER
  let section: Section | undefined
  for (;;) {
    const head = await source.take(4)
    if (head.length < 4) throw brokenOff()
    let body: Uint8Array = new Uint8Array()
    if (type === SECTION_HEADER) {
      body = await source.take(4)
      if (body.length < 4) throw brokenOff()
      section = { littleEndian: byteOrder(body), interfaces: [] }
    }
    const { littleEndian } = section!
    const length = view(head).getUint32(0, littleEndian)
    if (length < FRAME_BYTES + body.length || length > MAX_BLOCK_BYTES || length % 4 !== 0) {
      throw new InvalidCapture({ message: `a block claims ${length} bytes, which none has` })
    }
    const rest = await source.take(length - FRAME_BYTES - body.length + 4)
    if (rest.length < length - FRAME_BYTES - body.length + 4) throw brokenOff()
    if (type === INTERFACE) section!.interfaces.push(interfaceOf(rest, littleEndian))
    const packet = packetOf(type, rest.subarray(0, -4), section!)
    if (packet !== undefined) yield packet
    const next = await source.take(4)
    if (next.length === 0) return
    if (next.length < 4) throw brokenOff()
    type = view(next).getUint32(0, littleEndian)
  }
}

const byteOrder = (magic: Uint8Array): boolean => {
  if (view(magic).getUint32(0, true) === BYTE_ORDER_MAGIC) return true
  if (view(magic).getUint32(0, false) === BYTE_ORDER_MAGIC) return false
  throw new InvalidCapture({ message: "a section of the capture has no byte order" })
}

const TIME_RESOLUTION = 9
const TIME_OFFSET = 14

const interfaceOf = (body: Uint8Array, littleEndian: boolean): Interface => {
  const fields = view(body)
  let unitsPerSecond = 1_000_000n
  let offsetSeconds = 0n
  for (let at = 8; at + 4 <= body.length - 4;) {
    const code = fields.getUint16(at, littleEndian)
    const length = fields.getUint16(at + 2, littleEndian)
    if (code === 0 || at + 4 + length > body.length - 4) break
    if (code === TIME_RESOLUTION && length >= 1) {
      const resolution = body[at + 4]!
      unitsPerSecond = (resolution & 0x80) === 0 ? 10n ** BigInt(resolution) : 2n ** BigInt(resolution & 0x7f)
    }
    if (code === TIME_OFFSET && length === 8) offsetSeconds = fields.getBigInt64(at + 4, littleEndian)
    at += 4 + Math.ceil(length / 4) * 4
  }
  if (body.length < 8) throw new InvalidCapture({ message: "an interface of the capture says nothing" })
  return {
    linkType: fields.getUint16(0, littleEndian),
    snapLength: fields.getUint32(4, littleEndian),
    unitsPerSecond,
    offsetSeconds
  }
}

const packetOf = (type: number, body: Uint8Array, { interfaces, littleEndian }: Section): Packet | undefined => {
  const fields = view(body)
  if (type === SIMPLE_PACKET && body.length >= 4) {
    const from = interfaces[0]
    if (from === undefined) return undefined
    const kept = Math.min(fields.getUint32(0, littleEndian), from.snapLength === 0 ? Infinity : from.snapLength)
    return { timeNs: undefined, linkType: from.linkType, data: body.subarray(4, 4 + kept) }
  }
  if ((type !== ENHANCED_PACKET && type !== OBSOLETE_PACKET) || body.length < 20) return undefined
  const from =
    interfaces[type === ENHANCED_PACKET ? fields.getUint32(0, littleEndian) : fields.getUint16(0, littleEndian)]
  if (from === undefined)
    throw new InvalidCapture({ message: "a packet of the capture names an interface that is not there" })
  const units = (BigInt(fields.getUint32(4, littleEndian)) << 32n) | BigInt(fields.getUint32(8, littleEndian))
  const timeNs = from.offsetSeconds * 1_000_000_000n + (units * 1_000_000_000n) / from.unitsPerSecond
  return { timeNs, linkType: from.linkType, data: body.subarray(20, 20 + fields.getUint32(12, littleEndian)) }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

const brokenOff = (): InvalidCapture => new InvalidCapture({ message: "the capture breaks off within a block" })
