/**
 * Code lengths and codes of bzip2's Huffman stage.
 *
 * @module
 */

/** The format allows 20; the reference encoder keeps to 17, and so do decoders' fast tables. */
const MAX_LENGTH = 17

/** A code length for every symbol, at most 17 bits; symbols that do not occur get one too, as the format asks. */
export const codeLengths = (frequencies: Int32Array): Uint8Array => {
  const lengths = new Uint8Array(frequencies.length)
  let weights = Array.from(frequencies, (frequency) => Math.max(1, frequency))
  for (;;) {
    lengths.fill(0)
    // In order of weight, equal ones as they came: the two lightest become one until there is only one.
    const trees = weights.map((weight, symbol) => ({ weight, symbols: [symbol] })).sort((a, b) => a.weight - b.weight)
    while (trees.length > 1) {
      const lightest = trees.splice(0, 2)
      const weight = lightest.reduce((sum, tree) => sum + tree.weight, 0)
      const symbols = lightest.flatMap((tree) => tree.symbols)
      for (const symbol of symbols) lengths[symbol]!++
      trees.splice(trees.findLastIndex((tree) => tree.weight <= weight) + 1, 0, { weight, symbols })
    }
    if (Math.max(...lengths) <= MAX_LENGTH) return lengths
    // Flattening the weights shortens the deepest branches; it ends, since equal weights give a balanced tree.
    weights = weights.map((weight) => 1 + Math.floor(weight / 2))
  }
}

/** The canonical codes of these lengths: shorter first, then by symbol. */
export const canonicalCodes = (lengths: Uint8Array): Int32Array => {
  const codes = new Int32Array(lengths.length)
  let code = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) if (lengths[symbol] === length) codes[symbol] = code++
    code <<= 1
  }
  return codes
}
