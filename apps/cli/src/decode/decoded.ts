/** The datagrams of one message, joined where they are fragments, and decoded: what `sourcewire decode` prints, for people and as JSON. */
import { Malformed, decode, dissect } from "@sourcewire/protocol"
import type { DecodeError, DissectedField, Encoding, Message } from "@sourcewire/protocol"
import { type Joined, isSplit, join } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { errorJson } from "../output/json.ts"

export interface Decoded {
  readonly result: Result.Result<Message, DecodeError>
  /** Absent for a single datagram. */
  readonly split?: Pick<Joined, "layout" | "total" | "compressed">
  /** The datagram that the fields stand in: joined and inflated where it was split. */
  readonly bytes: Uint8Array
  /** Every field, also those before an error; absent unless asked for. */
  readonly fields?: ReadonlyArray<DissectedField>
}

export interface DecodeOptions {
  readonly encoding: Encoding
  /** Whether to keep every field's place. */
  readonly fields: boolean
}

const EMPTY = new Uint8Array()

export const decodeWhole = (bytes: Uint8Array, options: DecodeOptions): Decoded => {
  const { encoding } = options
  if (!options.fields) return { result: decode(bytes, { encoding }), bytes }
  const { fields, result } = dissect(bytes, { encoding })
  return { result, bytes, fields }
}

export const decodeJoined = (joined: Joined, options: DecodeOptions): Decoded => ({
  ...decodeWhole(joined.bytes, options),
  split: { layout: joined.layout, total: joined.total, compressed: joined.compressed }
})

const tooMany = (count: number): Malformed =>
  new Malformed({
    message: `a line holds one message, and these are ${count} datagrams that are not fragments of one`,
    messageTag: "Split",
    field: "header",
    offset: 0,
    hex: ""
  })

/** Reads the datagrams of one line; more than one are fragments, in order of arrival. */
export const decodeDatagrams = (datagrams: ReadonlyArray<Uint8Array>, options: DecodeOptions): Decoded => {
  const [first = EMPTY] = datagrams
  if (datagrams.length === 1 && !isSplit(first)) return decodeWhole(first, options)
  if (!datagrams.some(isSplit)) return { result: Result.fail(tooMany(datagrams.length)), bytes: first }
  const joined = join(datagrams)
  return Result.isFailure(joined)
    ? { result: Result.fail(joined.failure), bytes: first }
    : decodeJoined(joined.success, options)
}

/** The way of a message of a capture. */
export interface Way {
  readonly time: string | undefined
  readonly source: string
  readonly destination: string
}

/** The result as the contract has it, where JSON leaves out what is `undefined`. */
export const toJson = ({ fields, result, split }: Decoded, way?: Way): Record<string, unknown> => ({
  ok: Result.isSuccess(result),
  ...way,
  ...(Result.isSuccess(result) ? { message: result.success } : { error: errorJson(result.failure) }),
  split,
  fields: fields?.map(({ length, offset, path, value }) => ({ path, offset, length, value }))
})
