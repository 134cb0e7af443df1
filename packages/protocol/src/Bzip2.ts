/**
 * Decompresses bzip2, with which servers of some Source games compress large replies. Output, memory and time are limited by what the
 * caller expects, for any input. `docs/adr/0003-bzip2.md` says why this is not a library. The server package compresses.
 */
import type * as Result from "effect/Result"
import { fail, succeed } from "./internal/result.ts"
import { ChecksumMismatch, LimitExceeded, type Malformed } from "./Errors.ts"
import { malformed } from "./internal/malformed.ts"
import { BitReader, Corrupt } from "./internal/bunzip2/bits.ts"
import { readBlock } from "./internal/bunzip2/block.ts"
import { MAX_INFLATED_BYTES } from "./Limits.ts"

/**
 * Inflates `compressed`, which must give exactly `expectedBytes`, the size that the reply's header announces. It reads one stream and
 * ignores what follows it; the stream's own checksums are not compared, since a split reply carries one over the whole.
 *
 * Nothing is allocated for an announcement beyond `maxBytes` (`LimitExceeded`), and inflating ends at the first byte that was
 * not announced: `ChecksumMismatch` of `size`, whose `actual` then is one more than `expected`. Besides the output, memory is at most
 * 7 bytes for each of `expectedBytes`.
 */
export const inflate = (
  compressed: Uint8Array,
  expectedBytes: number,
  maxBytes: number = MAX_INFLATED_BYTES
): Result.Result<Uint8Array, Malformed | ChecksumMismatch | LimitExceeded> => {
  if (expectedBytes > maxBytes) {
    const message = `a compressed reply announces ${expectedBytes} bytes, more than ${maxBytes}`
    return fail(new LimitExceeded({ message, limit: "MAX_INFLATED_BYTES", max: maxBytes }))
  }
  try {
    const inflated = inflateStream(compressed, expectedBytes)
    if (inflated?.length === expectedBytes) return succeed(inflated)
    const actual = inflated?.length ?? expectedBytes + 1
    const message = `a compressed reply of ${expectedBytes} bytes inflates to ${inflated?.length ?? "more"}`
    return fail(new ChecksumMismatch({ message, of: "size", expected: expectedBytes, actual }))
  } catch (cause) {
    if (!(cause instanceof Corrupt)) throw cause
    return fail(
      malformed("Split", compressed, "compressed", 0, `a compressed reply is not valid bzip2: ${cause.reason}`)
    )
  }
}

const BYTES_PER_LEVEL = 100_000

/** At most `maxBytes` of a stream; `undefined` if it contains more. Throws {@link Corrupt} for a damaged stream. */
const inflateStream = (input: Uint8Array, maxBytes: number): Uint8Array | undefined => {
  const bits = new BitReader(input)
  if (bits.read(24) !== 0x425a68) throw new Corrupt("no bzip2 stream")
  const level = bits.read(8) - 0x30
  if (level < 1 || level > 9) throw new Corrupt("a block size that bzip2 lacks")
  const output = new Uint8Array(maxBytes)
  let length = 0
  for (;;) {
    const magic = bits.read(24) * 0x1000000 + bits.read(24)
    if (magic === 0x177245385090) return output.subarray(0, length)
    if (magic !== 0x314159265359) throw new Corrupt("neither a block nor the end of the stream")
    bits.read(16)
    bits.read(16)
    // Run-length coding makes at most five bytes of four, so a larger block decompresses to too much.
    const most = Math.ceil((maxBytes - length) * 1.25) + 4
    const capacity = Math.min(level * BYTES_PER_LEVEL, most)
    const block = readBlock(bits, capacity)
    if (block === undefined) {
      if (capacity < most) throw new Corrupt("a block larger than the stream's block size")
      return undefined
    }
    const end = expandRuns(block, output, length)
    if (end === undefined) return undefined
    length = end
  }
}

/**
 * Writes `block` from `output[start]` on, where four equal bytes are followed by the number of further ones. Returns the end, or
 * `undefined` if there is no room.
 */
const expandRuns = (block: Uint8Array, output: Uint8Array, start: number): number | undefined => {
  let at = start
  let last = -1
  let equal = 0
  for (let i = 0; i < block.length; i++) {
    const byte = block[i]!
    if (equal === 4) {
      if (byte > output.length - at) return undefined
      output.fill(last, at, at + byte)
      at += byte
      equal = 0
      continue
    }
    if (at === output.length) return undefined
    output[at++] = byte
    equal = byte === last && equal > 0 ? equal + 1 : 1
    last = byte
  }
  return at
}
