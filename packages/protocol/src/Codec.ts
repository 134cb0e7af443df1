/** One kind of message, read from bytes. */
import type * as Result from "effect/Result"
import type { Layout } from "./declarations/Declaration.ts"
import type { DecodeError } from "./Errors.ts"
import { isBytes, read } from "./internal/bytes.ts"
import { interpret, unreadable } from "./internal/interpret/interpret.ts"
import { fail, succeed } from "./internal/result.ts"
import { type Encoding, ENCODINGS } from "./Text.ts"

/** How texts are read and written. */
export interface TextOptions {
  /** `auto` unless given, see {@link Encoding}. */
  readonly encoding?: Encoding | undefined
}

/** The encoding in somebody's options, `auto` where there is none; `undefined` for what is no encoding. */
export const encodingOf = (options: TextOptions | undefined): Encoding | undefined => {
  if (options === undefined || options === null) return "auto"
  const encoding = typeof options === "object" ? read(() => options.encoding ?? "auto") : undefined
  return ENCODINGS.includes(encoding!) ? encoding : undefined
}

/** Bytes to one kind of message. The bytes are whole datagrams, header included. Back to bytes: `encodeAs`. */
export interface Codec<A> {
  readonly tag: string
  /** The layout, as data, without its documentation: that is in `declarationOf(tag)`. */
  readonly layout: Layout
  /** Fails with `Malformed` also when the datagram is a message of another kind. */
  decode(datagram: Uint8Array, options?: TextOptions): Result.Result<A, DecodeError>
  /** @internal What `decode` tries first; to be told to compilers. */
  readonly fast: FastDecoder<A> | undefined
}

/** A straight-line decoder: `undefined` hands the datagram over to the interpreter. */
export type FastDecoder<A> = (datagram: Uint8Array, encoding: Encoding) => A | undefined

const made = /* @__PURE__ */ new WeakSet<object>()

/** The codec of a layout. It decodes only: what writes and what takes apart are functions of their own, which bundlers can leave out. */
export const make = <A extends { readonly _tag: string }>(layout: Layout, fast?: FastDecoder<A>): Codec<A> => {
  const codec: Codec<A> = {
    tag: layout.tag,
    layout,
    fast,
    decode: (datagram, options) => {
      const encoding = encodingOf(options)
      if (encoding === undefined || !isBytes(datagram)) return fail(unreadable(layout.tag, datagram))
      const value = fast?.(datagram, encoding)
      return value === undefined ? interpret(layout, datagram, encoding, undefined) : succeed(value)
    }
  }
  made.add(codec)
  return codec
}

/** Whether a value is a codec. */
export const isCodec = (value: unknown): boolean => made.has(value as object)
