/**
 * The UDP payload inside a captured frame. Knows the link layers that game servers are captured on; what is not UDP over IP is
 * `undefined`. Says nothing about what the payload means: that is `@sourcewire/protocol`'s matter.
 *
 * @module
 */
import type { Datagram } from "../bytes/Datagram.ts"
import { type IpFragment, Ipv4Fragments } from "./ipv4Fragments.ts"

/** Link types of pcap and pcapng, by IANA's numbers. */
const IP_OFFSETS: Readonly<Record<number, (frame: DataView) => number | undefined>> = {
  // BSD loopback, an address family in four bytes.
  0: () => 4,
  108: () => 4,
  // Ethernet, with VLAN tags or without.
  1: (frame) => {
    let at = 12
    while (frame.byteLength >= at + 4 && (frame.getUint16(at) === 0x8100 || frame.getUint16(at) === 0x88a8)) at += 4
    return isIpType(frame, at) ? at + 2 : undefined
  },
  // Raw IP, in its three spellings.
  12: () => 0,
  14: () => 0,
  101: () => 0,
  228: () => 0,
  229: () => 0,
  // Linux "any" device, both versions.
  113: (frame) => (isIpType(frame, 14) ? 16 : undefined),
  276: (frame) => (isIpType(frame, 0) ? 20 : undefined)
}

const isIpType = (frame: DataView, at: number): boolean => {
  if (frame.byteLength < at + 2) return false
  const type = frame.getUint16(at)
  return type === 0x0800 || type === 0x86dd
}

/** Takes the datagrams out of frames that come one after the other; joins what IPv4 had to fragment. */
export class Frames {
  readonly #fragments = new Ipv4Fragments()

  /** The datagram that a frame holds or completes. */
  datagram(frame: Uint8Array, linkType: number): Datagram | undefined {
    const offset = IP_OFFSETS[linkType]?.(viewOf(frame))
    return offset === undefined ? undefined : this.#ip(frame.subarray(offset))
  }

  #ip(packet: Uint8Array): Datagram | undefined {
    const version = (packet[0] ?? 0) >> 4
    if (version === 6) return ipv6(packet)
    if (version !== 4 || packet.length < 20) return undefined
    const view = viewOf(packet)
    const header = (packet[0]! & 0x0f) * 4
    const total = view.getUint16(2)
    // 0 stands for "segmented by the network card": then the frame's length is all there is.
    const end = total === 0 ? packet.length : Math.min(total, packet.length)
    if (packet[9] !== UDP || header < 20 || end < header) return undefined
    const from = packet.subarray(12, 16).join(".")
    const to = packet.subarray(16, 20).join(".")
    const flags = view.getUint16(6)
    const part: IpFragment = {
      key: `${from} ${to} ${view.getUint16(4)}`,
      offset: (flags & 0x1fff) * 8,
      more: (flags & 0x2000) !== 0,
      bytes: packet.subarray(header, end)
    }
    const whole = part.offset === 0 && !part.more ? part.bytes : this.#fragments.add(part)
    return whole === undefined ? undefined : udp(whole, from, to)
  }
}

/** The datagram in bytes that begin with an Ethernet or an IP header, as `tcpdump -X` and Wireshark copy them; else `undefined`. */
export const unwrap = (bytes: Uint8Array): Datagram | undefined => {
  for (const linkType of [101, 1]) {
    const datagram = new Frames().datagram(bytes, linkType)
    if (datagram !== undefined) return datagram
  }
  return undefined
}

const UDP = 17
const UDP_HEADER_BYTES = 8

/** Headers between that of IPv6 and UDP: hop-by-hop, routing, destination options. */
const EXTENSIONS = new Set([0, 43, 60])

const ipv6 = (packet: Uint8Array): Datagram | undefined => {
  if (packet.length < 40) return undefined
  const view = viewOf(packet)
  let next = packet[6]!
  let at = 40
  while (EXTENSIONS.has(next)) {
    if (packet.length < at + 8) return undefined
    next = packet[at]!
    at += (packet[at + 1]! + 1) * 8
  }
  if (next !== UDP) return undefined
  return udp(packet.subarray(at), `[${groups(view, 8)}]`, `[${groups(view, 24)}]`)
}

/** An IPv6 address, its longest run of zeros as `::`. */
const groups = (view: DataView, at: number): string => {
  const words = Array.from({ length: 8 }, (_, i) => view.getUint16(at + 2 * i).toString(16)).join(":")
  const zeros = words.match(/\b0(?::0)+\b/g)?.sort((a, b) => b.length - a.length)[0]
  return zeros === undefined
    ? words
    : words
        .replace(zeros, ":")
        .replace(/^:(?!:)|:::+/, "::")
        .replace(/([^:]):$/, "$1::")
}

const udp = (segment: Uint8Array, from: string, to: string): Datagram | undefined => {
  if (segment.length < UDP_HEADER_BYTES) return undefined
  const view = viewOf(segment)
  const length = view.getUint16(4)
  if (length !== 0 && length < UDP_HEADER_BYTES) return undefined
  const end = length === 0 ? segment.length : Math.min(length, segment.length)
  return {
    bytes: segment.subarray(UDP_HEADER_BYTES, end),
    from: `${from}:${view.getUint16(0)}`,
    to: `${to}:${view.getUint16(2)}`
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
