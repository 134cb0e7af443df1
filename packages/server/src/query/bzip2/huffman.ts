/**
 * Code lengths and codes of bzip2's Huffman stage.
 *
 * @module
 */

/** The format allows 20; the reference encoder keeps to 17, and so do decoders' fast tables. */
const MAX_LENGTH = 17

/** A code length for every symbol, at most 17 bits; symbols that do not occur get one too, as the format asks. */
export const codeLengths = (frequencies: Int32Array): Uint8Array => {
  const symbols = frequencies.length
  const lengths = new Uint8Array(symbols)
  const weights = Float64Array.from(frequencies, (f) => Math.max(1, f))
  for (;;) {
    const parent = new Int32Array(2 * symbols - 1).fill(-1)
    const weight = new Float64Array(2 * symbols - 1)
    weight.set(weights)
    // Two sorted queues (leaves and inner nodes) in place of a heap.
    const leaves = Array.from({ length: symbols }, (_, i) => i).sort((a, b) => weight[a]! - weight[b]!)
    let leaf = 0
    let inner = symbols
    let created = symbols
    const smallest = (): number => {
      const takeLeaf = leaf < symbols && (inner >= created || weight[leaves[leaf]!]! <= weight[inner]!)
      return takeLeaf ? leaves[leaf++]! : inner++
    }
    while (created < 2 * symbols - 1) {
      const a = smallest()
      const b = smallest()
      parent[a] = created
      parent[b] = created
      weight[created++] = weight[a]! + weight[b]!
    }
    let longest = 0
    for (let symbol = 0; symbol < symbols; symbol++) {
      let length = 0
      for (let node = symbol; parent[node] !== -1; node = parent[node]!) length++
      lengths[symbol] = length
      longest = Math.max(longest, length)
    }
    if (longest <= MAX_LENGTH) return lengths
    // Flattening the weights shortens the deepest branches; it ends, since equal weights give a balanced tree.
    for (let i = 0; i < symbols; i++) weights[i] = 1 + Math.floor(weights[i]! / 2)
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
