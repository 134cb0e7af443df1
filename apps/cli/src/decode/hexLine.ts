/**
 * One line of hex: the datagrams of one message, the way people have them at hand. Each datagram may be written in one piece, in
 * groups with blanks between, with `0x` or `\x` before bytes, with commas or colons after them, in quotes or brackets.
 *
 * @module
 */
import { fromHex, Malformed } from "@sourcewire/protocol"
import * as Result from "effect/Result"

const BARE_HEADER_DIGITS = 8

/** Prefixes of bytes (`0x`, `\x`) and what stands around lists of them. */
const DECORATION = /0x|\\x|[,;:"'`[\]{}()]/gi

const strip = (piece: string): string => piece.replace(DECORATION, "")

/**
 * Whether a piece opens a datagram of its own. A header alone never is a whole datagram, so a piece of four bytes is a group: the
 * challenge −1, or the header of a dump in groups of four.
 */
const opensDatagram = (digits: string): boolean => digits.length > BARE_HEADER_DIGITS && /^f[ef]ffffff/i.test(digits)

const notHex = (line: string, digits: string): Malformed => {
  const wrong = digits.search(/[^0-9a-f]/i)
  const offset = Math.floor((wrong === -1 ? digits.length : wrong) / 2)
  const why =
    wrong === -1
      ? `has ${digits.length} hex digits, and bytes need an even number`
      : `has ${JSON.stringify(String.fromCodePoint(digits.codePointAt(wrong)!))} where a hex digit should be`
  return new Malformed({
    message: `the input ${why}`,
    messageTag: "Hex",
    field: "hex",
    offset,
    hex: /^[0-9a-f]*/i.exec(line)![0].slice(0, 64).toLowerCase()
  })
}

/**
 * The datagrams of a line, at least one. Blanks separate datagrams where what follows begins like one (`FF FF FF FF` or
 * `FE FF FF FF` and more, in one piece), and else groups of bytes of one datagram.
 */
export const parseHexLine = (line: string): Result.Result<ReadonlyArray<Uint8Array>, Malformed> => {
  const datagrams: Array<string> = []
  for (const piece of line.trim().split(/\s+/)) {
    const digits = strip(piece)
    if (datagrams.length === 0 || opensDatagram(digits)) datagrams.push(digits)
    else datagrams[datagrams.length - 1] += digits
  }
  const parsed: Array<Uint8Array> = []
  for (const digits of datagrams) {
    const bytes = fromHex(digits)
    if (bytes === undefined) return Result.fail(notHex(line, digits))
    parsed.push(bytes)
  }
  return Result.succeed(parsed)
}

/** Whether a line of standard input says nothing: blank, or a comment. */
export const isBlankOrComment = (line: string): boolean => /^\s*(#|$)/.test(line)
