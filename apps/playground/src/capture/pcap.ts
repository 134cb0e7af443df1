/**
 * The classic capture file of libpcap.
 *
 * @module
 */
import type { Packet } from "./Packet.ts"

/** By the magic as its bytes stand: whether little-endian, and fractions per second. */
const MAGICS: Readonly<Record<string, { readonly little: boolean; readonly fraction: number }>> = {
  d4c3b2a1: { little: true, fraction: 1e6 },
  a1b2c3d4: { little: false, fraction: 1e6 },
  "4d3cb2a1": { little: true, fraction: 1e9 },
  a1b23c4d: { little: false, fraction: 1e9 }
}

/** The packets, until the file ends or makes no sense; `undefined` when it is no such file. */
export const packetsOfPcap = (file: Uint8Array): Iterable<Packet> | undefined => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 24) return undefined
  const magic = MAGICS[view.getUint32(0).toString(16).padStart(8, "0")]
  return magic === undefined ? undefined : packets(file, view, magic.little, magic.fraction)
}

function* packets(file: Uint8Array, view: DataView, little: boolean, fraction: number): Generator<Packet> {
  const linkType = view.getUint32(20, little) & 0x0fff_ffff
  for (let at = 24; at + 16 <= file.length;) {
    const timeMs = view.getUint32(at, little) * 1000 + (view.getUint32(at + 4, little) / fraction) * 1000
    const length = view.getUint32(at + 8, little)
    at += 16
    if (at + length > file.length) return
    yield { frame: file.subarray(at, at + length), linkType, timeMs }
    at += length
  }
}
