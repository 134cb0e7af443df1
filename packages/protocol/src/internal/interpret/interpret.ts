/** Interprets layouts: decodes the datagrams that the generated decoders do not handle, and reports errors. */
import type * as Result from "effect/Result"
import type { Declaration, Layout } from "../../declarations/Declaration.ts"
import type { DissectedField } from "../../Dissection.ts"
import { type Encoding, encodingMust } from "../../Text.ts"
import { type DecodeError, LimitExceeded, Malformed } from "../../Errors.ts"
import { HEADER_BYTES, isBytes, isConnectionless } from "../../Wire.ts"
import { noDatagram, read } from "../edge.ts"
import { malformed } from "../malformed.ts"
import { fail, succeed } from "../result.ts"
import { readMessage } from "./read.ts"
import { Reader, Unreadable } from "./reader.ts"

/**
 * Returns the field and the message of the error for invalid text options. Such options contain an unknown option or an invalid encoding.
 */
export const wrongEncoding = (options: unknown) => {
  const unknown =
    typeof options === "object" && options !== null
      ? read(() => Object.keys(options).find((name) => name !== "encoding"))
      : undefined
  return unknown === undefined
    ? { field: "encoding", message: `encoding ${encodingMust()}` }
    : { field: unknown, message: `There is no option ${unknown}. The only option is encoding.` }
}

/** The error for a datagram that is not a `Uint8Array`, or for invalid options. */
export const unreadable = (messageTag: string, datagram: unknown, options: unknown): Malformed =>
  isBytes(datagram)
    ? new Malformed({ ...wrongEncoding(options), messageTag, offset: 0, hex: "" })
    : noDatagram(messageTag, datagram)

/** A layout. `valve` and `doc` are required only if the caller passes a trace, because the trace explains the type byte with them. */
type Described = Layout & Partial<Pick<Declaration, "doc" | "valve">>

/** Decodes a message by its layout, and records the position of each field in the `trace`. */
export const interpret = <A>(
  layout: Described,
  datagram: Uint8Array,
  encoding: Encoding,
  trace: Array<DissectedField> | undefined
): Result.Result<A, DecodeError> => {
  const reader = new Reader(datagram, encoding, trace)
  try {
    readHeader(layout, reader)
    return succeed(readMessage(layout, reader) as A)
  } catch (cause) {
    if (cause instanceof Unreadable) return fail(refused(layout, datagram, cause))
    if (cause instanceof LimitExceeded) return fail(cause)
    throw cause
  }
}

const readHeader = (layout: Described, reader: Reader): void => {
  if (layout.bare !== true) {
    if (!isConnectionless(reader.bytes)) throw new Unreadable("header", 0, "must be FF FF FF FF")
    reader.position = HEADER_BYTES
    reader.note("header", 0, "i32", -1, "−1: a complete connectionless message.")
  }
  if (layout.type === undefined) return
  const at = reader.position
  const type = reader.number("u8", "type") as number
  if (type !== layout.type) {
    throw new Unreadable("type", at, `is 0x${type.toString(16)}, not the 0x${layout.type.toString(16)} of this message`)
  }
  reader.note("type", at, "u8", type, `${layout.valve}: ${layout.doc}`)
}

const refused = (layout: Layout, datagram: Uint8Array, { field, offset, reason, within }: Unreadable): Malformed => {
  const place = `${layout.tag}.${field} at byte ${offset}`
  const message = within ? `the datagram ends inside ${place}: ${reason}` : `${place} ${reason}`
  // Errors must not contain passwords. If a message contains a password, its errors show only the header.
  return malformed(layout.tag, datagram, field, offset, message, layout.secret === true ? HEADER_BYTES : undefined)
}
