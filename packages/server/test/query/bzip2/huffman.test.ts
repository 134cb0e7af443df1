import { assert, it } from "@effect/vitest"
import { canonicalCodes, codeLengths } from "../../../src/query/bzip2/huffman.ts"

/** Fibonacci frequencies of 40 symbols. Without a limit, the longest code would have 39 bits. */
const fibonacci = Int32Array.from({ length: 40 }, (_, i) => Math.round(1.618034 ** i / Math.sqrt(5)))

it("Huffman codes have at most 17 bits, even for very rare symbols, and every possible code is used", () => {
  const lengths = codeLengths(fibonacci)
  assert.strictEqual(Math.max(...lengths), 17)
  assert.strictEqual(
    lengths.reduce((sum, length) => sum + 2 ** -length, 0),
    1
  )
})

it("no Huffman code is the beginning of another code", () => {
  const lengths = codeLengths(fibonacci)
  const texts = Array.from(canonicalCodes(lengths), (code, i) => code.toString(2).padStart(lengths[i]!, "0")).toSorted()
  for (let i = 1; i < texts.length; i++) assert.isFalse(texts[i]!.startsWith(texts[i - 1]!))
})
