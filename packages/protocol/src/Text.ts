/**
 * Converts the texts in messages from bytes to strings, and from strings to bytes. The protocol documents do not specify an encoding. Most
 * servers send UTF-8. Other servers use the code page of their operator's computer. The codec of the message, not this module, determines
 * where a text ends.
 */
import { LATIN_1, looksCyrillic, WINDOWS_1251, WINDOWS_1252 } from "./internal/codePages.ts"
import { demand, demandBytes, demandText, demandWhole } from "./internal/edge.ts"

/** The encoding of a text. `auto` detects the encoding from the bytes; see {@link decodeText}. */
export type Encoding = "utf-8" | "latin1" | "windows-1251" | "windows-1252" | "auto"

/** Every {@link Encoding}, for option parsers and menus. */
export const ENCODINGS: ReadonlyArray<Encoding> = ["auto", "utf-8", "latin1", "windows-1251", "windows-1252"]

export const isEncoding = (value: unknown): value is Encoding => ENCODINGS.includes(value as Encoding)

/** Returns the end of an error message about an invalid encoding. */
export const encodingMust = (): string => `must be one of ${ENCODINGS.join(", ")}`

/** Options for decoding and encoding texts. */
export interface TextOptions {
  /** The encoding (default: `auto`), see {@link Encoding}. */
  readonly encoding?: Encoding | undefined
}

/** A decoded string, and whether the original bytes can be restored from the string. */
export interface DecodedText {
  readonly text: string
  /** Whether {@link encodeText} returns the original bytes for `text`, if you pass the same encoding as for decoding. */
  readonly exact: boolean
}

/** Characters of the bytes 80–FF, for each single-byte encoding. */
const CODE_PAGES: Partial<Record<Encoding, string>> = {
  latin1: LATIN_1,
  "windows-1251": WINDOWS_1251,
  "windows-1252": WINDOWS_1252
}

// With `ignoreBOM`, the decoder decodes a byte order mark to a character. Without this option, the decoder would remove the mark.
const utf8Decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true })
const utf8Encoder = /* @__PURE__ */ new TextEncoder()

/**
 * Decodes the string in `bytes[start, end)`.
 *
 * With `auto`, the encoding is
 * - UTF-8 if the bytes are valid UTF-8,
 * - UTF-8 if all bytes except an incomplete last character are valid UTF-8, and an earlier character has several bytes (for example, a name
 *   that was truncated to 63 bytes); the incomplete character becomes U+FFFD,
 * - otherwise windows-1251 or windows-1252, whichever is more likely.
 *
 * With `auto`, `exact` is `true` only in the first case. In the second and third case, the original bytes are not valid UTF-8. Therefore
 * `encodeText` with `auto` cannot return these bytes.
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
 * Encodes `text`; `auto` encodes to UTF-8. Returns `undefined` if the encoding lacks a character of `text`. All encodings lack lone
 * surrogates.
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

/** Length of the UTF-8 sequence that starts with the byte `lead`, in bytes; 0 if no UTF-8 sequence can start with `lead`. */
const sequenceLength = (lead: number): number =>
  lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0

/**
 * Whether the byte `second` may follow `lead`. This check rejects overlong forms (after E0 and F0), surrogates (after ED), and values above
 * U+10FFFF (after F4).
 */
const mayFollow = (lead: number, second: number): boolean =>
  second >= (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80) &&
  second <= (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)

/** Offset of the first invalid or incomplete sequence; `end` if all sequences are valid and complete. */
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

/** Whether `bytes[at, end)` is the valid beginning of a sequence whose last bytes are missing. */
const isCutSequence = (bytes: Uint8Array, at: number, end: number): boolean =>
  sequenceLength(bytes[at]!) > end - at && validPart(bytes, at, end) === end - at

/** Counts the valid bytes of the sequence that starts at `at`. `bytes[at]` is a lead byte. */
const validPart = (bytes: Uint8Array, at: number, end: number): number => {
  if (at + 1 < end && !mayFollow(bytes[at]!, bytes[at + 1]!)) return 1
  for (let i = at + 2; i < end; i++) if ((bytes[i]! & 0xc0) !== 0x80) return i - at
  return end - at
}
