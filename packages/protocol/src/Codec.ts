/**
 * One message in both directions.
 *
 * @module
 */
import type * as Result from "effect/Result"
import type { Layout } from "./declarations/Declaration.ts"
import { declarationOf } from "./declarations/declarations.ts"
import { type DissectedField, noteUnread } from "./Dissection.ts"
import type { DecodeError } from "./Errors.ts"
import { EncodeError } from "./Errors.ts"
import { isBytes } from "./internal/bytes.ts"
import { demand } from "./internal/edge.ts"
import { interpret, unreadable, wrongEncoding } from "./internal/interpret/interpret.ts"
import { writeMessage } from "./internal/interpret/write.ts"
import { Unwritable, Writer } from "./internal/interpret/writer.ts"
import { fail, succeed } from "./internal/result.ts"
import { type Encoding, encodingOf } from "./Encoding.ts"
import { connectionless } from "./Wire.ts"

/** How texts are read and written. */
export interface TextOptions {
  /** `auto` unless given, see {@link Encoding}. */
  readonly encoding?: Encoding | undefined
}

/** What became of a datagram, with the fields that were read, also those before an error. */
export interface Dissected<A> {
  readonly result: Result.Result<A, DecodeError>
  /** In the order of the bytes, all of which are in one: those that nothing read are the last, `unread`. */
  readonly fields: ReadonlyArray<DissectedField>
}

/** Bytes to one kind of message. The bytes are whole datagrams, header included. Back to bytes: {@link encodeAs}. */
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

/** Throws where JavaScript hands over something else than a codec. */
export const demandCodec = (value: unknown): void =>
  demand(made.has(value as object), "codec", "must be that of a message, as InfoReply is")

/** Writes a message of one kind as one whole datagram. */
export const encodeAs = <A extends { readonly _tag: string }>(
  codec: Codec<A>,
  message: A,
  options?: TextOptions
): Result.Result<Uint8Array, EncodeError> => {
  demandCodec(codec)
  const { layout, tag } = codec
  const encoding = encodingOf(options)
  if (encoding === undefined) return fail(new EncodeError({ ...wrongEncoding(), messageTag: tag }))
  const writer = new Writer()
  if (layout.bare !== true) writer.bytes(connectionless(""))
  if (layout.type !== undefined) writer.number("u8", layout.type, "type")
  try {
    writeMessage(layout, { ...message }, writer, encoding)
  } catch (cause) {
    // Whatever else is thrown, a property of the message threw when it was read, or is nothing that can be written.
    const { field, reason } = cause instanceof Unwritable ? cause : UNREADABLE_MESSAGE
    return fail(new EncodeError({ message: `${tag}.${field} ${reason}`, messageTag: tag, field }))
  }
  return succeed(writer.result())
}

/** Reads a datagram as one kind of message, with every field's place. */
export const dissectAs = <A>(codec: Codec<A>, datagram: Uint8Array, options?: TextOptions): Dissected<A> => {
  demandCodec(codec)
  const fields: Array<DissectedField> = []
  const encoding = encodingOf(options)
  if (encoding === undefined || !isBytes(datagram)) return { result: fail(unreadable(codec.tag, datagram)), fields }
  const result = interpret<A>(declarationOf(codec.tag)!, datagram, encoding, fields)
  noteUnread(fields, datagram)
  return { result, fields }
}

const UNREADABLE_MESSAGE = /* @__PURE__ */ new Unwritable("message", "has a property that cannot be read")
