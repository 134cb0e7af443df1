/**
 * Extracts the UDP datagrams from captured frames. Supports Ethernet, Linux cooked, loopback and raw IP, with IPv4 and IPv6. Joins IP
 * fragments.
 */
import { IpFragments } from "./ipFragments.ts"
import type { Packet } from "./Packet.ts"

export interface CapturedDatagram {
  readonly bytes: Uint8Array
  /** Sender, as in `192.0.2.7:27015` or `[::1]:27015`. */
  readonly from: string
  readonly to: string
  /** Nanoseconds since 1970; `undefined` if the file contains no time for the datagram. */
  readonly timeNs: bigint | undefined
  /**
   * Number of the packet in the file, counted from 1. If the datagram was joined from IP fragments, this is the number of the packet that
   * completed the datagram. If the datagram does not come from a file, the number is 0.
   */
  readonly packet: number
}

const ETHERTYPE_IPV4 = 0x0800
const ETHERTYPE_IPV6 = 0x86dd
const VLAN_TAGS = new Set([0x8100, 0x88a8, 0x9100])

const PROTOCOL_UDP = 17
const PROTOCOL_ICMP = 1
const PROTOCOL_ICMPV6 = 58
const IPV6_FRAGMENT = 44
/**
 * Headers between the IPv6 header and the payload: hop-by-hop options, routing, and destination options. Each of these headers has a length
 * field, in units of eight bytes.
 */
const IPV6_EXTENSIONS = new Set([0, 43, 60])

/** Link-layer number of frames that begin with the IP header. */
const RAW_IP = 101
const ETHERNET = 1

/** Reads a 16-bit number. Bytes after the end of `bytes` are read as 0. */
const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 0x1_0000 + u16(bytes, at + 2)

const isIp = (type: number): boolean => type === ETHERTYPE_IPV4 || type === ETHERTYPE_IPV6

const afterEtherType = (frame: Uint8Array, typeAt: number): Uint8Array | undefined => {
  let at = typeAt
  while (VLAN_TAGS.has(u16(frame, at))) at += 4
  return isIp(u16(frame, at)) ? frame.subarray(at + 2) : undefined
}

/**
 * Returns the IP packet in a frame. Returns `undefined` if the frame contains no IP packet, or if its link-layer number is not supported.
 */
const ipPacket = ({ data, linkType }: Pick<Packet, "data" | "linkType">): Uint8Array | undefined => {
  switch (linkType) {
    // BSD loopback: the frame begins with four bytes for the address family. Systems use different numbers for the families. Therefore
    // these bytes are skipped, and the IP version is read from the IP header.
    case 0:
    case 108:
      return data.subarray(4)
    case ETHERNET:
      return afterEtherType(data, 12)
    // Raw IP: systems use different link-layer numbers for it.
    case 12:
    case 14:
    case RAW_IP:
    case 228:
    case 229:
      return data
    // Linux cooked: in version 1 (113), the type of the payload is at the end of the header. In version 2 (276), it is at the beginning.
    case 113:
      return afterEtherType(data, 14)
    case 276:
      return isIp(u16(data, 0)) ? data.subarray(20) : undefined
    default:
      return undefined
  }
}

const ipv4Address = (bytes: Uint8Array): string => bytes.join(".")

/** Returns an IPv6 address in brackets, as in `[::1]:27015`. */
const ipv6Address = (bytes: Uint8Array): string => {
  const groups = Array.from({ length: 8 }, (_, i) => u16(bytes, 2 * i).toString(16)).join(":")
  // On all runtimes, `URL` formats an IPv6 address in its shortest form.
  return new URL(`http://[${groups}]`).hostname
}

/** Extracts the datagrams from consecutive frames. */
export class Frames {
  /** The ports that are closed according to ICMP messages, as `192.0.2.7:27015`. */
  readonly refused = new Set<string>()
  private readonly fragments = new IpFragments()

  datagram(packet: Packet, number = 0): CapturedDatagram | undefined {
    const ip = ipPacket(packet)
    const version = (ip?.[0] ?? 0) >> 4
    if (ip === undefined || (version !== 4 && version !== 6)) return undefined
    const found = version === 4 ? this.ipv4(ip) : this.ipv6(ip)
    return found === undefined ? undefined : { ...found, timeNs: packet.timeNs, packet: number }
  }

  private ipv4(packet: Uint8Array) {
    const header = (packet[0]! & 0x0f) * 4
    const total = u16(packet, 2)
    // A short frame has padding after the packet. Therefore the length field of the IP header determines the end of the packet. If the
    // sender's network card splits large packets, captures on the sender can contain packets whose length field is 0. Such a packet ends
    // where its frame ends.
    const end = total === 0 ? packet.length : Math.min(total, packet.length)
    if (header < 20 || end < header) return undefined
    if (packet[9] === PROTOCOL_ICMP) this.refuse(packet.subarray(header, end), 3, 3)
    if (packet[9] !== PROTOCOL_UDP) return undefined
    const from = ipv4Address(packet.subarray(12, 16))
    const to = ipv4Address(packet.subarray(16, 20))
    const flags = u16(packet, 6)
    const part = packet.subarray(header, end)
    const key = `${from} ${to} ${u16(packet, 4)}`
    const segment = this.whole(key, (flags & 0x1fff) * 8, (flags & 0x2000) !== 0, part)
    return segment === undefined ? undefined : udp(segment, from, to)
  }

  private ipv6(packet: Uint8Array) {
    if (packet.length < 40) return undefined
    const payload = u16(packet, 4)
    const end = payload === 0 ? packet.length : Math.min(40 + payload, packet.length)
    const from = ipv6Address(packet.subarray(8, 24))
    const to = ipv6Address(packet.subarray(24, 40))
    let next = packet[6]!
    let at = 40
    while (IPV6_EXTENSIONS.has(next) && at + 8 <= end) {
      next = packet[at]!
      at += (packet[at + 1]! + 1) * 8
    }
    let segment: Uint8Array | undefined = packet.subarray(at, end)
    if (next === IPV6_FRAGMENT && segment.length >= 8) {
      next = segment[0]!
      const flags = u16(segment, 2)
      const key = `${from} ${to} ${u32(segment, 4)}`
      segment = this.whole(key, flags & 0xfff8, (flags & 1) !== 0, segment.subarray(8))
    }
    if (next === PROTOCOL_ICMPV6) this.refuse(segment, 1, 4)
    return segment === undefined || next !== PROTOCOL_UDP ? undefined : udp(segment, from, to)
  }

  /**
   * Stores the closed port if the ICMP message reports “port unreachable”. Such a message contains the beginning of the packet that was
   * sent to the closed port.
   */
  private refuse(icmp: Uint8Array | undefined, type: number, code: number): void {
    if (icmp === undefined || icmp[0] !== type || icmp[1] !== code || this.refused.size >= MAX_REFUSED) return
    const quoted = icmp.subarray(ICMP_HEADER_BYTES)
    const isV4 = quoted[0]! >> 4 === 4
    const header = isV4 ? (quoted[0]! & 0x0f) * 4 : 40
    if (quoted.length < header + 4 || quoted[isV4 ? 9 : 6] !== PROTOCOL_UDP) return
    const host = isV4 ? ipv4Address(quoted.subarray(16, 20)) : ipv6Address(quoted.subarray(24, 40))
    this.refused.add(`${host}:${u16(quoted, header + 2)}`)
  }

  private whole(key: string, offset: number, more: boolean, bytes: Uint8Array): Uint8Array | undefined {
    return offset === 0 && !more ? bytes : this.fragments.add({ key, offset, more, bytes })
  }
}

const UDP_HEADER_BYTES = 8
const ICMP_HEADER_BYTES = 8

/** Maximum number of closed ports to store. */
const MAX_REFUSED = 10_000

const udp = (segment: Uint8Array, from: string, to: string) => {
  if (segment.length < UDP_HEADER_BYTES) return undefined
  const length = u16(segment, 4)
  if (length !== 0 && length < UDP_HEADER_BYTES) return undefined
  const end = length === 0 ? segment.length : Math.min(length, segment.length)
  return {
    bytes: segment.subarray(UDP_HEADER_BYTES, end),
    from: `${from}:${u16(segment, 0)}`,
    to: `${to}:${u16(segment, 2)}`
  }
}

/**
 * Extracts the datagram from bytes that begin with an IP or Ethernet header. For example, `tcpdump -X` prints such bytes, and Wireshark can
 * copy them. Returns `undefined` if the bytes begin with neither header, or if they contain no UDP datagram.
 */
export const unwrap = (data: Uint8Array): CapturedDatagram | undefined =>
  new Frames().datagram({ data, linkType: RAW_IP, timeNs: undefined }) ??
  new Frames().datagram({ data, linkType: ETHERNET, timeNs: undefined })
