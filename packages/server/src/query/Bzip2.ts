/**
 * A synchronous bzip2 compressor for split replies, without dependencies, for all runtimes. It is fast enough for replies of 10 to 100 kB.
 * Only servers that compress replies load this module. The decompressor is in the protocol package. ADR 4 explains why Sourcewire does not
 * use a library.
 *
 * ```
 * "BZh9" block* 0x177245385090 crc32-of-blocks
 * block = 0x314159265359 crc32 0 origin(24) used-bytes(16+) tables(3) selectors(15) code-lengths symbols
 * ```
 */
import { blockSort } from "./bzip2/blockSort.ts"
import { canonicalCodes, codeLengths } from "./bzip2/huffman.ts"

/**
 * Maximum size of a block after run-length coding, in bytes. Level 9 allows 900 000 bytes, but this encoder stops 19 bytes earlier, as the
 * reference encoder does.
 */
const BLOCK_BYTES = 900_000 - 19

/** Number of symbols in a group. The selector list names the Huffman table of each group. */
const GROUP_SYMBOLS = 50

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc
})

/** Writes bits, most significant bit first. */
class BitWriter {
  private readonly bytes: Array<number> = []
  private pending = 0
  private pendingBits = 0

  /** Writes the low `count` bits of `value`; `count` is at most 24. */
  write(count: number, value: number): void {
    this.pending = (this.pending << count) | (value & ((1 << count) - 1))
    this.pendingBits += count
    while (this.pendingBits >= 8) {
      this.pendingBits -= 8
      this.bytes.push((this.pending >>> this.pendingBits) & 0xff)
    }
    this.pending &= (1 << this.pendingBits) - 1
  }

  write32(value: number): void {
    this.write(16, value >>> 16)
    this.write(16, value)
  }

  finish(): Uint8Array {
    if (this.pendingBits > 0) this.write(8 - this.pendingBits, 0)
    return Uint8Array.from(this.bytes)
  }
}

/**
 * The first stage of compression is run-length coding: after four equal bytes, the function writes how many more equal bytes follow.
 * Returns the block, and the offset in `input` at which the next block starts.
 */
const runLengths = (input: Uint8Array, start: number): { block: Uint8Array; end: number } => {
  const block = new Uint8Array(Math.min(BLOCK_BYTES, Math.ceil((input.length - start) * 1.25) + 5))
  let length = 0
  let at = start
  while (at < input.length && length + 5 <= block.length) {
    const byte = input[at]!
    let run = 1
    while (run < 255 && input[at + run] === byte) run++
    for (let i = 0; i < Math.min(run, 4); i++) block[length++] = byte
    if (run >= 4) block[length++] = run - 4
    at += run
  }
  return { block: block.subarray(0, length), end: at }
}

/**
 * Encodes the last column of the sorted rotations: move-to-front coding, then run-length coding of zeros. The symbols 0 and 1 are the
 * digits of the length of a run of zeros. The symbol `i + 1` means the position `i` (at least 1) in the move-to-front list. The highest
 * symbol ends the block.
 */
const encodeSymbols = (last: Uint8Array, used: ReadonlyArray<number>): { symbols: Uint16Array; alphabet: number } => {
  const places = Uint8Array.from(used)
  const endOfBlock = used.length + 1
  const symbols = new Uint16Array(last.length + 1)
  let length = 0
  let zeros = 0
  const flush = (): void => {
    // Write the run's length in bijective base 2, lowest digit first.
    for (; zeros > 0; zeros = (zeros - 1) >> 1) symbols[length++] = zeros & 1 ? 0 : 1
  }
  for (const byte of last) {
    const place = places.indexOf(byte)
    if (place === 0) {
      zeros++
      continue
    }
    flush()
    places.copyWithin(1, 0, place)
    places[0] = byte
    symbols[length++] = place + 1
  }
  flush()
  symbols[length++] = endOfBlock
  return { symbols: symbols.subarray(0, length), alphabet: endOfBlock + 1 }
}

const writeUsedBytes = (out: BitWriter, isUsed: Uint8Array): void => {
  const row = (r: number) => isUsed.subarray(16 * r, 16 * r + 16)
  for (let r = 0; r < 16; r++) out.write(1, row(r).includes(1) ? 1 : 0)
  for (let r = 0; r < 16; r++) if (row(r).includes(1)) for (const bit of row(r)) out.write(1, bit)
}

const writeLengths = (out: BitWriter, lengths: Uint8Array): void => {
  let current = lengths[0]!
  out.write(5, current)
  for (const length of lengths) {
    for (; current < length; current++) out.write(2, 0b10)
    for (; current > length; current--) out.write(2, 0b11)
    out.write(1, 0)
  }
}

const writeBlock = (out: BitWriter, block: Uint8Array, crc: number): void => {
  const isUsed = new Uint8Array(256)
  for (const byte of block) isUsed[byte] = 1
  const used = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => isUsed[byte] === 1)
  const { last, origin } = blockSort(block)
  const { symbols, alphabet } = encodeSymbols(last, used)
  const frequencies = new Int32Array(alphabet)
  for (const symbol of symbols) frequencies[symbol]!++
  const lengths = codeLengths(frequencies)
  const codes = canonicalCodes(lengths)

  out.write(24, 0x314159)
  out.write(24, 0x265359)
  out.write32(crc)
  out.write(1, 0)
  out.write(24, origin)
  writeUsedBytes(out, isUsed)
  // The format requires at least two Huffman tables. This encoder writes one table twice. Different tables would save 3 to 4 % of a reply
  // of 10 kB, but make most replies below 3 kB larger (ADR 4).
  out.write(3, 2)
  const groups = Math.ceil(symbols.length / GROUP_SYMBOLS)
  out.write(15, groups)
  for (let i = 0; i < groups; i++) out.write(1, 0)
  writeLengths(out, lengths)
  writeLengths(out, lengths)
  for (const symbol of symbols) out.write(lengths[symbol]!, codes[symbol]!)
}

/** Compresses `input` to a bzip2 stream at level 9, in blocks of at most 900 kB. Never fails. */
export const compress = (input: Uint8Array): Uint8Array => {
  const out = new BitWriter()
  out.write(24, 0x425a68)
  out.write(8, 0x39)
  let combined = 0
  for (let at = 0; at < input.length;) {
    const { block, end } = runLengths(input, at)
    let crc = -1
    for (; at < end; at++) crc = (crc << 8) ^ crcTable[((crc >>> 24) ^ input[at]!) & 0xff]!
    crc = ~crc
    writeBlock(out, block, crc)
    combined = ((combined << 1) | (combined >>> 31)) ^ crc
  }
  out.write(24, 0x177245)
  out.write(24, 0x385090)
  out.write32(combined)
  return out.finish()
}
