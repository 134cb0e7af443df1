/**
 * Writes captures for tests, by the formats' own descriptions: frames of every link layer that is read, in both file formats, both
 * byte orders and all units of time.
 *
 * @module
 */
import { fromHex } from "@sourcewire/protocol"

/** One UDP datagram to be framed. */
export interface Datagram {
  readonly source: readonly [host: string, port: number]
  readonly destination: readonly [host: string, port: number]
  /** Payload in hex. */
  readonly hex: string
}

const bytesOf = (hex: string): Buffer => Buffer.from(fromHex(hex)!)

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

const addressBytes = (host: string): Buffer => {
  if (!host.includes(":")) return Buffer.from(host.split(".").map(Number))
  const [head = "", tail = ""] = host.split("::")
  const groups = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  return Buffer.concat([...groups(head), ...zeros, ...groups(tail)].map((group) => u16(Number.parseInt(group, 16))))
}

/** The IP packet of a datagram; `extension` puts an empty hop-by-hop header before the UDP of IPv6. */
export const ip = ({ destination, hex, source }: Datagram, extension = false): Buffer => {
  const payload = bytesOf(hex)
  const udp = Buffer.concat([u16(source[1]), u16(destination[1]), u16(8 + payload.length), u16(0), payload])
  if (!source[0].includes(":")) {
    const head = Buffer.concat([Buffer.from([0x45, 0]), u16(20 + udp.length), Buffer.from([0, 1, 0, 0, 64, 17, 0, 0])])
    return Buffer.concat([head, addressBytes(source[0]), addressBytes(destination[0]), udp])
  }
  const hop = extension ? Buffer.from([17, 0, 1, 4, 0, 0, 0, 0]) : Buffer.alloc(0)
  const head = Buffer.concat([
    Buffer.from([0x60, 0, 0, 0]),
    u16(hop.length + udp.length),
    Buffer.from([extension ? 0 : 17, 64])
  ])
  return Buffer.concat([head, addressBytes(source[0]), addressBytes(destination[0]), hop, udp])
}

const etherType = (packet: Buffer): Buffer => u16(packet[0]! >> 4 === 4 ? 0x0800 : 0x86dd)

/** Frames by the number of their link layer. */
export const frames: Readonly<Record<number, (packet: Buffer) => Buffer>> = {
  0: (packet) => Buffer.concat([Buffer.from([2, 0, 0, 0]), packet]),
  // Ethernet with a VLAN tag, and the padding that short frames have.
  1: (packet) => Buffer.concat([Buffer.alloc(12), u16(0x8100), u16(7), etherType(packet), packet, Buffer.alloc(6)]),
  101: (packet) => packet,
  108: (packet) => Buffer.concat([Buffer.from([0, 0, 0, 2]), packet]),
  113: (packet) => Buffer.concat([Buffer.alloc(14), etherType(packet), packet]),
  276: (packet) => Buffer.concat([etherType(packet), Buffer.alloc(18), packet])
}

/** A number in the byte order of the file. */
const writer = (littleEndian: boolean) => ({
  u16: (value: number): Buffer => {
    const buffer = Buffer.alloc(2)
    if (littleEndian) buffer.writeUInt16LE(value)
    else buffer.writeUInt16BE(value)
    return buffer
  },
  u32: (value: number): Buffer => {
    const buffer = Buffer.alloc(4)
    if (littleEndian) buffer.writeUInt32LE(value)
    else buffer.writeUInt32BE(value)
    return buffer
  }
})

/** A frame and when it was seen. */
export interface Frame {
  readonly timeNs: bigint
  readonly bytes: Buffer
}

/** A pcap file. */
export const pcap = (
  linkType: number,
  frames: ReadonlyArray<Frame>,
  { littleEndian = true, nanoseconds = false } = {}
): Buffer => {
  const { u16, u32 } = writer(littleEndian)
  const unitNs = nanoseconds ? 1n : 1000n
  return Buffer.concat([
    u32(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4),
    u16(2),
    u16(4),
    u32(0),
    u32(0),
    u32(262_144),
    u32(linkType),
    ...frames.flatMap(({ bytes, timeNs }) => [
      u32(Number(timeNs / 1_000_000_000n)),
      u32(Number((timeNs % 1_000_000_000n) / unitNs)),
      u32(bytes.length),
      u32(bytes.length),
      bytes
    ])
  ])
}

/** A pcapng file of one section: an interface with a resolution of its own, a name block that readers skip, and the frames. */
export const pcapng = (
  linkType: number,
  frames: ReadonlyArray<Frame>,
  { littleEndian = true, nanoseconds = false } = {}
): Buffer => {
  const { u16, u32 } = writer(littleEndian)
  const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  const block = (type: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
    const body = padded(Buffer.concat(parts))
    return Buffer.concat([u32(type), u32(body.length + 12), body, u32(body.length + 12)])
  }
  const unitNs = nanoseconds ? 1n : 1000n
  const resolution = nanoseconds ? [u16(9), u16(1), Buffer.from([9, 0, 0, 0]), u16(0), u16(0)] : []
  return Buffer.concat([
    block(0x0a0d0d0a, u32(0x1a2b3c4d), u16(1), u16(0), u32(0xffffffff), u32(0xffffffff)),
    block(4, u16(0), u16(0)),
    block(1, u16(linkType), u16(0), u32(262_144), ...resolution),
    ...frames.map(({ bytes, timeNs }) => {
      const units = timeNs / unitNs
      const high = Number(units >> 32n)
      const low = Number(units & 0xffffffffn)
      return block(6, u32(0), u32(high), u32(low), u32(bytes.length), u32(bytes.length), padded(bytes))
    })
  ])
}
