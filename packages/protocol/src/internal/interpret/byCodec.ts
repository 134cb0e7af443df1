/**
 * One kind of message written, and taken apart field by field: what a codec leaves to the interpreter of its layout.
 */
import type * as Result from "effect/Result"
import { type Codec, encodingOf, isCodec } from "../../Codec.ts"
import { declarationOf } from "../../declarations/declarations.ts"
import { type DissectedField, noteUnread } from "../../Dissection.ts"
import { type DecodeError, EncodeError } from "../../Errors.ts"
import type { TextOptions } from "../../Text.ts"
import { isBytes } from "../../Wire.ts"
import { demand } from "../edge.ts"
import { fail, succeed } from "../result.ts"
import { interpret, unreadable, wrongEncoding } from "./interpret.ts"
import { writeDatagram } from "./write.ts"
import { Unwritable } from "./writer.ts"

/** What became of a datagram, with the fields that were read, also those before an error. */
export interface Dissected<A> {
  readonly result: Result.Result<A, DecodeError>
  /** In the order of the bytes, all of which are in one: those that nothing read are the last, `unread`. */
  readonly fields: ReadonlyArray<DissectedField>
}

/** Throws where JavaScript hands over something else than a codec. */
export const demandCodec = (value: unknown): void =>
  demand(isCodec(value), "codec", "must be that of a message, as InfoReply is")

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
  try {
    return succeed(writeDatagram(layout, { ...message }, encoding))
  } catch (cause) {
    // Whatever else is thrown, a property of the message threw when it was read, or is nothing that can be written.
    const { field, reason } = cause instanceof Unwritable ? cause : UNREADABLE_MESSAGE
    return fail(new EncodeError({ message: `${tag}.${field} ${reason}`, messageTag: tag, field }))
  }
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
