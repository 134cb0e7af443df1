/**
 * Writes datagrams as a pcapng file. Each packet can have comments, which Wireshark and tshark show. The writer creates the IP and UDP
 * headers from the addresses, with valid checksums.
 */

export interface WrittenDatagram {
  readonly bytes: Uint8Array
  /** Time in ms, for example since 1970 (default: the index of the datagram in the list, in µs). */
  readonly timeMs?: number | undefined
  /** `host:port` with a numeric host. If the address is absent or invalid, the file contains an address of {@link PLACEHOLDERS}. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly comments?: ReadonlyArray<string>
}

/** Addresses that replace absent and invalid addresses. The placeholders are in the ranges that are reserved for documentation. */
const PLACEHOLDERS = {
  4: { from: "192.0.2.1:27015", to: "192.0.2.9:50000" },
  6: { from: "[2001:db8::1]:27015", to: "[2001:db8::9]:50000" }
} as const

/** Link type of packets that begin with the IP header. */
const RAW_IP = 101
const UDP = 17
const UDP_HEADER_BYTES = 8
const IPV4_HEADER_BYTES = 20
const IPV6_HEADER_BYTES = 40

/** Maximum size of a UDP payload in one IPv4 packet, in bytes. The limit also applies to IPv6 packets. Longer payloads are truncated. */
const MAX_PAYLOAD = 0xffff - IPV4_HEADER_BYTES - UDP_HEADER_BYTES

interface End {
  readonly host: Uint8Array
  readonly port: number
}

const parseV4 = (host: string): Uint8Array | undefined => {
  const parts = host.split(".").map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256))
  return parts.length === 4 && parts.every((part) => part < 256) ? Uint8Array.from(parts) : undefined
}

const parseV6 = (host: string): Uint8Array | undefined => {
  const sides = host.split("::")
  const groups = sides.map((side) => (side === "" ? [] : side.split(":")))
  const [head = [], tail = []] = groups
  const zeros = sides.length === 2 ? 8 - head.length - tail.length : 0
  const all = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...tail]
  if (sides.length > 2 || all.length !== 8 || !all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return Uint8Array.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}

const parseEnd = (address: string | undefined): End | undefined => {
  const [, v6, v4, port] = /^(?:\[([\da-f:]+)\]|([\d.]+)):(\d{1,5})$/i.exec(address ?? "") ?? []
  const host = v6 !== undefined ? parseV6(v6) : v4 !== undefined ? parseV4(v4) : undefined
  return host === undefined || Number(port) > 0xffff ? undefined : { host, port: Number(port) }
}

/**
 * Returns a source and a destination with the same IP version: the version of the source if the source is valid, otherwise the version of
 * the destination. A placeholder replaces an address that is invalid or has a different version.
 */
const parseEnds = ({ from, to }: WrittenDatagram): readonly [End, End] => {
  const [source, destination] = [parseEnd(from), parseEnd(to)]
  const version = (source ?? destination)?.host.length === 16 ? 6 : 4
  const length = version === 6 ? 16 : 4
  const pick = (end: End | undefined, placeholder: string): End =>
    end !== undefined && end.host.length === length ? end : parseEnd(placeholder)!
  return [pick(source, PLACEHOLDERS[version].from), pick(destination, PLACEHOLDERS[version].to)]
}

/**
 * Returns the internet checksum of the bytes. If the checksum must also include bytes that are not in `bytes`, `start` is the sum of these
 * bytes as 16-bit numbers (default: 0).
 */
const checksum = (bytes: Uint8Array, start = 0): number => {
  let sum = start
  for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at]! << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

const ipPacket = (datagram: WrittenDatagram): Uint8Array => {
  const payload = datagram.bytes.subarray(0, MAX_PAYLOAD)
  const [source, destination] = parseEnds(datagram)
  const isV6 = source.host.length === 16
  const header = isV6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES
  const length = UDP_HEADER_BYTES + payload.length
  const packet = new Uint8Array(header + length)
  const view = new DataView(packet.buffer)
  if (isV6) {
    view.setUint8(0, 6 << 4)
    view.setUint16(4, length)
    packet.set([UDP, 64], 6)
  } else {
    // This byte contains the version, and the length of the header in units of four bytes.
    view.setUint8(0, (4 << 4) | (IPV4_HEADER_BYTES / 4))
    view.setUint16(2, header + length)
    packet.set([64, UDP], 8)
  }
  const at = header - 2 * source.host.length
  packet.set(source.host, at)
  packet.set(destination.host, at + source.host.length)
  if (!isV6) view.setUint16(10, checksum(packet.subarray(0, header)))
  view.setUint16(header, source.port)
  view.setUint16(header + 2, destination.port)
  view.setUint16(header + 4, length)
  packet.set(payload, header + UDP_HEADER_BYTES)
  // The checksum includes a pseudo header: the addresses of the sender and the receiver, the protocol and the length. A checksum of 0 would
  // mean “no checksum”, so 0xFFFF is written instead.
  const addresses = packet.subarray(at, header)
  view.setUint16(
    header + 6,
    checksum(packet.subarray(header), UDP + length + (~checksum(addresses) & 0xffff)) || 0xffff
  )
  return packet
}

const SECTION_HEADER = 0x0a0d0d0a
const BYTE_ORDER_MAGIC = 0x1a2b3c4d
const INTERFACE = 1
const ENHANCED_PACKET = 6
const COMMENT = 1
const TIME_RESOLUTION = 9
const APPLICATION = 4

const padded = (length: number): number => Math.ceil(length / 4) * 4

const encoder = new TextEncoder()

/** Encodes options in the format of pcapng, with an end mark after the last option. If there are no options, the result is empty. */
const encodeOptions = (options: ReadonlyArray<readonly [code: number, value: Uint8Array]>): Uint8Array => {
  if (options.length === 0) return new Uint8Array()
  const bytes = new Uint8Array(options.reduce((sum, [, { length }]) => sum + 4 + padded(length), 4))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [code, value] of options) {
    view.setUint16(at, code, true)
    view.setUint16(at + 2, value.length, true)
    bytes.set(value, at + 4)
    at += 4 + padded(value.length)
  }
  return bytes
}

/** Maximum length of a comment, in bytes. In pcapng, the length of a comment is a 16-bit number. */
const MAX_COMMENT_BYTES = 60_000

const comment = (text: string) => {
  const bytes = encoder.encode(text)
  let end = Math.min(bytes.length, MAX_COMMENT_BYTES)
  // If the limit would divide a character of several bytes, the comment ends before this character.
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return [COMMENT, bytes.subarray(0, end)] as const
}

const block = (type: number, head: Uint8Array, data: Uint8Array, options: Uint8Array): Uint8Array => {
  const length = 12 + head.length + padded(data.length) + options.length
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, type, true)
  view.setUint32(4, length, true)
  bytes.set(head, 8)
  bytes.set(data, 8 + head.length)
  bytes.set(options, length - 4 - options.length)
  view.setUint32(length - 4, length, true)
  return bytes
}

const NOTHING = new Uint8Array()

/** Returns the parts of the file, in order. The caller can create a `Blob` from these parts. `about` is a comment about the whole file. */
export const writePcapng = (
  datagrams: ReadonlyArray<WrittenDatagram>,
  about = ""
): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const section = new Uint8Array(16)
  const header = new DataView(section.buffer)
  header.setUint32(0, BYTE_ORDER_MAGIC, true)
  header.setUint16(4, 1, true)
  // The value −1 means that the file does not specify the length of the section.
  header.setBigInt64(8, -1n, true)
  const named = [[APPLICATION, encoder.encode("Sourcewire")]] as const
  const linked = new Uint8Array([RAW_IP, 0, 0, 0, 0, 0, 0, 0])
  const nanoseconds = [[TIME_RESOLUTION, new Uint8Array([9])]] as const
  const packets = datagrams.map((datagram, index) => {
    const packet = ipPacket(datagram)
    const head = new Uint8Array(20)
    const view = new DataView(head.buffer)
    const { timeMs } = datagram
    const timeNs = timeMs === undefined ? BigInt(index) * 1000n : BigInt(Math.round(timeMs * 1e3)) * 1000n
    view.setUint32(4, Number((timeNs >> 32n) & 0xffff_ffffn), true)
    view.setUint32(8, Number(timeNs & 0xffff_ffffn), true)
    view.setUint32(12, packet.length, true)
    view.setUint32(16, packet.length, true)
    return block(ENHANCED_PACKET, head, packet, encodeOptions((datagram.comments ?? []).map(comment)))
  })
  return [
    block(SECTION_HEADER, section, NOTHING, encodeOptions(about === "" ? named : [comment(about), ...named])),
    block(INTERFACE, linked, NOTHING, encodeOptions(nanoseconds)),
    ...packets
  ] as ReadonlyArray<Uint8Array<ArrayBuffer>>
}
