/**
 * CRC-32 of IEEE 802.3, which zip, PNG and compressed split replies use. bzip2 uses another CRC, with the opposite bit order.
 *
 * @module
 */
const table = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** The checksum of `bytes`, unsigned. */
export const crc32 = (bytes: Uint8Array): number => {
  let crc = -1
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]!) & 0xff]!
  return ~crc >>> 0
}
