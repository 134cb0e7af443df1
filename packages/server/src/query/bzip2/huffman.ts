/**
 * Code lengths and codes of bzip2's Huffman stage.
 *
 * @module
 */

/** The format allows 20 bits. The reference encoder uses at most 17 bits, which the fast tables of decoders support. */
const MAX_LENGTH = 17

/** The code length of every symbol, at most 17 bits. The format requires a code length even for symbols that do not occur. */
export const codeLengths = (frequencies: Int32Array): Uint8Array => {
  const lengths = new Uint8Array(frequencies.length)
  let weights = Array.from(frequencies, (frequency) => Math.max(1, frequency))
  for (;;) {
    lengths.fill(0)
    // Sort by weight, with a stable order; repeatedly join the two lightest trees.
    const trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] })).sort((a, b) => a.weight - b.weight)
    while (trees.length > 1) {
      const lightest = trees.splice(0, 2)
      const weight = lightest.reduce((sum, tree) => sum + tree.weight, 0)
      const symbols = lightest.flatMap((tree) => tree.symbols)
      for (const symbol of symbols) lengths[symbol]!++
      trees.splice(trees.findLastIndex((tree) => tree.weight <= weight) + 1, 0, { weight, symbols })
    }
    if (Math.max(...lengths) <= MAX_LENGTH) return lengths
    // Flattened weights shorten the longest codes. The loop ends, because equal weights produce a balanced tree.
    weights = weights.map((weight) => 1 + Math.floor(weight / 2))
  }
}

/** The canonical codes of these lengths, sorted by length and then by symbol. */
export const canonicalCodes = (lengths: Uint8Array): Int32Array => {
  const codes = new Int32Array(lengths.length)
  let code = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) if (lengths[symbol] === length) codes[symbol] = code++
    code <<= 1
  }
  return codes
}
