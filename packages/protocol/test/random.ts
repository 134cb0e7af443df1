/** A seeded generator (mulberry32): the same seed produces the same numbers on every host. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a copy of a datagram with one to four errors: changed, missing, duplicated or inserted bytes, or a truncation. */
export const mutate = (datagram: Uint8Array, random: () => number): Uint8Array => {
  let bytes = [...datagram]
  const below = (limit: number): number => Math.floor(random() * limit)
  for (let i = 1 + below(4); i > 0; i--) {
    const at = below(bytes.length)
    const kind = below(6)
    if (kind === 0) bytes[at] = below(256)
    else if (kind === 1) bytes = bytes.slice(0, at)
    else if (kind === 2) bytes.splice(at, 1 + below(4))
    else if (kind === 3) bytes.splice(at, 0, ...Array.from({ length: 1 + below(8) }, () => below(256)))
    else if (kind === 4) bytes[at] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][below(6)]!
    else bytes.push(...bytes.slice(at, at + below(64)))
  }
  return Uint8Array.from(bytes)
}
