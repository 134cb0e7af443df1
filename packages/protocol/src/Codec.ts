/**
 * The codec of one kind of message, and the functions that the generated decoders use. Decoding is fast, because a datagram is converted to
 * a string once, and texts are substrings of this string (docs/adr/0001-declarations.md has the measurements).
 */
import type * as Result from "effect/Result"
import type { Layout } from "./declarations/Declaration.ts"
import type { DecodeError } from "./Errors.ts"
import { interpret, unreadable } from "./internal/interpret/interpret.ts"
import { fail, succeed } from "./internal/result.ts"
import { type Encoding, ENCODINGS, type TextOptions } from "./Text.ts"
import { isBytes, u32 } from "./Wire.ts"

/** The encoding in the caller's options (default: `auto`); `undefined` if the encoding is invalid or the options contain an unknown key. */
export const readEncoding = (options: TextOptions | undefined): Encoding | undefined => {
  if (options === undefined || options === null) return "auto"
  try {
    if (typeof options !== "object") return undefined
    for (const name in options) if (name !== "encoding") return undefined
    const encoding = options.encoding ?? "auto"
    return ENCODINGS.includes(encoding!) ? encoding : undefined
  } catch {
    return undefined
  }
}

/** Decodes one kind of message. The datagrams must be complete, including the header. To encode a message, use `encodeAs`. */
export interface Codec<A> {
  readonly tag: string
  /** The layout as data. `findDeclaration(tag)` returns the layout with its documentation. */
  readonly layout: Layout
  /** Fails with `Malformed` if the bytes are invalid, or if the datagram is a message of another kind. */
  decode(datagram: Uint8Array, options?: TextOptions): Result.Result<A, DecodeError>
  /** The fast decoder, which `decode` tries first; `undefined` if there is no fast decoder for this kind of message. */
  readonly fast: FastDecoder<A> | undefined
}

/**
 * A generated decoder for one layout, which is faster than the interpreter. If this decoder returns `undefined`, the interpreter decodes
 * the datagram.
 */
export type FastDecoder<A> = (datagram: Uint8Array, encoding: Encoding) => A | undefined

const made = /* @__PURE__ */ new WeakSet<object>()

/** The codec of a layout. The codec can only decode: encoding and dissecting are separate functions, so that bundlers can remove them. */
export const make = <A extends { readonly _tag: string }>(layout: Layout, fast?: FastDecoder<A>): Codec<A> => {
  const codec: Codec<A> = {
    tag: layout.tag,
    layout,
    fast,
    decode: (datagram, options) => {
      const encoding = readEncoding(options)
      if (encoding === undefined || !isBytes(datagram)) return fail(unreadable(layout.tag, datagram, options))
      const value = fast?.(datagram, encoding)
      return value === undefined ? interpret(layout, datagram, encoding, undefined) : succeed(value)
    }
  }
  made.add(codec)
  return codec
}

export const isCodec = (value: unknown): boolean => made.has(value as object)

/** Whether all bytes of `bytes[start, end)` are below 0x80. Every encoding decodes bytes below 0x80 to the same text. */
export const isAscii = (bytes: Uint8Array, start: number, end: number): boolean => {
  let bits = 0
  for (let i = start; i < end; i++) bits |= bytes[i]!
  return bits < 0x80
}

type Latin1Slice = (this: Uint8Array, start: number, end: number) => string

/**
 * A method of `Buffer` in Node, Bun and Deno. This method is several times faster than a `TextDecoder`. Other runtimes lack this method.
 */
const latin1Slice = (globalThis as { Buffer?: { prototype?: { latin1Slice?: Latin1Slice } } }).Buffer?.prototype
  ?.latin1Slice
const decoder = /* @__PURE__ */ new TextDecoder("latin1")

/**
 * Converts a datagram to a string with one character per byte. Callers use only the ASCII characters of this string, because the
 * `TextDecoder` of browsers decodes latin1 as windows-1252.
 */
export const toChars: (bytes: Uint8Array) => string =
  latin1Slice === undefined ? (bytes) => decoder.decode(bytes) : (bytes) => latin1Slice.call(bytes, 0, bytes.length)

const scratch = /* @__PURE__ */ new DataView(new ArrayBuffer(4))
const scratchBytes = /* @__PURE__ */ new Uint8Array(scratch.buffer)

/**
 * The float at `at`. The function uses one shared view, because creating a view for every datagram takes longer than decoding a short
 * datagram. The function copies the bytes one by one, because a call of `Uint8Array.set` takes longer, and V8 would not inline `f32`.
 */
export const f32 = (bytes: Uint8Array, at: number): number => {
  scratchBytes[0] = bytes[at]!
  scratchBytes[1] = bytes[at + 1]!
  scratchBytes[2] = bytes[at + 2]!
  scratchBytes[3] = bytes[at + 3]!
  return scratch.getFloat32(0, true)
}

/**
 * The 64-bit number at `at`, in decimal. A double cannot represent every 64-bit number. Therefore the function divides the number by a
 * million: doubles represent the quotient and the remainder exactly. A calculation with `bigint` would take twice as long.
 */
export const u64 = (bytes: Uint8Array, at: number): string => {
  const low = u32(bytes, at)
  const high = u32(bytes, at + 4)
  if (high === 0) return String(low)
  // 2 ** 32 is 4294 million plus 967296.
  const rest = high * 967_296 + low
  return `${high * 4294 + Math.floor(rest / 1e6)}${String(rest % 1e6).padStart(6, "0")}`
}
