/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash for short inputs whose output cannot be guessed without the
 * key. Made for exactly this use, telling forged requests from genuine ones; it is not a password hash.
 *
 * 64-bit words are pairs of 32-bit integers: `BigInt` costs about forty times as much.
 *
 * @module
 */

/** A 128-bit key as four little-endian words. */
export type SipKey = readonly [number, number, number, number]

/** Reads a key from 16 bytes; more bytes are ignored, missing ones are zero. */
export const sipKey = (bytes: Uint8Array): SipKey => {
  const word = (i: number) =>
    (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24)
  return [word(0), word(4), word(8), word(12)]
}

const state = new Int32Array(8)

/**
 * A quarter of a round: `v[a] += v[b]; v[b] = rotl(v[b], turn) ^ v[a]`, and where `half` is 1 also `v[a] = rotl(v[a], 32)`. The low
 * word of each stands in `state` before the high one.
 */
const quarter = (a: number, b: number, turn: number, half: 0 | 1): void => {
  const bl = state[b]!
  const bh = state[b + 1]!
  const low = (state[a]! + bl) | 0
  const high = (state[a + 1]! + bh + (low >>> 0 < bl >>> 0 ? 1 : 0)) | 0
  state[b] = ((bl << turn) | (bh >>> (32 - turn))) ^ low
  state[b + 1] = ((bh << turn) | (bl >>> (32 - turn))) ^ high
  state[a + half] = low
  state[a + 1 - half] = high
}

const rounds = (count: number): void => {
  for (let i = 0; i < count; i++) {
    quarter(0, 2, 13, 1)
    quarter(4, 6, 16, 0)
    quarter(0, 6, 21, 0)
    quarter(4, 2, 17, 1)
  }
}

const absorb = (low: number, high: number): void => {
  state[6]! ^= low
  state[7]! ^= high
  rounds(2)
  state[0]! ^= low
  state[1]! ^= high
}

/** Low word of the last {@link sipHash24}. A module variable, since returning a pair would allocate per packet. */
export let sipHashLow = 0

/** SipHash-2-4 of `length` bytes of `input`: returns the high word (signed), and leaves the low one in {@link sipHashLow}. */
export const sipHash24 = (key: SipKey, input: Uint8Array, length: number): number => {
  state[0] = key[0] ^ 0x70736575
  state[1] = key[1] ^ 0x736f6d65
  state[2] = key[2] ^ 0x6e646f6d
  state[3] = key[3] ^ 0x646f7261
  state[4] = key[0] ^ 0x6e657261
  state[5] = key[1] ^ 0x6c796765
  state[6] = key[2] ^ 0x79746573
  state[7] = key[3] ^ 0x74656462
  const whole = length & ~7
  for (let i = 0; i < whole; i += 8) {
    absorb(
      input[i]! | (input[i + 1]! << 8) | (input[i + 2]! << 16) | (input[i + 3]! << 24),
      input[i + 4]! | (input[i + 5]! << 8) | (input[i + 6]! << 16) | (input[i + 7]! << 24)
    )
  }
  let low = 0
  let high = (length & 0xff) << 24
  for (let i = whole; i < length; i++) {
    const shift = 8 * (i - whole)
    if (shift < 32) low |= input[i]! << shift
    else high |= input[i]! << (shift - 32)
  }
  absorb(low, high)
  state[4]! ^= 0xff
  rounds(4)
  sipHashLow = state[0]! ^ state[2]! ^ state[4]! ^ state[6]!
  return state[1]! ^ state[3]! ^ state[5]! ^ state[7]!
}
