/**
 * Reads hex dumps. Each line has an offset, hex bytes, and usually the same bytes as characters. Each line with the offset 0 begins a
 * datagram.
 */
import { fromHex } from "@sourcewire/protocol"
import type { Reading, Spelling } from "./Reading.ts"

interface Format {
  readonly spelling: Spelling
  /**
   * Matches a line of the dump. Group 1 is the offset, and group 2 is the hex bytes. The hex bytes end at two spaces, at a bar, or at the
   * end of the line. The rest of the line can contain the same bytes as characters.
   */
  readonly line: RegExp
}

const formats: ReadonlyArray<Format> = [
  { spelling: "tcpdump -X", line: /^\s*0x([0-9a-fA-F]{4,8}):\s+((?:[0-9a-fA-F]{2,4} ?)+)(?: |$)/ },
  { spelling: "xxd dump", line: /^\s*([0-9a-fA-F]{4,8}): ((?:[0-9a-fA-F]{2,16} ?)+)(?: |$)/ },
  { spelling: "hexdump -C", line: /^\s*([0-9a-fA-F]{8})(?: {2}((?:[0-9a-fA-F]{2} {1,2})+)\s*\|.*|\s*)$/ },
  { spelling: "Wireshark hex dump", line: /^\s*([0-9a-fA-F]{4,8})\s{2,3}((?:[0-9a-fA-F]{2} {0,2})+)(?: |$)/ }
]

/**
 * Whether a line belongs to a dump: the line has an offset and bytes, or is the star that replaces repeated lines. If `first` is true, only
 * a line with the offset 0 belongs to a dump.
 */
export const isDumpLine = (line: string, first: boolean): boolean =>
  formats.some((format) => {
    const match = format.line.exec(line)
    return match !== null && (!first || Number.parseInt(match[1]!, 16) === 0)
  }) ||
  (!first && line.trim() === "*")

export const readDump = (text: string): Reading => {
  const lines = text.split("\n")
  for (const { line, spelling } of formats) {
    const first = lines.map((one) => line.exec(one)).find((match) => match !== null)
    if (first === undefined || first === null || Number.parseInt(first[1]!, 16) !== 0) continue
    return { spelling, pieces: readDatagrams(lines, line) }
  }
  return undefined
}

const readDatagrams = (lines: ReadonlyArray<string>, format: RegExp): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Array<number>> = []
  let before: ReadonlyArray<number> = []
  let repeats = false
  for (const line of lines) {
    // If the next lines repeat the line before them, `hexdump` prints a single star in place of these next lines.
    if (line.trim() === "*") {
      repeats = true
      continue
    }
    const match = format.exec(line)
    if (match === null) continue
    const offset = Number.parseInt(match[1]!, 16)
    const bytes = [...(fromHex((match[2] ?? "").replaceAll(/\s/g, "")) ?? [])]
    if (offset === 0) pieces.push([])
    const piece = pieces.at(-1)
    if (piece === undefined) continue
    if (repeats && before.length > 0) while (piece.length < Math.min(offset, MAX_REPEATED)) piece.push(...before)
    repeats = false
    // The offset is the number of bytes before this line. If `piece` has more bytes, characters in the text column of an earlier line
    // looked like hex and were read as bytes. These extra bytes are removed.
    piece.length = Math.min(piece.length, offset)
    piece.push(...bytes)
    before = bytes
  }
  return pieces.map((piece) => Uint8Array.from(piece))
}

/** Maximum size in bytes to which repeated lines can extend a datagram. */
const MAX_REPEATED = 0x1_0000
