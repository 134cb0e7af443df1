/** Encodes and dissects one kind of message, by interpreting its layout. */
import type * as Result from "effect/Result"
import { type Codec, readEncoding, isCodec } from "../../Codec.ts"
import { findDeclaration } from "../../declarations/declarations.ts"
import { type DissectedField, addUnread } from "../../Dissection.ts"
import { type DecodeError, EncodeError } from "../../Errors.ts"
import type { TextOptions } from "../../Text.ts"
import { isBytes } from "../../Wire.ts"
import { demand } from "../edge.ts"
import { fail, succeed } from "../result.ts"
import { interpret, unreadable, wrongEncoding } from "./interpret.ts"
import { writeDatagram } from "./write.ts"
import { Unwritable } from "./writer.ts"

/** The result of decoding, and the decoded fields. After an error, `fields` contains the fields before the error. */
export interface Dissected<A> {
  readonly result: Result.Result<A, DecodeError>
  /**
   * The fields in the order of the bytes. Every byte belongs to one field. Bytes that the decoder did not read are the last field,
   * `unread`.
   */
  readonly fields: ReadonlyArray<DissectedField>
}

/** Throws if JavaScript passes a value that is not a codec. */
export const demandCodec = (value: unknown): void =>
  demand(isCodec(value), "codec", "must be the codec of a message, for example InfoReply")

/** Encodes a message of one kind as one complete datagram. */
export const encodeAs = <A extends { readonly _tag: string }>(
  codec: Codec<A>,
  message: A,
  options?: TextOptions
): Result.Result<Uint8Array, EncodeError> => {
  demandCodec(codec)
  const { layout, tag } = codec
  const encoding = readEncoding(options)
  if (encoding === undefined) return fail(new EncodeError({ ...wrongEncoding(options), messageTag: tag }))
  try {
    return succeed(writeDatagram(layout, { ...message }, encoding))
  } catch (cause) {
    // An error that is not an `Unwritable` comes from a property of the message, for example from a getter that throws.
    const { field, reason } = cause instanceof Unwritable ? cause : UNREADABLE_MESSAGE
    return fail(new EncodeError({ message: `${tag}.${field} ${reason}`, messageTag: tag, field }))
  }
}

/** Decodes a datagram as one kind of message, and returns the position of every field. */
export const dissectAs = <A>(codec: Codec<A>, datagram: Uint8Array, options?: TextOptions): Dissected<A> => {
  demandCodec(codec)
  const fields: Array<DissectedField> = []
  const encoding = readEncoding(options)
  if (encoding === undefined || !isBytes(datagram))
    return { result: fail(unreadable(codec.tag, datagram, options)), fields }
  const result = interpret<A>(findDeclaration(codec.tag)!, datagram, encoding, fields)
  addUnread(fields, datagram)
  return { result, fields }
}

const UNREADABLE_MESSAGE = /* @__PURE__ */ new Unwritable("message", "has a property that cannot be read")
