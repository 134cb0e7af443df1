/**
 * Writes captures for tests according to the specifications of the formats: frames of every supported link layer, in both file formats,
 * both byte orders and all time units.
 */
/** A UDP datagram. */
export interface Sent {
  readonly source: readonly [host: string, port: number]
  readonly destination: readonly [host: string, port: number]
  readonly payload: Uint8Array
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

const addressBytes = (host: string): Buffer => {
  if (!host.includes(":")) return Buffer.from(host.split(".").map(Number))
  const [head = "", tail = ""] = host.split("::")
  const groups = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  return Buffer.concat([...groups(head), ...zeros, ...groups(tail)].map((group) => u16(Number.parseInt(group, 16))))
}

const udpSegment = ({ destination, payload, source }: Sent): Buffer =>
  Buffer.concat([u16(source[1]), u16(destination[1]), u16(8 + payload.length), u16(0), payload])

const UDP = 17
const IPV6_FRAGMENT = 44

const ipv4 = ({ destination, source }: Sent, id: number, flags: number, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0x45, 0]),
    ...[20 + payload.length, id, flags].map(u16),
    Buffer.from([64, UDP, 0, 0]),
    addressBytes(source[0]),
    addressBytes(destination[0]),
    payload
  ])

const ipv6 = ({ destination, source }: Sent, next: number, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([0x60, 0, 0, 0]),
    u16(payload.length),
    Buffer.from([next, 64]),
    addressBytes(source[0]),
    addressBytes(destination[0]),
    payload
  ])

/** The IP packet of a datagram. If `extension` is true, an IPv6 packet contains an empty hop-by-hop header before the UDP header. */
export const ip = (sent: Sent, extension = false): Buffer => {
  const segment = udpSegment(sent)
  if (!sent.source[0].includes(":")) return ipv4(sent, 1, 0, segment)
  const hop = Buffer.from([UDP, 0, 1, 4, 0, 0, 0, 0])
  return extension ? ipv6(sent, 0, Buffer.concat([hop, segment])) : ipv6(sent, UDP, segment)
}

/** The IP packets of a datagram that is split into fragments of at most `bytes`. */
export const ipFragments = (sent: Sent, bytes: number, id = 9): ReadonlyArray<Buffer> => {
  const segment = udpSegment(sent)
  const step = bytes - (bytes % 8)
  return Array.from({ length: Math.ceil(segment.length / step) }, (_, i) => {
    const at = i * step
    const piece = segment.subarray(at, at + step)
    const more = at + step < segment.length
    if (!sent.source[0].includes(":")) return ipv4(sent, id, (at / 8) | (more ? 0x2000 : 0), piece)
    const head = Buffer.concat([Buffer.from([UDP, 0]), u16(at | (more ? 1 : 0)), u16(0), u16(id)])
    return ipv6(sent, IPV6_FRAGMENT, Buffer.concat([head, piece]))
  })
}

const etherType = (packet: Buffer): Buffer => u16(packet[0]! >> 4 === 4 ? 0x0800 : 0x86dd)

/** For each link layer, a function that creates the frame of an IP packet. Each key is the number of a link layer. */
export const links: Readonly<Record<number, (packet: Buffer) => Buffer>> = {
  0: (packet) => Buffer.concat([Buffer.from([2, 0, 0, 0]), packet]),
  // An Ethernet frame with a VLAN tag, and with the padding that short frames need.
  1: (packet) => Buffer.concat([Buffer.alloc(12), u16(0x8100), u16(7), etherType(packet), packet, Buffer.alloc(6)]),
  101: (packet) => packet,
  108: (packet) => Buffer.concat([Buffer.from([0, 0, 0, 2]), packet]),
  113: (packet) => Buffer.concat([Buffer.alloc(14), etherType(packet), packet]),
  276: (packet) => Buffer.concat([etherType(packet), Buffer.alloc(18), packet])
}

/** Functions that write a number in the byte order of the file. */
const writer = (littleEndian: boolean) => {
  const number =
    (size: number) =>
    (value: number): Buffer => {
      const buffer = Buffer.alloc(size)
      if (littleEndian) buffer.writeUIntLE(value, 0, size)
      else buffer.writeUIntBE(value, 0, size)
      return buffer
    }
  return { u16: number(2), u32: number(4) }
}

export interface Frame {
  readonly timeNs: bigint
  readonly bytes: Buffer
}

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

/**
 * A pcapng file with one section: a name block (which readers skip), an interface block, and the frames. If `nanoseconds` is true, the
 * interface block contains the time resolution. Otherwise, the unit of time is the default of pcapng: a microsecond.
 */
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
