/**
 * Computes the code lengths and codes for bzip2's Huffman coding.
 *
 * @module
 */

/**
 * Maximum length of a code, in bits. The format allows 20 bits, but the reference encoder uses at most 17 bits, and the lookup tables of
 * fast decoders support codes of 17 bits.
 */
const MAX_LENGTH = 17

/** The code length of every symbol, at most 17 bits. The format requires a code length even for symbols that do not occur. */
export const codeLengths = (frequencies: Int32Array): Uint8Array => {
  const lengths = new Uint8Array(frequencies.length)
  let weights = Array.from(frequencies, (frequency) => Math.max(1, frequency))
  for (;;) {
    lengths.fill(0)
    // Sort the trees by weight, and then repeatedly join the two lightest trees. The sort must be stable: the same frequencies must always
    // produce the same code lengths.
    const trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] })).sort((a, b) => a.weight - b.weight)
    while (trees.length > 1) {
      const lightest = trees.splice(0, 2)
      const weight = lightest.reduce((sum, tree) => sum + tree.weight, 0)
      const symbols = lightest.flatMap((tree) => tree.symbols)
      for (const symbol of symbols) lengths[symbol]!++
      trees.splice(trees.findLastIndex((tree) => tree.weight <= weight) + 1, 0, { weight, symbols })
    }
    if (Math.max(...lengths) <= MAX_LENGTH) return lengths
    // Each pass brings the weights closer together, until every weight is 1 or 2. Such weights produce a nearly balanced tree with short
    // codes, so the loop ends.
    weights = weights.map((weight) => 1 + Math.floor(weight / 2))
  }
}

/**
 * Returns the canonical code of each symbol. Short codes are assigned before long codes. Codes of equal length are assigned in the
 * order of their symbols.
 */
export const canonicalCodes = (lengths: Uint8Array): Int32Array => {
  const codes = new Int32Array(lengths.length)
  let code = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) if (lengths[symbol] === length) codes[symbol] = code++
    code <<= 1
  }
  return codes
}
