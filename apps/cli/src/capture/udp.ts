/**
 * From a captured frame to the UDP datagram in it: Ethernet, Linux cooked, loopback and raw IP; IPv4 and IPv6.
 *
 * @module
 */
import { Address } from "@sourcewire/core"
import type { Packet } from "./packet.ts"

/** One UDP datagram and its two ends, written as addresses are everywhere else. */
export interface UdpDatagram {
  readonly source: string
  readonly destination: string
  readonly payload: Uint8Array
}

const ETHERTYPE_IPV4 = 0x0800
const ETHERTYPE_IPV6 = 0x86dd
const VLAN_TAGS = new Set([0x8100, 0x88a8, 0x9100])

const PROTOCOL_UDP = 17
/** Hop-by-hop, routing, destination options: each says how long it is, in units of eight bytes. */
const IPV6_EXTENSIONS = new Set([0, 43, 60])

const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

const afterEthertype = (frame: Uint8Array, typeAt: number): Uint8Array | undefined => {
  let at = typeAt
  while (VLAN_TAGS.has(u16(frame, at))) at += 4
  const type = u16(frame, at)
  return type === ETHERTYPE_IPV4 || type === ETHERTYPE_IPV6 ? frame.subarray(at + 2) : undefined
}

/** The IP packet in a frame, by the link layer's number; `undefined` for anything else. */
const ipPacket = ({ data, linkType }: Packet): Uint8Array | undefined => {
  switch (linkType) {
    // BSD loopback: four bytes of address family, whose numbers differ by system; the IP version says the same.
    case 0:
    case 108:
      return data.subarray(4)
    case 1:
      return afterEthertype(data, 12)
    // Raw IP, as various systems number it.
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return data
    // Linux cooked: the first version ends with the type, the second begins with it.
    case 113:
      return afterEthertype(data, 14)
    case 276: {
      const type = u16(data, 0)
      return type === ETHERTYPE_IPV4 || type === ETHERTYPE_IPV6 ? data.subarray(20) : undefined
    }
    default:
      return undefined
  }
}

interface Transported {
  readonly source: string
  readonly destination: string
  readonly segment: Uint8Array
}

const ipv4Address = (bytes: Uint8Array): string => bytes.join(".")

const ipv6Address = (bytes: Uint8Array): string => {
  const groups = Array.from({ length: 8 }, (_, i) => u16(bytes, 2 * i).toString(16)).join(":")
  return Address.canonicalAddress(groups) ?? groups
}

const fromIpv4 = (packet: Uint8Array): Transported | undefined => {
  const header = (packet[0]! & 0x0f) * 4
  // A fragment of an IP packet has no datagram of its own: more follow, or it is not the first.
  const isFragment = (u16(packet, 6) & 0x3fff) !== 0
  if (header < 20 || packet.length < header || packet[9] !== PROTOCOL_UDP || isFragment) return undefined
  return {
    source: ipv4Address(packet.subarray(12, 16)),
    destination: ipv4Address(packet.subarray(16, 20)),
    segment: packet.subarray(header)
  }
}

const fromIpv6 = (packet: Uint8Array): Transported | undefined => {
  if (packet.length < 40) return undefined
  let next = packet[6]!
  let at = 40
  while (IPV6_EXTENSIONS.has(next) && at + 8 <= packet.length) {
    next = packet[at]!
    at += (packet[at + 1]! + 1) * 8
  }
  if (next !== PROTOCOL_UDP) return undefined
  return {
    source: ipv6Address(packet.subarray(8, 24)),
    destination: ipv6Address(packet.subarray(24, 40)),
    segment: packet.subarray(at)
  }
}

const UDP_HEADER_BYTES = 8

/** The datagram in a frame; `undefined` for anything but UDP, and for IP fragments. */
export const udpOf = (packet: Packet): UdpDatagram | undefined => {
  const ip = ipPacket(packet)
  const version = ip === undefined || ip.length === 0 ? 0 : ip[0]! >> 4
  const found = version === 4 ? fromIpv4(ip!) : version === 6 ? fromIpv6(ip!) : undefined
  if (found === undefined || found.segment.length < UDP_HEADER_BYTES) return undefined
  const { segment } = found
  // What is behind the datagram's own length is padding of short Ethernet frames.
  const length = Math.max(UDP_HEADER_BYTES, u16(segment, 4))
  return {
    source: Address.format({ host: found.source, port: u16(segment, 0) }),
    destination: Address.format({ host: found.destination, port: u16(segment, 2) }),
    payload: segment.subarray(UDP_HEADER_BYTES, length)
  }
}
