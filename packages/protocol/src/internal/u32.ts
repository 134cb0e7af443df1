/**
 * Valve's unsigned `long`.
 *
 * @module
 */

/** The little-endian 32-bit number at an offset. */
export const u32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
