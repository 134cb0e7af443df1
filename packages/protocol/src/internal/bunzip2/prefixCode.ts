/**
 * The prefix codes of a bzip2 block. The codes are canonical: a list with the length of each symbol's code word determines all code words.
 */
import { type BitReader, Corrupt } from "./bits.ts"

const MAX_LENGTH = 20

/** One code table: maps code words to symbols. */
export class PrefixCode {
  /** For each length: the last code word of this length plus 1, left-aligned to {@link MAX_LENGTH} bits. */
  private readonly limits = new Int32Array(MAX_LENGTH + 1)
  /** For each length: the offset to subtract from a code word to get the index of its symbol. */
  private readonly bases = new Int32Array(MAX_LENGTH + 1)
  /** The symbols, in the order of their code words. */
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

  /** Consumes a code word and returns its symbol. */
  read(bits: BitReader): number {
    const ahead = bits.peek(MAX_LENGTH)
    for (let length = this.shortest; length <= MAX_LENGTH; length++) {
      if (ahead < this.limits[length]!) {
        bits.skip(length)
        return this.symbols[(ahead >>> (MAX_LENGTH - length)) - this.bases[length]!]!
      }
    }
    throw new Corrupt("an unknown code word")
  }
}

/**
 * Reads a code table of a block. The stream contains a start length. Then it contains, for each symbol, the steps from the previous
 * symbol's length to the length of this symbol's code word. A step adds or subtracts 1.
 */
export const readPrefixCode = (bits: BitReader, symbols: number): PrefixCode => {
  const lengths = new Uint8Array(symbols)
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (bits.read(1) === 1) length += bits.read(1) === 1 ? -1 : 1
    if (length < 1 || length > MAX_LENGTH) throw new Corrupt("a code word of invalid length")
    lengths[symbol] = length
  }
  return new PrefixCode(lengths)
}
