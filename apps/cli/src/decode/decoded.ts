/** Decodes the datagrams of one message. Fragments of a split reply are joined first. */
import { Malformed, decode, dissect } from "@sourcewire/protocol"
import type { DecodeError, DissectedField, Encoding, Message } from "@sourcewire/protocol"
import { type Joined, isSplit, join } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { errorJson } from "../output/json.ts"

export interface Decoded {
  readonly result: Result.Result<Message, DecodeError>
  /** Details of a split reply. Absent if the message is a single datagram. */
  readonly split?: Pick<Joined, "layout" | "total" | "compressed">
  /** The bytes from which the message was decoded. If the message is a split reply, these bytes are already joined and decompressed. */
  readonly bytes: Uint8Array
  /** All decoded fields. If the message is malformed, these are the fields before the error. Absent if the option `fields` is false. */
  readonly fields?: ReadonlyArray<DissectedField>
}

export interface DecodeOptions {
  readonly encoding: Encoding
  /** Whether to record the position of every field. */
  readonly fields: boolean
}

const EMPTY = new Uint8Array()

export const decodeDatagram = (bytes: Uint8Array, options: DecodeOptions): Decoded => {
  const { encoding } = options
  if (!options.fields) return { result: decode(bytes, { encoding }), bytes }
  const { fields, result } = dissect(bytes, { encoding })
  return { result, bytes, fields }
}

export const decodeJoined = (joined: Joined, options: DecodeOptions): Decoded => ({
  ...decodeDatagram(joined.bytes, options),
  split: { layout: joined.layout, total: joined.total, compressed: joined.compressed }
})

const tooMany = (count: number): Malformed =>
  new Malformed({
    message: `a line must contain one message, but these ${count} datagrams are not fragments of one`,
    messageTag: "Split",
    field: "header",
    offset: 0,
    hex: ""
  })

/**
 * Decodes the datagrams of one line of input. If the line contains several datagrams, they must be the fragments of one split reply, in any
 * order.
 */
export const decodeDatagrams = (datagrams: ReadonlyArray<Uint8Array>, options: DecodeOptions): Decoded => {
  const [first = EMPTY] = datagrams
  if (datagrams.length === 1 && !isSplit(first)) return decodeDatagram(first, options)
  if (!datagrams.some(isSplit)) return { result: Result.fail(tooMany(datagrams.length)), bytes: first }
  const joined = join(datagrams)
  return Result.isFailure(joined)
    ? { result: Result.fail(joined.failure), bytes: first }
    : decodeJoined(joined.success, options)
}

/** Time and endpoints of a captured message. */
export interface Transfer {
  readonly time: string | undefined
  readonly source: string
  readonly destination: string
}

/** The result as an object for JSON. Properties with the value `undefined` do not appear in JSON. */
export const toJson = ({ fields, result, split }: Decoded, way?: Transfer): Record<string, unknown> => ({
  ok: Result.isSuccess(result),
  ...way,
  ...(Result.isSuccess(result) ? { message: result.success } : { error: errorJson(result.failure) }),
  split,
  fields: fields?.map(({ length, offset, path, value }) => ({ path, offset, length, value }))
})
