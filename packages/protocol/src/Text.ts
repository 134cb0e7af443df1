/**
 * Text of the protocols: bytes to strings and back. The documents name no encoding. Servers mostly send UTF-8, otherwise the code page of
 * their operator. The codec, not this module, determines where a string ends.
 */
import { LATIN_1, looksCyrillic, WINDOWS_1251, WINDOWS_1252 } from "./internal/codePages.ts"
import { demand, demandBytes, demandText, demandWhole } from "./internal/edge.ts"

/** How to decode the bytes of a string; `auto` decides by the bytes, see `decodeText`. */
export type Encoding = "utf-8" | "latin1" | "windows-1251" | "windows-1252" | "auto"

/** Every {@link Encoding}, for option parsers and menus. */
export const ENCODINGS: ReadonlyArray<Encoding> = ["auto", "utf-8", "latin1", "windows-1251", "windows-1252"]

/** Whether a value is an encoding. */
export const isEncoding = (value: unknown): value is Encoding => ENCODINGS.includes(value as Encoding)

/** What an encoding must be, in a sentence. */
export const encodingMust = (): string => `must be one of ${ENCODINGS.join(", ")}`

/** How to decode and encode texts. */
export interface TextOptions {
  /** The encoding (default: `auto`), see {@link Encoding}. */
  readonly encoding?: Encoding | undefined
}

/** A string and whether it stands for its bytes. */
export interface DecodedText {
  readonly text: string
  /** Whether {@link encodeText} of `text` in the same encoding gives the bytes back. */
  readonly exact: boolean
}

/** Characters of the bytes 80–FF, by encoding of one byte each. */
const CODE_PAGES: Partial<Record<Encoding, string>> = {
  latin1: LATIN_1,
  "windows-1251": WINDOWS_1251,
  "windows-1252": WINDOWS_1252
}

// A byte order mark is a character like any other here: without `ignoreBOM` it would vanish.
const utf8Decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true })
const utf8Encoder = /* @__PURE__ */ new TextEncoder()

/**
 * The string in `bytes[start, end)`.
 *
 * `auto` takes valid UTF-8 as UTF-8; also UTF-8 that has at least one whole multi-byte character and breaks off within
 * the last (a name truncated to 63 bytes), which then becomes U+FFFD; anything else as the likelier of windows-1251 and
 * windows-1252. As `auto` encodes to UTF-8, only the first of the three is exact.
 *
 * A caller that knows its bytes to be ASCII need not ask: every encoding reads those alike.
 */
export const decodeText = (bytes: Uint8Array, start: number, end: number, encoding: Encoding): DecodedText => {
  demandBytes(bytes, "bytes")
  demandWhole(start, "start", 0, bytes.length)
  demandWhole(end, "end", start, bytes.length)
  if (!isEncoding(encoding)) demand(false, "encoding", encodingMust())
  const page = CODE_PAGES[encoding]
  if (page !== undefined) return { text: decodeSingleByte(bytes, start, end, page), exact: true }
  const validEnd = endOfValidUtf8(bytes, start, end)
  if (validEnd === end || encoding === "utf-8") {
    return { text: utf8Decoder.decode(bytes.subarray(start, end)), exact: validEnd === end }
  }
  if (isCutSequence(bytes, validEnd, end) && bytes.subarray(start, validEnd).some((byte) => byte > 0x7f)) {
    return { text: utf8Decoder.decode(bytes.subarray(start, validEnd)) + "\ufffd", exact: false }
  }
  const table = looksCyrillic(bytes, start, end) ? WINDOWS_1251 : WINDOWS_1252
  return { text: decodeSingleByte(bytes, start, end, table), exact: false }
}

/**
 * The bytes of `text`, UTF-8 for `auto`; `undefined` when it holds a character that the encoding lacks. A lone surrogate
 * is no character and has no bytes in any encoding.
 */
export const encodeText = (text: string, encoding: Encoding): Uint8Array | undefined => {
  demandText(text, "text")
  if (!isEncoding(encoding)) demand(false, "encoding", encodingMust())
  const page = CODE_PAGES[encoding]
  if (page !== undefined) return encodeSingleByte(text, page)
  return text.isWellFormed() ? utf8Encoder.encode(text) : undefined
}

const decodeSingleByte = (bytes: Uint8Array, start: number, end: number, table: string): string => {
  let text = ""
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    text += byte < 0x80 ? String.fromCharCode(byte) : table[byte - 0x80]!
  }
  return text
}

const encodeSingleByte = (text: string, table: string): Uint8Array | undefined => {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const high = code < 0x80 ? code - 0x80 : table.indexOf(text[i]!)
    if (code >= 0x80 && high < 0) return undefined
    bytes[i] = high + 0x80
  }
  return bytes
}

/** Bytes of the sequence that `lead` opens; 0 for a byte that opens none. */
const sequenceLength = (lead: number): number =>
  lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0

/** Whether `second` may follow `lead`: E0 and F0 bar overlong forms, ED surrogates, F4 what is above U+10FFFF. */
const mayFollow = (lead: number, second: number): boolean =>
  second >= (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80) &&
  second <= (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)

/** Where the first sequence that is broken or unfinished begins; `end` when there is none. */
const endOfValidUtf8 = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end) {
    const lead = bytes[at]!
    const length = sequenceLength(lead)
    if (length === 0 || at + length > end || validPart(bytes, at, at + length) < length) return at
    at += length
  }
  return end
}

/** Whether what is left from `at` is the beginning of one sequence that `end` truncates. */
const isCutSequence = (bytes: Uint8Array, at: number, end: number): boolean =>
  sequenceLength(bytes[at]!) > end - at && validPart(bytes, at, end) === end - at

/** How many bytes of `bytes[at, end)`, which opens with a lead byte, fit one sequence. */
const validPart = (bytes: Uint8Array, at: number, end: number): number => {
  if (at + 1 < end && !mayFollow(bytes[at]!, bytes[at + 1]!)) return 1
  for (let i = at + 2; i < end; i++) if ((bytes[i]! & 0xc0) !== 0x80) return i - at
  return end - at
}
