/**
 * Reads whatever people copy bytes from: hex in any spelling, dumps, string escapes, array literals, base64. Tells what it took the
 * text for, and where it stopped understanding.
 *
 * @module
 */
import { unwrap } from "../capture/frames.ts"
import { readBase64 } from "./base64.ts"
import { type Datagram, hasProtocolHead } from "./Datagram.ts"
import { readDump } from "./dumps.ts"
import { readEscapes } from "./escapes.ts"
import { readHex } from "./hexText.ts"
import { readLists } from "./lists.ts"
import type { NotUnderstood, Reading, Understood } from "./Reading.ts"

/** In the order of how unmistakable a spelling is. Hex comes before base64: hex digits are base64 digits too. */
const readers: ReadonlyArray<(text: string) => Reading> = [readDump, readEscapes, readLists, readHex, readBase64]

/** Reads a pasted text. Frames copied from a capture lose their Ethernet, IP and UDP headers, which give the addresses. */
export const readPasted = (text: string): Understood | NotUnderstood => {
  if (text.trim() === "") return { ok: false, message: "There is nothing to read yet." }
  let complaint: NotUnderstood | undefined
  for (const read of readers) {
    const reading = read(text.replaceAll("\r\n", "\n"))
    if (reading === undefined) continue
    if ("ok" in reading) {
      complaint ??= reading
      continue
    }
    const datagrams = reading.pieces.filter((piece) => piece.length > 0).map(withoutHeaders)
    if (datagrams.length > 0) return { ok: true, spelling: reading.spelling, datagrams }
  }
  return (
    complaint ?? {
      ok: false,
      message: "This is no spelling of bytes that the page knows: hex, base64, a dump, an escaped string or an array."
    }
  )
}

const withoutHeaders = (bytes: Uint8Array): Datagram =>
  hasProtocolHead(bytes) ? { bytes } : (unwrap(bytes) ?? { bytes })
