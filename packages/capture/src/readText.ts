/**
 * Reads bytes from pasted text: hex in any form, dumps, string escapes, array literals and base64. Returns the detected notation with the
 * bytes, or the reason why the text is invalid.
 */
import { type CapturedDatagram, unwrap } from "./frames.ts"
import { readBase64 } from "./text/base64.ts"
import { readDump } from "./text/dumps.ts"
import { readEscapes } from "./text/escapes.ts"
import { readHex } from "./text/hex.ts"
import { readLists } from "./text/lists.ts"
import { hasProtocolHead, type NotUnderstood, type Reading, type Spelling } from "./text/Reading.ts"

export type { NotUnderstood }

/** A datagram from a text. The addresses are present only if the text also contains the IP and UDP headers of the datagram. */
export type TextDatagram = Pick<CapturedDatagram, "bytes"> & Partial<Pick<CapturedDatagram, "from" | "to">>

/** The result for a valid text. The result contains at least one byte. */
export interface Understood {
  readonly ok: true
  readonly spelling: Spelling
  readonly datagrams: ReadonlyArray<TextDatagram>
}

/**
 * The readers of all notations, in the order in which they are tried. The notations that are easiest to recognize are first. Hex is before
 * base64, because a text of hex digits is also valid base64.
 */
const readers: ReadonlyArray<(text: string) => Reading> = [readDump, readEscapes, readLists, readHex, readBase64]

/**
 * Matches hex digits with single spaces between them. Most programs write hex in this form. If a text matches, no other notation is tried.
 * Without this shortcut, a program that reads millions of lines would spend most of its time on the other notations.
 */
const UNMISTAKABLE = /^[0-9a-fA-F]+(?: [0-9a-fA-F]+)*$/
const onlyHex = [readHex]

/**
 * Reads the datagrams in a text. If IP and UDP headers precede a datagram (with or without an Ethernet header), the result contains the
 * addresses from these headers, but not the headers.
 */
export const readText = (text: string): Understood | NotUnderstood => {
  const lines = text.replaceAll("\r\n", "\n").trim()
  if (lines === "") return { ok: false, message: "There is no text to decode." }
  for (const read of UNMISTAKABLE.test(lines) ? onlyHex : readers) {
    const reading = read(lines)
    if (reading === undefined) continue
    if ("ok" in reading) return reading
    const datagrams = reading.pieces.filter((piece) => piece.length > 0).map(withoutHeaders)
    if (datagrams.length > 0) return { ok: true, spelling: reading.spelling, datagrams }
  }
  return {
    ok: false,
    message: "The text is not in a known notation of bytes. Use hex, base64, a hex dump, an escaped string or an array."
  }
}

const withoutHeaders = (bytes: Uint8Array): TextDatagram => {
  const datagram = hasProtocolHead(bytes) ? undefined : unwrap(bytes)
  return datagram === undefined ? { bytes } : { bytes: datagram.bytes, from: datagram.from, to: datagram.to }
}
