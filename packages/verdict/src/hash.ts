/**
 * Hashes of 32 bits. A survey stores hashes instead of texts, because the texts of a million servers would need too much memory. The hashes
 * are signed, because V8 stores signed 32-bit numbers without a heap object.
 */

/** Spreads the bits of a number over all 32 bits (the finalizer of MurmurHash3). */
export const mix = (value: number): number => {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Hashes the UTF-16 units of a text with FNV-1a, and spreads the bits of the result with {@link mix}. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mix(hash)
}

export const combine = (a: number, b: number): number => mix(Math.imul(a, 0x9e3779b1) ^ b)
