/**
 * One message in both directions.
 *
 * @module
 */
import type * as Result from "effect/Result"
import type { Declaration, Layout } from "./declarations/Declaration.ts"
import { declarationOf } from "./declarations/declarations.ts"
import { type DissectedField, noteUnread } from "./Dissection.ts"
import type { DecodeError } from "./Errors.ts"
import { EncodeError, HEX_SHOWN_BYTES, LimitExceeded, Malformed } from "./Errors.ts"
import { toHex } from "./Hex.ts"
import { demand, isBytes, noDatagram } from "./internal/edge.ts"
import { readMessage } from "./internal/interpret/read.ts"
import { Unreadable, OverLimit, Reader } from "./internal/interpret/reader.ts"
import { writeMessage } from "./internal/interpret/write.ts"
import { Unwritable, Writer } from "./internal/interpret/writer.ts"
import { fail, succeed } from "./internal/result.ts"
import { encodingMust, type Encoding, encodingOf } from "./Text.ts"
import { connectionless, HEADER_BYTES, isConnectionless } from "./Wire.ts"

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

const wrongEncoding = () => ({ field: "encoding", message: `encoding ${encodingMust()}` })

/** The failure to read what is no datagram, or else would be one in an encoding that there is not. */
const unreadable = (messageTag: string, datagram: unknown): Malformed =>
  isBytes(datagram)
    ? new Malformed({ ...wrongEncoding(), messageTag, offset: 0, hex: "" })
    : noDatagram(messageTag, datagram)

/** A layout, of which something may be said. */
type Described = Layout & Partial<Pick<Declaration, "doc" | "valve">>

const interpret = <A>(
  layout: Described,
  datagram: Uint8Array,
  encoding: Encoding,
  trace: Array<DissectedField> | undefined
): Result.Result<A, DecodeError> => {
  const reader = new Reader(datagram, 0, encoding, trace)
  try {
    readHeader(layout, reader)
    return succeed(readMessage(layout, reader) as A)
  } catch (cause) {
    if (cause instanceof Unreadable) return fail(malformed(layout, datagram, cause))
    if (cause instanceof OverLimit) {
      return fail(
        new LimitExceeded({
          message: `the ${layout.tag} holds more than ${cause.max} entries`,
          limit: cause.limit,
          max: cause.max
        })
      )
    }
    throw cause
  }
}

const readHeader = (layout: Described, reader: Reader): void => {
  if (layout.bare !== true) {
    if (!isConnectionless(reader.bytes)) throw new Unreadable("header", 0, "must be FF FF FF FF")
    reader.position = HEADER_BYTES
    reader.note("header", 0, "i32", -1, "−1: a whole, connectionless message.")
  }
  if (layout.type === undefined) return
  const at = reader.position
  const type = reader.number("u8", "type") as number
  if (type !== layout.type) {
    throw new Unreadable("type", at, `is 0x${type.toString(16)}, not the 0x${layout.type.toString(16)} of this message`)
  }
  reader.note("type", at, "u8", type, `${layout.valve}: ${layout.doc}`)
}

const malformed = (layout: Layout, datagram: Uint8Array, { field, offset, reason, within }: Unreadable): Malformed => {
  const place = `${layout.tag}.${field} at byte ${offset}`
  return new Malformed({
    message: within ? `the datagram ends inside ${place}: ${reason}` : `${place} ${reason}`,
    messageTag: layout.tag,
    field,
    offset,
    // A password must not get into errors, so of such messages only the header is shown.
    hex: toHex(datagram, 0, Math.min(datagram.length, layout.secret === true ? HEADER_BYTES : HEX_SHOWN_BYTES))
  })
}
