/**
 * Reads hex digits, with or without spaces, colons, dashes or commas between the bytes. The text can be in quotation marks or brackets, and
 * each byte can begin with `0x` or `\x`.
 */
import { fromHex } from "@sourcewire/protocol"
import { splitDatagrams, type NotUnderstood, type Reading } from "./Reading.ts"

const PREFIX = /0[xX]|\\x/g

/** Characters that are allowed between the bytes, before the first byte, and after the last byte. */
const BETWEEN = ":,;.\\-|\"'`[\\]{}()"
const ONLY_HEX = new RegExp(`^[\\s0-9a-fA-F${BETWEEN}]+$`)
const SEPARATORS = new RegExp(`[\\s${BETWEEN}]+`)

/**
 * If every word begins like a datagram, each word is a datagram. Otherwise, if every line begins like a datagram, each line is a datagram.
 * In all other texts, empty lines separate the datagrams, and a datagram can consist of several lines. A single line between empty lines
 * can contain several datagrams: each word that begins like a datagram and has more than four bytes starts a new datagram.
 */
export const readHex = (text: string): Reading => {
  const clean = text.replaceAll(PREFIX, " ")
  if (!ONLY_HEX.test(clean)) return explainError(text)
  const lines = clean.split("\n").filter((line) => line.trim() !== "")
  const parts =
    splitDatagrams(clean.trim().split(/\s+/), parseBytes) ??
    splitDatagrams(lines, parseBytes) ??
    clean.split(/\n[ \t]*\n/).flatMap((part) => (part.trim() === "" ? [] : splitLine(part.trim())))
  const pieces: Array<Uint8Array> = []
  for (const part of parts) {
    const bytes = parseBytes(part)
    if (bytes === undefined) return { ok: false, message: oddDigits(part) }
    pieces.push(bytes)
  }
  return { spelling: /0[xX]/.test(text) ? "0x list" : "hex", pieces }
}

/**
 * Matches a word that begins like a datagram and has more than four bytes. Words of only four bytes are excluded, because such a word can
 * be the challenge −1 within a datagram, or a group of four bytes in a dump.
 */
const OPENS_DATAGRAM = /^f[ef]ffffff[0-9a-f]/i

const splitLine = (part: string): ReadonlyArray<string> => {
  if (part.includes("\n")) return [part]
  const datagrams: Array<string> = []
  for (const word of part.split(/\s+/)) {
    if (datagrams.length === 0 || OPENS_DATAGRAM.test(word)) datagrams.push(word)
    else datagrams[datagrams.length - 1] += ` ${word}`
  }
  return datagrams
}

const parseBytes = (part: string): Uint8Array | undefined => {
  const groups = part.split(SEPARATORS).filter((group) => group !== "")
  // Some programs that write colons between the bytes omit the leading 0 of a byte.
  const padded = groups.map((group) => (group.length === 1 && part.includes(":") ? `0${group}` : group))
  return fromHex(padded.join(""))
}

const oddDigits = (part: string): string => {
  const odd = part.split(SEPARATORS).find((group) => group.length % 2 === 1)
  return `A byte is two hex digits, but “${shorten(odd ?? part)}” has an odd number of them.`
}

const explainError = (text: string): NotUnderstood | undefined => {
  const lines = text.split("\n")
  if (!lines.some((line) => (line.match(/\b[0-9a-fA-F]{2}\b/g) ?? []).length > 2)) return undefined
  const at = lines.findIndex((line) => /[^\s0-9a-fA-F:,;.\-|xX\\]/.test(line))
  const wrong = /[^\s0-9a-fA-F:,;.\-|xX\\]+/.exec(lines[at] ?? "")?.[0] ?? ""
  return { ok: false, line: at + 1, message: `Line ${at + 1}: “${shorten(wrong)}” is not hex.` }
}

const shorten = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text)
