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

/** Gives the datagrams of a reply as it is now. */
type Prepared = () => ReadonlyArray<Uint8Array>

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

/** The datagrams of a whole reply under a profile's rule for large ones: fragments as copies, each time under the next id. */
const pack = (encoded: Uint8Array, oversize: Oversize, { compress, nextId }: Preparation): Prepared => {
  const { bufferBytes = Infinity, bzip2 = false, how, layout = "source", maxBytes } = oversize
  const overflows = encoded.length > bufferBytes && messageType(encoded) === MessageType.S2A_RULES
  const reply = overflows ? overflowing(encoded, bufferBytes) : encoded
  if (reply.length <= maxBytes || how !== "split") {
    const whole = [how === "truncate" ? reply.slice(0, maxBytes) : reply]
    return () => whole
  }
  const compressed = bzip2 && layout !== "goldsource" ? compress?.(reply) : undefined
  const options = { layout, id: 0, maxBytes, ...(compressed === undefined ? {} : { compressed }) }
  const templates = splitDatagram(reply, options)
  return () => {
    // The top bit of a Source id says that the reply is compressed, so it is not the id's own.
    const id = compressed === undefined ? nextId() & 0x7fffffff : nextId() | 0x80000000
    return templates.map((template) => {
      const fragment = template.slice()
      new DataView(fragment.buffer).setInt32(ID_AT, id, true)
      return fragment
    })
  }
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

/** A reply as bytes; none of what is absent at the moment. */
export const bytesOf = (
  value: Message | undefined,
  name: ReplyName,
  encoding: Encoding | undefined
): Result.Result<Uint8Array | undefined, EncodeError> => {
  if (value === undefined) return Result.succeed(value)
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

const none: Prepared = () => NOTHING

/** The datagrams of a profile's reply, made ready anew when its value is another object than last time. */
export const prepared = (profile: Profile, name: ReplyName, how: Preparation): Prepared => {
  let value: Message | undefined
  let datagrams = none
  return () => {
    const live = valueOf(profile, name)
    if (Result.isFailure(live)) {
      how.onError(live.failure)
      return NOTHING
    }
    if (live.success !== value) {
      value = live.success
      datagrams = none
      const encoded = bytesOf(value, name, profile.encoding)
      if (Result.isFailure(encoded)) how.onError(encoded.failure)
      else if (encoded.success !== undefined) datagrams = pack(encoded.success, profile.oversize, how)
    }
    return datagrams()
  }
}
