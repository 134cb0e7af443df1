/**
 * Replies made ready: encoded, compressed and cut once, and again only when the profile's value is another object. Answering
 * a query then costs no more than writing a fresh id into copied fragments.
 */
import { encode, EncodeError } from "@sourcewire/protocol"
import type { Encoding, Message } from "@sourcewire/protocol"
import { HEADER_BYTES, MessageType, messageType, splitDatagram } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { current, type Oversize, type Profile } from "./Profile.ts"
import { withByteCounts } from "./byteCounts.ts"

/** Compresses a whole reply into a bzip2 stream. */
export type Compress = (reply: Uint8Array) => Uint8Array

/** A reply as datagrams. Fragments are templates: their id is still to be written. */
export interface Packed {
  readonly datagrams: ReadonlyArray<Uint8Array>
  readonly fragments: boolean
  readonly compressed: boolean
}

const ID_AT = 4

/** Nothing to send. */
export const NOTHING: ReadonlyArray<Uint8Array> = []

/** Where the first rule stands: behind header, type and count. */
const FIRST_RULE_AT = HEADER_BYTES + 3

/** The rules that fit whole into a buffer of this size, under a count of 0. */
const overflowing = (reply: Uint8Array, bufferBytes: number): Uint8Array => {
  let end = FIRST_RULE_AT
  for (let at = FIRST_RULE_AT, texts = 0; at < bufferBytes; at++) {
    if (reply[at] === 0 && ++texts % 2 === 0) end = at + 1
  }
  const cut = reply.slice(0, end)
  cut.fill(0, FIRST_RULE_AT - 2, FIRST_RULE_AT)
  return cut
}

/** The datagrams of a whole reply under a profile's rule for large ones. */
export const pack = (reply: Uint8Array, oversize: Oversize, compress: Compress | undefined): Packed => {
  const whole = (bytes: Uint8Array): Packed => ({ datagrams: [bytes], fragments: false, compressed: false })
  if (
    oversize.bufferBytes !== undefined &&
    reply.length > oversize.bufferBytes &&
    messageType(reply) === MessageType.S2A_RULES
  ) {
    return pack(overflowing(reply, oversize.bufferBytes), { ...oversize, bufferBytes: Infinity }, compress)
  }
  if (reply.length <= oversize.maxBytes || oversize.how === "whole") return whole(reply)
  if (oversize.how === "truncate") return whole(reply.slice(0, oversize.maxBytes))
  const layout = oversize.layout ?? "source"
  const bzip2 = oversize.bzip2 === true && layout !== "goldsource" ? compress?.(reply) : undefined
  const datagrams = splitDatagram(reply, {
    layout,
    id: 0,
    maxBytes: oversize.maxBytes,
    ...(bzip2 === undefined ? {} : { compressed: bzip2 })
  })
  return { datagrams, fragments: true, compressed: bzip2 !== undefined }
}

/** Copies of fragments under one id. The top bit of a Source id says that the reply is compressed, so it is not the id's own. */
export const stamp = (packed: Packed, id: number): ReadonlyArray<Uint8Array> => {
  const stamped = packed.compressed ? id | 0x80000000 : id & 0x7fffffff
  return packed.datagrams.map((template) => {
    const fragment = template.slice()
    new DataView(fragment.buffer).setInt32(ID_AT, stamped, true)
    return fragment
  })
}

/** The replies that a profile may have, by their names there. */
export type ReplyName = "info" | "legacyInfo" | "players" | "rules"

const noReply = (field: ReplyName, why: string): EncodeError =>
  new EncodeError({ message: `The profile's ${field} ${why}.`, messageTag: "Profile", field })

/** The value of a profile's reply at this moment. It may be a function of the user's, and what JavaScript hands in. */
export const valueOf = (profile: Profile, name: ReplyName): Result.Result<Message | undefined, EncodeError> =>
  Result.try({
    try: () => current<Message | undefined>(profile[name]),
    catch: (error) => noReply(name, `cannot be told: ${String(error)}`)
  })

const TAGS: Readonly<Record<ReplyName, Message["_tag"]>> = {
  info: "InfoReply",
  legacyInfo: "GoldSourceInfoReply",
  players: "PlayersReply",
  rules: "RulesReply"
}

export const bytesOf = (
  value: Message,
  name: ReplyName,
  encoding: Encoding | undefined
): Result.Result<Uint8Array, EncodeError> => {
  try {
    if (value?._tag !== TAGS[name]) return Result.fail(noReply(name, `must be of _tag ${TAGS[name]}`))
    return encode(withByteCounts(value), encoding === undefined ? {} : { encoding })
  } catch (error) {
    return Result.fail(noReply(name, `has no bytes: ${String(error)}`))
  }
}

export interface Preparation {
  readonly compress: Compress | undefined
  /** The id of the next split reply. */
  readonly nextId: () => number
  /** Told of a value that has no bytes; the query then gets no answer. */
  readonly onError: (error: EncodeError) => void
}

/** Gives the datagrams of a profile's reply, made ready anew when its value is another object than last time. */
export const prepared = (
  profile: Profile,
  name: ReplyName,
  { compress, nextId, onError }: Preparation
): (() => ReadonlyArray<Uint8Array>) => {
  let value: Message | undefined
  let packed: Packed | undefined
  return () => {
    const live = valueOf(profile, name)
    if (Result.isFailure(live)) {
      onError(live.failure)
      return NOTHING
    }
    if (live.success !== value) {
      value = live.success
      packed = undefined
      const encoded = value === undefined ? undefined : bytesOf(value, name, profile.encoding)
      if (encoded !== undefined && Result.isFailure(encoded)) onError(encoded.failure)
      else if (encoded !== undefined) packed = pack(encoded.success, profile.oversize, compress)
    }
    if (packed === undefined) return NOTHING
    return packed.fragments ? stamp(packed, nextId()) : packed.datagrams
  }
}
