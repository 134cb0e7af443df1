/**
 * The cursor of the generated decoders: one for all, since a decode runs to its end undisturbed. The datagram is turned into a string
 * once and texts are cut out of it, which is what makes decoding fast (docs/adr/0001-declarations.md has the figures).
 *
 * @module
 */
import { decodeText, type Encoding } from "../Text.ts"
import { toHex } from "../Hex.ts"

const EMPTY: Uint8Array = new Uint8Array(0)

/** Where the decoder is. `extras` collects `<field>Hex` entries of the object being read. */
export const cursor = {
  bytes: EMPTY,
  /** The datagram, one character a byte; only its ASCII parts are ever used. */
  chars: "",
  position: 0,
  end: 0,
  failed: false,
  encoding: "auto" as Encoding,
  extras: undefined as Record<string, string> | undefined
}

interface Latin1Slice {
  (this: Uint8Array, start: number, end: number): string
}

/** Node's, Bun's and Deno's `Buffer` has a one-byte slice that is several times faster than a `TextDecoder`. */
const latin1Slice = (globalThis as { Buffer?: { prototype?: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  ?.latin1Slice
const decoder = new TextDecoder("latin1")
const charsOf: (bytes: Uint8Array) => string =
  latin1Slice === undefined ? (bytes) => decoder.decode(bytes) : (bytes) => latin1Slice.call(bytes, 0, bytes.length)

/** Starts on a datagram at `position`. */
export const begin = (bytes: Uint8Array, encoding: Encoding, position: number): void => {
  cursor.bytes = bytes
  cursor.chars = charsOf(bytes)
  cursor.position = position
  cursor.end = bytes.length
  cursor.failed = false
  cursor.encoding = encoding
  cursor.extras = undefined
}

/** The text up to its NUL. Without a NUL `failed` is set and the position stays. */
export const text = (field: string): string => {
  const { bytes, end } = cursor
  const start = cursor.position
  let at = start
  let all = 0
  let byte = 0
  while (at < end && (byte = bytes[at]!) !== 0) {
    all |= byte
    at++
  }
  if (at >= end) {
    cursor.failed = true
    return ""
  }
  cursor.position = at + 1
  return all < 0x80 ? cursor.chars.substring(start, at) : foreignText(field, start, at)
}

const foreignText = (field: string, start: number, end: number): string => {
  const { exact, text: decoded } = decodeText(cursor.bytes, start, end, cursor.encoding)
  if (!exact) (cursor.extras ??= {})[`${field}Hex`] = toHex(cursor.bytes, start, end)
  return decoded
}

/** Puts the collected `<field>Hex` entries behind the fields of the object just read. */
export const takeExtras = (target: object): void => {
  if (cursor.extras === undefined) return
  Object.assign(target, cursor.extras)
  cursor.extras = undefined
}

const scratch = new DataView(new ArrayBuffer(8))
const scratchBytes = new Uint8Array(scratch.buffer)

/** The float at `at`: through a view of its own, since making one for every datagram costs more than the decode of a short one. */
export const f32 = (at: number): number => {
  const { bytes } = cursor
  scratchBytes[0] = bytes[at]!
  scratchBytes[1] = bytes[at + 1]!
  scratchBytes[2] = bytes[at + 2]!
  scratchBytes[3] = bytes[at + 3]!
  return scratch.getFloat32(0, true)
}

/** The 64-bit number at `at`. */
export const u64 = (at: number): bigint => {
  const { bytes } = cursor
  for (let i = 0; i < 8; i++) scratchBytes[i] = bytes[at + i]!
  return scratch.getBigUint64(0, true)
}
