/**
 * Capture files made of datagrams, for tests: the inverse of what the page reads.
 *
 * @module
 */

/** A datagram on its way from one loopback port to another. */
export interface Sent {
  readonly payload: Uint8Array
  readonly fromPort: number
  readonly toPort: number
  readonly timeMs: number
}

const be16 = (value: number): ReadonlyArray<number> => [(value >> 8) & 0xff, value & 0xff]

/** UDP segments over IPv4, cut into fragments of at most `mtu` bytes of IP payload. */
export const ipv4 = ({ fromPort, payload, toPort }: Sent, id = 1, mtu = 65_000): ReadonlyArray<Uint8Array> => {
  const segment = [...be16(fromPort), ...be16(toPort), ...be16(8 + payload.length), 0, 0, ...payload]
  const step = mtu - (mtu % 8)
  return Array.from({ length: Math.ceil(segment.length / step) }, (_, i) => {
    const part = segment.slice(i * step, (i + 1) * step)
    const more = (i + 1) * step < segment.length ? 0x2000 : 0
    const head = [0x45, 0, ...be16(20 + part.length), ...be16(id), ...be16(more | ((i * step) / 8)), 64, 17, 0, 0]
    return Uint8Array.from([...head, 127, 0, 0, 1, 127, 0, 0, 2, ...part])
  })
}

/** UDP over IPv6 behind a hop-by-hop header, from ::1 to 2001:db8::1. */
export const ipv6 = ({ fromPort, payload, toPort }: Sent): Uint8Array => {
  const segment = [...be16(fromPort), ...be16(toPort), ...be16(8 + payload.length), 0, 0, ...payload]
  const from = [...Array.from({ length: 15 }, () => 0), 1]
  const to = [0x20, 0x01, 0x0d, 0xb8, ...Array.from({ length: 11 }, () => 0), 1]
  return Uint8Array.from([
    0x60,
    0,
    0,
    0,
    ...be16(8 + segment.length),
    0,
    64,
    ...from,
    ...to,
    17,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    ...segment
  ])
}

/** An Ethernet header in front, with a VLAN tag when wanted. */
export const ethernet = (packet: Uint8Array, vlan = false): Uint8Array =>
  Uint8Array.from([
    ...Array.from({ length: 12 }, () => 2),
    ...(vlan ? [0x81, 0, 0, 5] : []),
    ...be16(packet[0]! >> 4 === 6 ? 0x86dd : 0x0800),
    ...packet
  ])

/** A frame and when it passed. */
export interface Timed {
  readonly frame: Uint8Array
  readonly timeMs: number
}

/** A pcap file. */
export const pcap = (frames: ReadonlyArray<Timed>, linkType: number, little = true): Uint8Array => {
  const file = new Uint8Array(24 + frames.reduce((sum, { frame }) => sum + 16 + frame.length, 0))
  const view = new DataView(file.buffer)
  const fields = [0xa1b2c3d4, little ? 0x00040002 : 0x00020004, 0, 0, 65_535, linkType]
  fields.forEach((value, i) => view.setUint32(i * 4, value, little))
  let at = 24
  for (const { frame, timeMs } of frames) {
    const head = [Math.floor(timeMs / 1000), Math.round((timeMs % 1000) * 1000), frame.length, frame.length]
    head.forEach((value, i) => view.setUint32(at + i * 4, value, little))
    file.set(frame, at + 16)
    at += 16 + frame.length
  }
  return file
}

/** A pcapng file with one interface, whose clock counts nanoseconds. */
export const pcapng = (frames: ReadonlyArray<Timed>, linkType: number): Uint8Array => {
  const blocks: Array<number> = []
  const le32 = (value: number): ReadonlyArray<number> => [
    value & 0xff,
    (value >>> 8) & 0xff,
    (value >>> 16) & 0xff,
    value >>> 24
  ]
  const block = (type: number, body: ReadonlyArray<number>): void => {
    const padded = [...body, ...Array.from({ length: (4 - (body.length % 4)) % 4 }, () => 0)]
    blocks.push(...le32(type), ...le32(padded.length + 12), ...padded, ...le32(padded.length + 12))
  }
  block(0x0a0d0d0a, [...le32(0x1a2b3c4d), 1, 0, 0, 0, ...Array.from({ length: 8 }, () => 0xff)])
  block(1, [linkType & 0xff, linkType >> 8, 0, 0, ...le32(0), 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0])
  block(5, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  for (const { frame, timeMs } of frames) {
    const nanos = BigInt(Math.round(timeMs * 1e6))
    const time = [...le32(Number(nanos >> 32n)), ...le32(Number(nanos & 0xffff_ffffn))]
    block(6, [...le32(0), ...time, ...le32(frame.length), ...le32(frame.length), ...frame])
  }
  return Uint8Array.from(blocks)
}
