/**
 * Small capture files in every format and byte order that the readers know, as seeds.
 *
 * @module
 */

/** Classic with microseconds, with nanoseconds, big-endian; the newer format in both byte orders. */
export type CaptureFormat = "pcap" | "pcap-ns" | "pcap-be" | "pcapng" | "pcapng-be"

const be16 = (value: number): ReadonlyArray<number> => [value >> 8, value & 255]

const words = (littleEndian: boolean, ...values: ReadonlyArray<number>): Uint8Array => {
  const view = new DataView(new ArrayBuffer(4 * values.length))
  values.forEach((value, i) => view.setUint32(4 * i, value, littleEndian))
  return new Uint8Array(view.buffer)
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** A UDP datagram over IPv4 from one loopback port to another, behind the header of its link type. */
const frame = (payload: Uint8Array, linkType: number): Uint8Array => {
  const udp = [...be16(27_015), ...be16(40_000), ...be16(8 + payload.length), 0, 0, ...payload]
  const ip = [0x45, 0, ...be16(20 + udp.length), 0, 1, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 2, ...udp]
  const heads: Readonly<Record<number, ReadonlyArray<number>>> = {
    0: [2, 0, 0, 0],
    1: [2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 8, 0],
    113: [0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0]
  }
  return Uint8Array.from([...(heads[linkType] ?? []), ...ip])
}

const block = (littleEndian: boolean, type: number, body: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(Math.ceil(body.length / 4) * 4)
  padded.set(body)
  const length = words(littleEndian, padded.length + 12)
  return joined([words(littleEndian, type), length, padded, length])
}

/** A file that holds one packet per payload. Link types: 0 loopback, 1 Ethernet, 101 bare IP, 113 Linux "any". */
export const capture = (payloads: ReadonlyArray<Uint8Array>, format: CaptureFormat, linkType: number): Uint8Array => {
  const isLittle = !format.endsWith("-be")
  const frames = payloads.map((payload) => frame(payload, linkType))
  if (!format.startsWith("pcapng")) {
    const magic = format === "pcap-ns" ? 0xa1b23c4d : 0xa1b2c3d4
    const head = words(isLittle, magic, isLittle ? 0x00040002 : 0x00020004, 0, 0, 65_535, linkType)
    return joined([head, ...frames.flatMap((one) => [words(isLittle, 1, 2, one.length, one.length), one])])
  }
  const version = isLittle ? 1 : 0x00010000
  const link = isLittle ? linkType : linkType << 16
  return joined([
    block(isLittle, 0x0a0d0d0a, words(isLittle, 0x1a2b3c4d, version, 0xffffffff, 0xffffffff)),
    block(isLittle, 1, words(isLittle, link, 65_535)),
    ...frames.map((one, i) =>
      i % 2 === 0
        ? block(isLittle, 6, joined([words(isLittle, 0, 1, 2, one.length, one.length), one]))
        : block(isLittle, 3, joined([words(isLittle, one.length), one]))
    )
  ])
}
