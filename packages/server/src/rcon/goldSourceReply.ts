/** The output of a command as datagrams, in the format of HLDS, HLTV, or Quake (Xash3D). */
import { concatBytes } from "@sourcewire/inside/bytes"
import { connectionless, splitDatagram } from "@sourcewire/protocol/wire"

/** Maximum size of HLDS's datagrams, in bytes. HLDS sends a longer message in fragments. */
const MAX_DATAGRAM_BYTES = 1400

/** Maximum size of the text in an unsplit 0x6C datagram, in bytes. The datagram also has a header, the type byte and two NULs. */
export const MAX_TEXT_BYTES = MAX_DATAGRAM_BYTES - 7

const NEWLINE = 0x0a

/**
 * Returns the end of the part of the text that starts at `start`: the position after the last line break within `max` bytes. If the first
 * line is longer than `max` bytes, the part ends after this line.
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
 * Returns 0x6C datagrams with the text, which is split at line breaks. Each datagram has two NULs at the end. For an empty text, the
 * function returns one datagram. A line that is too long for a datagram is sent in fragments.
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

/** If a datagram is shorter than this size in bytes (the size of a socket address), HLTV pads it with NULs to 1400 bytes. */
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
 * Maximum number of lines that are sent as one datagram each. If a reply has more lines, each datagram contains several lines, because too
 * many datagrams would overflow the receiver's socket buffer.
 */
const MAX_SINGLE_LINES = 64

/** Returns a `print` datagram for each line, or for several lines of a long reply. The last `print` datagram is empty. */
export const quakeReply = (text: Uint8Array): ReadonlyArray<Uint8Array> => {
  const lines = text.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0)
  const maxTextBytes = lines > MAX_SINGLE_LINES ? MAX_TEXT_BYTES : 1
  return [...splitText(text, maxTextBytes), new Uint8Array(0)].map((piece) => packet("print\n", piece, 0))
}
