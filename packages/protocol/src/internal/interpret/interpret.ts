/**
 * The interpreter of layouts: reads what the generated decoder of a message hands over, and says what is wrong with a datagram.
 */
import type * as Result from "effect/Result"
import type { Declaration, Layout } from "../../declarations/Declaration.ts"
import type { DissectedField } from "../../Dissection.ts"
import { type Encoding, encodingMust } from "../../Text.ts"
import { type DecodeError, LimitExceeded, Malformed } from "../../Errors.ts"
import { HEADER_BYTES, isBytes, isConnectionless } from "../../Wire.ts"
import { noDatagram } from "../edge.ts"
import { malformed } from "../malformed.ts"
import { fail, succeed } from "../result.ts"
import { readMessage } from "./read.ts"
import { Reader, Unreadable } from "./reader.ts"

/** What is wrong with an encoding that there is not. */
export const wrongEncoding = () => ({ field: "encoding", message: `encoding ${encodingMust()}` })

/** The failure to read what is no datagram, or else would be one in an encoding that there is not. */
export const unreadable = (messageTag: string, datagram: unknown): Malformed =>
  isBytes(datagram)
    ? new Malformed({ ...wrongEncoding(), messageTag, offset: 0, hex: "" })
    : noDatagram(messageTag, datagram)

/** A layout, of which something may be said. */
type Described = Layout & Partial<Pick<Declaration, "doc" | "valve">>

/** Reads a message by its layout, and notes the place of each field in the `trace`. */
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

const refused = (layout: Layout, datagram: Uint8Array, { field, offset, reason, within }: Unreadable): Malformed => {
  const place = `${layout.tag}.${field} at byte ${offset}`
  const message = within ? `the datagram ends inside ${place}: ${reason}` : `${place} ${reason}`
  // A password must not get into errors, so of such messages only the header is shown.
  return malformed(layout.tag, datagram, field, offset, message, layout.secret === true ? HEADER_BYTES : undefined)
}
