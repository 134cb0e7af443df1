/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash for short inputs. An attacker without the key cannot guess the hash of an input.
 * Servers use this hash to detect forged requests. Do not use it for passwords.
 *
 * The functions store a 64-bit word as two 32-bit integers. With `BigInt`, the functions would take about forty times as long.
 *
 * @module
 */

/** A 128-bit key as four little-endian words. */
export type SipKey = readonly [number, number, number, number]

/** Reads a key from 16 bytes. Additional bytes are ignored; missing bytes count as zero. */
export const sipKey = (bytes: Uint8Array): SipKey => {
  const word = (i: number) =>
    (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24)
  return [word(0), word(4), word(8), word(12)]
}

const state = new Int32Array(8)

const rounds = (count: number): void => {
  let v0l = state[0]!,
    v0h = state[1]!,
    v1l = state[2]!,
    v1h = state[3]!
  let v2l = state[4]!,
    v2h = state[5]!,
    v3l = state[6]!,
    v3h = state[7]!
  let l: number, t: number
  for (let i = 0; i < count; i++) {
    // v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32)
    l = (v0l >>> 0) + (v1l >>> 0)
    v0h = (v0h + v1h + (l > 0xffffffff ? 1 : 0)) | 0
    v0l = l | 0
    t = (v1l << 13) | (v1h >>> 19)
    v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h
    v1l = t ^ v0l
    t = v0l
    v0l = v0h
    v0h = t
    // v2 += v3; v3 = rotl(v3, 16) ^ v2
    l = (v2l >>> 0) + (v3l >>> 0)
    v2h = (v2h + v3h + (l > 0xffffffff ? 1 : 0)) | 0
    v2l = l | 0
    t = (v3l << 16) | (v3h >>> 16)
    v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h
    v3l = t ^ v2l
    // v0 += v3; v3 = rotl(v3, 21) ^ v0
    l = (v0l >>> 0) + (v3l >>> 0)
    v0h = (v0h + v3h + (l > 0xffffffff ? 1 : 0)) | 0
    v0l = l | 0
    t = (v3l << 21) | (v3h >>> 11)
    v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h
    v3l = t ^ v0l
    // v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32)
    l = (v2l >>> 0) + (v1l >>> 0)
    v2h = (v2h + v1h + (l > 0xffffffff ? 1 : 0)) | 0
    v2l = l | 0
    t = (v1l << 17) | (v1h >>> 15)
    v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h
    v1l = t ^ v2l
    t = v2l
    v2l = v2h
    v2h = t
  }
  state[0] = v0l
  state[1] = v0h
  state[2] = v1l
  state[3] = v1h
  state[4] = v2l
  state[5] = v2h
  state[6] = v3l
  state[7] = v3h
}

const absorb = (low: number, high: number): void => {
  state[6]! ^= low
  state[7]! ^= high
  rounds(2)
  state[0]! ^= low
  state[1]! ^= high
}

/**
 * Low word of the last result of {@link sipHash24}. It is a module variable, because returning a pair would allocate an object per
 * datagram.
 */
export let sipHashLow = 0

/** SipHash-2-4 of `length` bytes of `input`: returns the high word (signed), and stores the low word in {@link sipHashLow}. */
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
