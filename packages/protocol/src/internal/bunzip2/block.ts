/**
 * Decompresses one block of a bzip2 stream. The result is still run-length coded.
 *
 * ```
 * origin(24) rows(16) row(16)* tables(3) selectors(15) selector* table* symbol*
 * ```
 */
import { type BitReader, Corrupt } from "./bits.ts"
import { type PrefixCode, readPrefixCode } from "./prefixCode.ts"

/**
 * The number of consecutive symbols that form a group. All symbols of a group use one code table, and the group's selector names this
 * table.
 */
const GROUP_SYMBOLS = 50
const MIN_TABLES = 2
const MAX_TABLES = 6

/**
 * Reads a block. Returns `undefined` if the decompressed block has more than `capacity` bytes. The caller has already read the block's
 * magic number and checksum.
 */
export const readBlock = (bits: BitReader, capacity: number): Uint8Array | undefined => {
  if (bits.read(1) === 1) throw new Corrupt("a randomised block, as bzip2 wrote them before 0.9.5")
  const origin = bits.read(24)
  const places = readUsedBytes(bits)
  const endOfBlock = places.length + 1
  const tableCount = bits.read(3)
  if (tableCount < MIN_TABLES || tableCount > MAX_TABLES) throw new Corrupt("an invalid number of tables")
  const selectors = readSelectors(bits, tableCount)
  const tables = Array.from({ length: tableCount }, () => readPrefixCode(bits, endOfBlock + 1))

  const links = new Uint32Array(capacity)
  let length = 0
  let run = 0
  let runDigit = 1
  for (let group = 0; ; group++) {
    if (group >= selectors.length) throw new Corrupt("more symbols than selectors")
    const table: PrefixCode = tables[selectors[group]!]!
    for (let i = 0; i < GROUP_SYMBOLS; i++) {
      const symbol = table.read(bits)
      if (symbol <= 1) {
        // The length of a run of zeros is written in base 2 with the digits 1 and 2, lowest digit first. Check the length after each digit,
        // so that `run` cannot overflow.
        run += (symbol + 1) * runDigit
        runDigit *= 2
        if (run > capacity - length) return undefined
        continue
      }
      if (run > 0) {
        links.fill(places[0]!, length, length + run)
        length += run
        run = 0
        runDigit = 1
      }
      if (symbol === endOfBlock) return reverseTransform(links.subarray(0, length), origin)
      if (length === capacity) return undefined
      const byte = places[symbol - 1]!
      places.copyWithin(1, 0, symbol - 1)
      places[0] = byte
      links[length++] = byte
    }
  }
}

/**
 * Returns the bytes that occur in the block, in ascending order. The 256 byte values form 16 rows of 16 values. The stream contains a
 * bitmap of the used rows, and then a bitmap of the used values for each used row.
 */
const readUsedBytes = (bits: BitReader): Uint8Array => {
  const used: Array<number> = []
  const rows = bits.read(16)
  for (let row = 0; row < 16; row++) {
    if ((rows & (0x8000 >> row)) === 0) continue
    const columns = bits.read(16)
    for (let column = 0; column < 16; column++) if ((columns & (0x8000 >> column)) !== 0) used.push(16 * row + column)
  }
  if (used.length === 0) throw new Corrupt("a block that uses no byte")
  return Uint8Array.from(used)
}

/**
 * Returns the number of the code table for each group of symbols. The stream contains each table number as a position in a move-to-front
 * list. The position is written in unary.
 */
const readSelectors = (bits: BitReader, tableCount: number): Uint8Array => {
  const selectors = new Uint8Array(bits.read(15))
  const order = Uint8Array.from({ length: tableCount }, (_, table) => table)
  for (let i = 0; i < selectors.length; i++) {
    let place = 0
    while (bits.read(1) === 1) if (++place === tableCount) throw new Corrupt("a reference to a missing table")
    const table = order[place]!
    order.copyWithin(1, 0, place)
    order[0] = table
    selectors[i] = table
  }
  return selectors
}

/**
 * Reverses the Burrows–Wheeler transform. `links` contains the last column of the sorted rotations. The function writes a link to the upper
 * bits of each entry of `links`: the position of the entry that contains the next original byte. To get the original bytes, the function
 * follows these links, starting at `origin`.
 */
const reverseTransform = (links: Uint32Array, origin: number): Uint8Array => {
  if (origin >= links.length) throw new Corrupt("an origin outside of the block")
  const next = new Uint32Array(256)
  for (let i = 0; i < links.length; i++) next[links[i]!]!++
  for (let byte = 0, sum = 0; byte < 256; byte++) {
    const count = next[byte]!
    next[byte] = sum
    sum += count
  }
  for (let i = 0; i < links.length; i++) {
    const byte = links[i]! & 0xff
    links[next[byte]!]! |= i << 8
    next[byte]!++
  }
  const text = new Uint8Array(links.length)
  let at = links[origin]! >>> 8
  for (let i = 0; i < text.length; i++) {
    const link = links[at]!
    text[i] = link & 0xff
    at = link >>> 8
  }
  return text
}
