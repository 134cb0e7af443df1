/** Encodes the output of a command as datagrams, in the format of HLDS, HLTV, or Quake (Xash3D). */
import { concatBytes } from "@sourcewire/inside/bytes"
import { connectionless, splitDatagram } from "@sourcewire/protocol/wire"

/** Maximum size of HLDS's datagrams, in bytes. HLDS sends a longer message in fragments. */
const MAX_DATAGRAM_BYTES = 1400

/** Maximum size of the text in an unsplit 0x6C datagram, in bytes. The datagram also has a header, the type byte and two NULs. */
export const MAX_TEXT_BYTES = MAX_DATAGRAM_BYTES - 7

const NEWLINE = 0x0a

/**
 * Returns where to end a part of `text` that begins at the offset `start`: after the last line break within `max` bytes. If the first line
 * of the part is longer than `max` bytes, the part ends after this line.
 */
const cutAfterLine = (text: Uint8Array, start: number, max: number): number => {
  if (text.length - start <= max) return text.length
  const last = text.lastIndexOf(NEWLINE, start + max - 1)
  if (last >= start) return last + 1
  const first = text.indexOf(NEWLINE, start + max)
  return first < 0 ? text.length : first + 1
}

const packet = (head: string, text: Uint8Array, nuls: number): Uint8Array =>
  concatBytes([connectionless(head), text, new Uint8Array(nuls)])

const splitText = (text: Uint8Array, max: number): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let start = 0; start < text.length;) {
    const end = cutAfterLine(text, start, max)
    pieces.push(text.subarray(start, end))
    start = end
  }
  return pieces
}

/**
 * Splits a text at line breaks, and returns the parts as 0x6C datagrams. Each datagram ends with two NULs. For an empty text, the function
 * returns one datagram without text. A line that is too long for a datagram is sent in fragments.
 */
export const goldSourceReply = (
  text: Uint8Array,
  maxTextBytes: number,
  nextSplitId: () => number
): ReadonlyArray<Uint8Array> =>
  (text.length === 0 ? [text] : splitText(text, maxTextBytes)).flatMap((piece) => {
    const whole = packet("l", piece, 2)
    if (whole.length <= MAX_DATAGRAM_BYTES) return [whole]
    return splitDatagram(whole, { layout: "goldsource", id: nextSplitId(), maxBytes: MAX_DATAGRAM_BYTES })
  })

/** Size of HLTV's buffer for the output of a command, in bytes. */
const HLTV_TEXT_BYTES = 1021

/** Size in bytes (the size of a socket address) below which HLTV pads a datagram with NULs to 1400 bytes. */
const SHORT_DATAGRAM_BYTES = 16

/**
 * Returns HLTV's reply: one datagram, or no datagram if the text is empty. A stray byte (uninitialized memory on HLTV) precedes the text.
 * Lines that do not fit into HLTV's buffer are omitted.
 */
export const hltvReply = (text: Uint8Array): ReadonlyArray<Uint8Array> => {
  let length = 0
  const kept = splitText(text, 1).filter((line) => {
    if (length + line.length > HLTV_TEXT_BYTES) return false
    length += line.length
    return true
  })
  if (length === 0) return []
  const whole = packet("l\xff", concatBytes(kept), 1)
  if (whole.length >= SHORT_DATAGRAM_BYTES) return [whole]
  return [concatBytes([whole, new Uint8Array(MAX_DATAGRAM_BYTES - whole.length)])]
}

/**
 * Maximum number of lines in a reply that has a separate datagram for each line. If a reply has more lines, each datagram contains several
 * lines, because too many datagrams would overflow the receiver's socket buffer.
 */
const MAX_SINGLE_LINES = 64

/** Returns one `print` datagram for each line, or for several lines if the reply is long. An empty `print` datagram follows. */
export const quakeReply = (text: Uint8Array): ReadonlyArray<Uint8Array> => {
  const lines = text.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0)
  const maxTextBytes = lines > MAX_SINGLE_LINES ? MAX_TEXT_BYTES : 1
  return [...splitText(text, maxTextBytes), new Uint8Array(0)].map((piece) => packet("print\n", piece, 0))
}
