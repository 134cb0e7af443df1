/** Reads strings with escapes, in the notation of C, Python, JavaScript or Wireshark's "copy as escaped string". */
import { splitDatagrams, type Reading } from "./Reading.ts"

/**
 * Strings in quotation marks: adjacent strings are one datagram, as in C. A comma, a semicolon, an equals sign or an empty line between two
 * strings separates datagrams. Texts without quotation marks: if there are several lines, and every line begins like a datagram, each line
 * is one datagram. Otherwise the whole text is one datagram.
 */
export const readEscapes = (text: string): Reading => {
  const python = /(?:^|[^A-Za-z0-9_])[bB][rR]?(?=["'])/.test(text)
  if (!python && !/\\x[0-9a-fA-F]{2}/.test(text)) return undefined
  const spelling = python ? "Python bytes" : "escaped string"
  const literals = [...text.matchAll(/"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'/g)]
  if (literals.length === 0) {
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.trim().replace(/\\$/, ""))
    const parts = splitDatagrams(lines, unescapeBytes) ?? [lines.join("")]
    return { spelling, pieces: parts.map(unescapeBytes) }
  }
  const pieces: Array<Array<number>> = []
  let end = 0
  for (const literal of literals) {
    const between = text.slice(end, literal.index)
    if (pieces.length === 0 || /[,;]|\n\s*\n|=/.test(between)) pieces.push([])
    pieces.at(-1)!.push(...unescapeBytes(literal[1] ?? literal[2] ?? ""))
    end = literal.index + literal[0].length
  }
  return { spelling, pieces: pieces.map((piece) => Uint8Array.from(piece)) }
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 }

const utf8 = new TextEncoder()

/**
 * Decodes escapes. `\x` is followed by one or two hex digits. An octal escape has up to three digits. A character outside ASCII is encoded
 * as UTF-8.
 */
export const unescapeBytes = (text: string): Uint8Array => {
  const bytes: Array<number> = []
  for (const [piece, hex, octal, letter] of text.matchAll(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|\n|([^]))|[^\\]+|\\/g
  )) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16))
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else if (letter !== undefined) bytes.push(CONTROLS[letter] ?? letter.charCodeAt(0))
    else if (piece !== "\\\n") bytes.push(...utf8.encode(piece))
  }
  return Uint8Array.from(bytes)
}
