/**
 * Plain hex: digits with blanks, colons, dashes or commas between bytes, or with nothing.
 *
 * @module
 */
import { fromHex } from "@sourcewire/protocol"
import { hasProtocolHead } from "./Datagram.ts"
import type { NotUnderstood, Reading } from "./Reading.ts"

/**
 * A line is a datagram of its own when every line begins like one, and so is a word; otherwise lines only wrap, and an empty line
 * ends a datagram.
 */
export const readHex = (text: string): Reading => {
  if (!/^[\s0-9a-fA-F:,;.\-|]+$/.test(text.replaceAll(/\b0[xX]|\\x/g, ""))) return complain(text)
  const clean = text.replaceAll(/0[xX]|\\x/g, " ")
  const lines = clean.split("\n").filter((line) => line.trim() !== "")
  const words = clean.trim().split(/\s+/)
  const parts =
    wholeDatagrams(words) ?? wholeDatagrams(lines) ?? clean.split(/\n[ \t]*\n/).filter((part) => part.trim() !== "")
  const pieces: Array<Uint8Array> = []
  for (const part of parts) {
    const bytes = bytesOf(part)
    if (bytes === undefined) return { ok: false, message: oddDigits(part) }
    pieces.push(bytes)
  }
  return { spelling: /0[xX]/.test(text) ? "0x list" : "hex", pieces }
}

const wholeDatagrams = (parts: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  parts.length > 1 && parts.every((part) => hasProtocolHead(bytesOf(part) ?? new Uint8Array(0))) ? parts : undefined

const SEPARATORS = /[\s:,;.\-|]+/

const bytesOf = (part: string): Uint8Array | undefined => {
  const groups = part.split(SEPARATORS).filter((group) => group !== "")
  // Between colons leading zeros may be left out.
  const padded = groups.map((group) => (group.length === 1 && part.includes(":") ? `0${group}` : group))
  return fromHex(padded.join(""))
}

const oddDigits = (part: string): string => {
  const odd = part.split(SEPARATORS).find((group) => group.length % 2 === 1)
  return `A byte is two hex digits, but “${shorten(odd ?? part)}” has an odd number of them.`
}

const complain = (text: string): NotUnderstood | undefined => {
  const lines = text.split("\n")
  if (!lines.some((line) => (line.match(/\b[0-9a-fA-F]{2}\b/g) ?? []).length > 2)) return undefined
  const at = lines.findIndex((line) => /[^\s0-9a-fA-F:,;.\-|xX\\]/.test(line))
  const wrong = /[^\s0-9a-fA-F:,;.\-|xX\\]+/.exec(lines[at] ?? "")?.[0] ?? ""
  return { ok: false, line: at + 1, message: `Line ${at + 1}: “${shorten(wrong)}” is not hex.` }
}

const shorten = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text)
