/**
 * What all encodings read alike.
 *
 * @module
 */

/** Whether no byte is above 0x7F. */
export const isAscii = (bytes: Uint8Array, start: number, end: number): boolean => {
  let bits = 0
  for (let i = start; i < end; i++) bits |= bytes[i]!
  return bits < 0x80
}
