/**
 * The block-structured capture file that Wireshark writes.
 *
 * @module
 */
import type { Packet } from "./Packet.ts"

const SECTION = 0x0a0d0d0a
const INTERFACE = 1
const SIMPLE_PACKET = 3
const ENHANCED_PACKET = 6
const LITTLE_MAGIC = 0x4d3c2b1a
const BIG_MAGIC = 0x1a2b3c4d

interface Interface {
  readonly linkType: number
  readonly unitsPerSecond: number
}

/** The packets, until the file ends or makes no sense; `undefined` when it is no such file. */
export const packetsOfPcapng = (file: Uint8Array): Iterable<Packet> | undefined => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 28 || view.getUint32(0) !== SECTION) return undefined
  return packets(file, view)
}

function* packets(file: Uint8Array, view: DataView): Generator<Packet> {
  let little = true
  let interfaces: Array<Interface> = []
  for (let at = 0; at + 12 <= file.length;) {
    if (view.getUint32(at) === SECTION) {
      const magic = view.getUint32(at + 8)
      if (magic !== LITTLE_MAGIC && magic !== BIG_MAGIC) return
      little = magic === LITTLE_MAGIC
      interfaces = []
    }
    const type = view.getUint32(at, little)
    const length = view.getUint32(at + 4, little)
    if (length < 12 || length % 4 !== 0 || at + length > file.length) return
    const body = at + 8
    const end = at + length - 4
    if (type === INTERFACE && end >= body + 8) {
      interfaces.push({
        linkType: view.getUint16(body, little),
        unitsPerSecond: resolution(view, body + 8, end, little)
      })
    } else if (type === ENHANCED_PACKET && end >= body + 20) {
      const from = interfaces[view.getUint32(body, little)]
      const size = view.getUint32(body + 12, little)
      if (from !== undefined && body + 20 + size <= end) {
        const ticks = view.getUint32(body + 4, little) * 0x1_0000_0000 + view.getUint32(body + 8, little)
        const frame = file.subarray(body + 20, body + 20 + size)
        yield { frame, linkType: from.linkType, timeMs: (ticks / from.unitsPerSecond) * 1000 }
      }
    } else if (type === SIMPLE_PACKET && interfaces[0] !== undefined && end >= body + 4) {
      const size = Math.min(view.getUint32(body, little), end - body - 4)
      yield { frame: file.subarray(body + 4, body + 4 + size), linkType: interfaces[0].linkType, timeMs: 0 }
    }
    at += length
  }
}

const TIMESTAMP_RESOLUTION = 9

/** Units of time per second, from the option `if_tsresol`; microseconds unless given. */
const resolution = (view: DataView, start: number, end: number, little: boolean): number => {
  for (let at = start; at + 4 <= end;) {
    const code = view.getUint16(at, little)
    const length = view.getUint16(at + 2, little)
    if (code === 0) break
    if (code === TIMESTAMP_RESOLUTION && length === 1 && at + 5 <= end) {
      const value = view.getUint8(at + 4)
      return (value & 0x80) === 0 ? 10 ** value : 2 ** (value & 0x7f)
    }
    at += 4 + Math.ceil(length / 4) * 4
  }
  return 1e6
}
