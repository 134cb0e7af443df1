/** The prefix codes of a bzip2 block: canonical, so that the lengths of the code words say everything. */
import { type BitReader, Corrupt } from "./bits.ts"

const MAX_LENGTH = 20

/** One code table. */
export class PrefixCode {
  /** Per length: the first number, left-aligned to {@link MAX_LENGTH} bits, that is beyond the code words of this length. */
  private readonly limits = new Int32Array(MAX_LENGTH + 1)
  /** Per length: what to take from a code word to get its place among the symbols. */
  private readonly bases = new Int32Array(MAX_LENGTH + 1)
  /** The symbols in the order of their code words. */
  private readonly symbols: Uint16Array
  private readonly shortest: number

  constructor(lengths: Uint8Array) {
    const counts = new Int32Array(MAX_LENGTH + 1)
    for (const length of lengths) counts[length]!++
    this.symbols = new Uint16Array(lengths.length)
    let place = 0
    let word = 0
    for (let length = 1; length <= MAX_LENGTH; length++) {
      this.bases[length] = word - place
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] === length) this.symbols[place++] = symbol
      }
      word += counts[length]!
      this.limits[length] = word << (MAX_LENGTH - length)
      word <<= 1
    }
    this.shortest = counts.findIndex((count) => count > 0)
  }

  /** The symbol whose code word comes next. */
  read(bits: BitReader): number {
    const ahead = bits.peek(MAX_LENGTH)
    for (let length = this.shortest; length <= MAX_LENGTH; length++) {
      if (ahead < this.limits[length]!) {
        bits.skip(length)
        return this.symbols[(ahead >>> (MAX_LENGTH - length)) - this.bases[length]!]!
      }
    }
    throw new Corrupt("a code word that no table has")
  }
}

/** The code tables of a block, each written as a first length and, for each symbol, steps up or down from the one before. */
export const readPrefixCode = (bits: BitReader, symbols: number): PrefixCode => {
  const lengths = new Uint8Array(symbols)
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (bits.read(1) === 1) length += bits.read(1) === 1 ? -1 : 1
    if (length < 1 || length > MAX_LENGTH) throw new Corrupt("a code word of a length that bzip2 lacks")
    lengths[symbol] = length
  }
  return new PrefixCode(lengths)
}
