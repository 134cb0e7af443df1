/**
 * Requests that bring a number.
 *
 * @module
 */

/** A request with another number in it, at an offset: a copy is far cheaper than encoding anew. */
export const numbered = (request: Uint8Array, at: number, number: number): Uint8Array => {
  const packet = request.slice()
  // A DataView for each would cost as much as all the rest.
  packet[at] = number
  packet[at + 1] = number >> 8
  packet[at + 2] = number >> 16
  packet[at + 3] = number >> 24
  return packet
}
