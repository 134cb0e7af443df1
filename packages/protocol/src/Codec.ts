/**
 * One message in both directions.
 *
 * @module
 */
import * as Result from "effect/Result"
import type { Declaration } from "./declarations/Declaration.ts"
import { type DissectedField, noteUnread } from "./Dissection.ts"
import type { DecodeError } from "./Errors.ts"
import { EncodeError, HEX_SHOWN_BYTES, LimitExceeded, Malformed } from "./Errors.ts"
import { toHex } from "./Hex.ts"
import { isBytes, noDatagram } from "./internal/edge.ts"
import { readMessage } from "./internal/interpret/read.ts"
import { Unreadable, OverLimit, Reader } from "./internal/interpret/reader.ts"
import { writeMessage } from "./internal/interpret/write.ts"
import { Unwritable, Writer } from "./internal/interpret/writer.ts"
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

/** Bytes ⇄ one kind of message. The bytes are whole datagrams, header included. */
export interface Codec<A> {
  readonly tag: string
  /** The layout, as data. */
  readonly declaration: Declaration
  /** Fails with `Malformed` also when the datagram is a message of another kind. */
  decode(datagram: Uint8Array, options?: TextOptions): Result.Result<A, DecodeError>
  encode(message: A, options?: TextOptions): Result.Result<Uint8Array, EncodeError>
  dissect(datagram: Uint8Array, options?: TextOptions): Dissected<A>
  /** @internal What `decode` tries first; to be told to compilers. */
  readonly fast: FastDecoder<A> | undefined
}

/** A straight-line decoder: `undefined` hands the datagram over to the interpreter. */
export type FastDecoder<A> = (datagram: Uint8Array, encoding: Encoding) => A | undefined

/** The codec of a declaration. */
export const make = <A extends { readonly _tag: string }>(
  declaration: Declaration,
  fast?: FastDecoder<A>
): Codec<A> => ({
  tag: declaration.tag,
  declaration,
  fast,
  decode: (datagram, options) => {
    const encoding = encodingOf(options)
    if (encoding === undefined || !isBytes(datagram)) return Result.fail(unreadable(declaration.tag, datagram))
    const value = fast?.(datagram, encoding)
    return value === undefined ? interpret(declaration, datagram, encoding, undefined) : Result.succeed(value)
  },
  encode: (message, options) => {
    const { tag } = declaration
    const encoding = encodingOf(options)
    if (encoding === undefined) return Result.fail(new EncodeError({ ...wrongEncoding(), messageTag: tag }))
    const writer = new Writer()
    if (declaration.bare !== true) writer.bytes(HEADER)
    if (declaration.type !== undefined) writer.number("u8", declaration.type, "type")
    try {
      writeMessage(declaration, { ...message }, writer, encoding)
    } catch (cause) {
      // Whatever else is thrown, a property of the message threw when it was read, or is nothing that can be written.
      const { field, reason } = cause instanceof Unwritable ? cause : UNREADABLE_MESSAGE
      return Result.fail(new EncodeError({ message: `${tag}.${field} ${reason}`, messageTag: tag, field }))
    }
    return Result.succeed(writer.result())
  },
  dissect: (datagram, options) => {
    const fields: Array<DissectedField> = []
    const encoding = encodingOf(options)
    if (encoding === undefined || !isBytes(datagram)) {
      return { result: Result.fail(unreadable(declaration.tag, datagram)), fields }
    }
    const result = interpret<A>(declaration, datagram, encoding, fields)
    noteUnread(fields, datagram)
    return { result, fields }
  }
})

const UNREADABLE_MESSAGE = /* @__PURE__ */ new Unwritable("message", "has a property that cannot be read")

const wrongEncoding = () => ({ field: "encoding", message: `encoding ${encodingMust()}` })

/** The failure to read what is no datagram, or else would be one in an encoding that there is not. */
const unreadable = (messageTag: string, datagram: unknown): Malformed =>
  isBytes(datagram)
    ? new Malformed({ ...wrongEncoding(), messageTag, offset: 0, hex: "" })
    : noDatagram(messageTag, datagram)

const HEADER = /* @__PURE__ */ connectionless("")

const interpret = <A>(
  declaration: Declaration,
  datagram: Uint8Array,
  encoding: Encoding,
  trace: Array<DissectedField> | undefined
): Result.Result<A, DecodeError> => {
  const reader = new Reader(datagram, 0, encoding, trace)
  try {
    readHeader(declaration, reader)
    return Result.succeed(readMessage(declaration, reader) as A)
  } catch (cause) {
    if (cause instanceof Unreadable) return Result.fail(malformed(declaration, datagram, cause))
    if (cause instanceof OverLimit) {
      return Result.fail(
        new LimitExceeded({
          message: `the ${declaration.tag} holds more than ${cause.max} entries`,
          limit: cause.limit,
          max: cause.max
        })
      )
    }
    throw cause
  }
}

const readHeader = (declaration: Declaration, reader: Reader): void => {
  if (declaration.bare !== true) {
    if (!isConnectionless(reader.bytes)) throw new Unreadable("header", 0, "must be FF FF FF FF")
    reader.position = HEADER_BYTES
    reader.note("header", 0, "i32", -1, "−1: a whole, connectionless message.")
  }
  if (declaration.type === undefined) return
  const at = reader.position
  const type = reader.number("u8", "type") as number
  if (type !== declaration.type) {
    throw new Unreadable(
      "type",
      at,
      `is 0x${type.toString(16)}, not the 0x${declaration.type.toString(16)} of this message`
    )
  }
  reader.note("type", at, "u8", type, `${declaration.valve}: ${declaration.doc}`)
}

const malformed = (
  declaration: Declaration,
  datagram: Uint8Array,
  { field, offset, reason, within }: Unreadable
): Malformed => {
  const place = `${declaration.tag}.${field} at byte ${offset}`
  return new Malformed({
    message: within ? `the datagram ends inside ${place}: ${reason}` : `${place} ${reason}`,
    messageTag: declaration.tag,
    field,
    offset,
    // A password must not get into errors, so of such messages only the header is shown.
    hex: toHex(datagram, 0, Math.min(datagram.length, declaration.secret === true ? HEADER_BYTES : HEX_SHOWN_BYTES))
  })
}
