/**
 * Reads array literals of bytes (`{ 0xff, 255, 'A' }`, `[255, 255]`, `Uint8Array.of(…)`), and lists of numbers such as `0xff` without
 * brackets.
 */
import { splitDatagrams, type Reading } from "./Reading.ts"
import { unescapeBytes } from "./escapes.ts"

export const readLists = (text: string): Reading => {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ")
  const literals = [
    ...code.matchAll(/[{[(]\s*((?:0[xX][0-9a-fA-F]{1,2}|\d{1,3}|'(?:\\?[^]|\\x..)')(?:[\s,]+|(?=[}\])])))+\s*[}\])]/g)
  ]
  if (literals.length > 0) {
    // In `data[12] = { … }`, the text `[12]` is the size of the array, and not a list of bytes.
    const lists = literals.length > 1 ? literals.filter(([literal]) => !/^\[\s*\d+\s*\]$/.test(literal)) : literals
    return all(
      "array literal",
      lists.map(([literal]) => literal)
    )
  }
  if (!/^\s*(?:0[xX][0-9a-fA-F]{1,2}[\s,;]*)+$/.test(code)) return undefined
  const lines = code.split("\n").filter((line) => line.trim() !== "")
  const datagrams = splitDatagrams(lines, (line) => Uint8Array.from(parseNumbers(line)))
  return all("0x list", datagrams ?? code.split(/\n[ \t]*\n/))
}

const parseNumbers = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/0[xX][0-9a-fA-F]+|\d+|'((?:\\[^']+|[^']))'/g)].map(([number, character]) =>
    character === undefined ? Number(number) : (unescapeBytes(character)[0] ?? 0)
  )

const all = (spelling: "array literal" | "0x list", texts: ReadonlyArray<string>): Reading => {
  const pieces: Array<Uint8Array> = []
  for (const text of texts) {
    const numbers = parseNumbers(text)
    const large = numbers.find((number) => number > 0xff)
    if (large !== undefined) return { ok: false, message: `${large} is not a byte: a byte is from 0 to 255.` }
    pieces.push(Uint8Array.from(numbers))
  }
  return { spelling, pieces }
}
