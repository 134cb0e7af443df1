/**
 * Decompresses large replies, which servers of some Source games compress with bzip2. The caller passes the expected size of the output.
 * This size limits the output, the memory and the time of the decompression, even for damaged or malicious input. `docs/adr/0003-bzip2.md`
 * explains why Sourcewire does not use a library. The compressor is in the server package.
 */
import type * as Result from "effect/Result"
import { fail, succeed } from "./internal/result.ts"
import { ChecksumMismatch, LimitExceeded, type Malformed } from "./Errors.ts"
import { malformed } from "./internal/malformed.ts"
import { BitReader, Corrupt } from "./internal/bunzip2/bits.ts"
import { readBlock } from "./internal/bunzip2/block.ts"
import { MAX_INFLATED_BYTES } from "./Limits.ts"

/**
 * Decompresses `compressed`. The output must have exactly `expectedBytes` bytes; the header of the split reply contains this size. The
 * function reads one stream and ignores any bytes after the end of this stream. The checksums inside the stream are not verified, because a
 * split reply has its own checksum of the whole output.
 *
 * If `expectedBytes` exceeds `maxBytes`, the function fails with `LimitExceeded` and allocates nothing. If the output has more or fewer
 * bytes than `expectedBytes`, the function fails with a `ChecksumMismatch` whose `of` is `"size"`. Decompression stops at the first byte
 * beyond the expected size. Therefore, if the output is too large, the `actual` of the error is always `expectedBytes + 1`. Besides the
 * output, the function needs at most 7 bytes of memory per byte of `expectedBytes`, and a constant amount of memory for tables.
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

/** Decompresses a stream. Returns `undefined` if the output would exceed `maxBytes`. Throws {@link Corrupt} for a damaged stream. */
const inflateStream = (input: Uint8Array, maxBytes: number): Uint8Array | undefined => {
  const bits = new BitReader(input)
  if (bits.read(24) !== 0x425a68) throw new Corrupt("no header of a bzip2 stream")
  const level = bits.read(8) - 0x30
  if (level < 1 || level > 9) throw new Corrupt("an invalid block size")
  const output = new Uint8Array(maxBytes)
  let length = 0
  for (;;) {
    const magic = bits.read(24) * 0x1000000 + bits.read(24)
    if (magic === 0x177245385090) return output.subarray(0, length)
    if (magic !== 0x314159265359) throw new Corrupt("neither a block nor the end of the stream")
    bits.read(16)
    bits.read(16)
    // With run-length coding, five bytes of a block decompress to at least four bytes. Therefore, if a block has more than `most` bytes,
    // the complete output has more than `maxBytes` bytes.
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
 * Copies `block` to the position `start` of `output`, and expands the runs of the block: after four equal bytes, the next byte is the
 * number of further equal bytes. Returns the end position, or `undefined` if `output` is too small.
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
