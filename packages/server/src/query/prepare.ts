/**
 * Prepares replies. A reply is encoded, compressed and split only when the profile returns a new object for this reply. For each query, the
 * fragments are copied, and the copies get a new id.
 */
import { encode, EncodeError } from "@sourcewire/protocol"
import type { Encoding, Message } from "@sourcewire/protocol"
import { HEADER_BYTES, MessageType, messageType, splitDatagram } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { current, type Oversize, type Profile } from "./Profile.ts"
import { withByteCounts } from "./byteCounts.ts"

/** Compresses a complete reply into a bzip2 stream. */
export type Compress = (reply: Uint8Array) => Uint8Array

/** Returns the datagrams of the current reply. */
type Prepared = () => ReadonlyArray<Uint8Array>

const ID_AT = 4

/** An empty list of datagrams: the server sends no reply. */
export const NOTHING: ReadonlyArray<Uint8Array> = []

/** Offset of the first rule in a RULES reply: after header, type byte and count. */
const FIRST_RULE_AT = HEADER_BYTES + 3

/** Returns a RULES reply with the rules that fit completely into a buffer of `bufferBytes`, and with 0 as the number of rules. */
const overflowing = (reply: Uint8Array, bufferBytes: number): Uint8Array => {
  let end = FIRST_RULE_AT
  for (let at = FIRST_RULE_AT, texts = 0; at < bufferBytes; at++) {
    if (reply[at] === 0 && ++texts % 2 === 0) end = at + 1
  }
  const cut = reply.slice(0, end)
  cut.fill(0, FIRST_RULE_AT - 2, FIRST_RULE_AT)
  return cut
}

/**
 * Splits or truncates an encoded reply as `oversize` requires. If the reply is split, each call of the returned function copies the
 * fragments, and gives all copies the same new id.
 */
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
    // The top bit of an id marks a compressed Source reply. Therefore set this bit only in the ids of compressed replies.
    const id = compressed === undefined ? nextId() & 0x7fffffff : nextId() | 0x80000000
    return templates.map((template) => {
      const fragment = template.slice()
      new DataView(fragment.buffer).setInt32(ID_AT, id, true)
      return fragment
    })
  }
}

/** The fields of a profile that contain replies. */
export type ReplyName = "info" | "legacyInfo" | "players" | "rules"

const noReply = (field: ReplyName, why: string): EncodeError =>
  new EncodeError({ message: `The profile's ${field} ${why}.`, messageTag: "Profile", field })

/**
 * Returns the current value of a reply in a profile. Fails if the reply is a promise, or a function that throws or returns a promise. The
 * type of the value is not checked.
 */
export const readReply = (profile: Profile, name: ReplyName): Result.Result<Message | undefined, EncodeError> =>
  Result.try({
    try: () => rejectPromise(current<Message | undefined>(profile[name])),
    catch: (error) => noReply(name, error instanceof Pending ? PENDING : `cannot be read: ${String(error)}`)
  })

class Pending extends Error {}

const PENDING =
  "is a promise, but the server replies to queries at once. Return the last known reply, and update it when the data changes"

/** Throws if the value is a promise. A later rejection of the promise is ignored. */
const rejectPromise = <A>(value: A): A => {
  if (!(value instanceof Promise)) return value
  value.catch(() => {})
  throw new Pending()
}

const TAGS: Readonly<Record<ReplyName, Message["_tag"]>> = {
  info: "InfoReply",
  legacyInfo: "GoldSourceInfoReply",
  players: "PlayersReply",
  rules: "RulesReply"
}

/** Encodes a reply. Returns `undefined` if the reply is currently absent. */
export const encodeReply = (
  value: Message | undefined,
  name: ReplyName,
  encoding: Encoding | undefined
): Result.Result<Uint8Array | undefined, EncodeError> => {
  if (value === undefined) return Result.succeed(value)
  try {
    if (value?._tag !== TAGS[name]) return Result.fail(noReply(name, `must have the _tag ${TAGS[name]}`))
    return encode(withByteCounts(value), encoding === undefined ? {} : { encoding })
  } catch (error) {
    return Result.fail(noReply(name, `cannot be encoded: ${String(error)}`))
  }
}

export interface Preparation {
  readonly compress: Compress | undefined
  /** Returns the id for the next split reply. */
  readonly nextId: () => number
  /** Called if a reply cannot be read or encoded. The query then gets no reply. */
  readonly onError: (error: EncodeError) => void
}

const none: Prepared = () => NOTHING

/**
 * Returns a function that returns the datagrams of a reply in a profile. If the profile still contains the same object for the reply as at
 * the previous call, the function does not prepare it again.
 */
export const prepared = (profile: Profile, name: ReplyName, how: Preparation): Prepared => {
  let value: Message | undefined
  let datagrams = none
  return () => {
    const live = readReply(profile, name)
    if (Result.isFailure(live)) {
      how.onError(live.failure)
      return NOTHING
    }
    if (live.success !== value) {
      value = live.success
      datagrams = none
      const encoded = encodeReply(value, name, profile.encoding)
      if (Result.isFailure(encoded)) how.onError(encoded.failure)
      else if (encoded.success !== undefined) datagrams = pack(encoded.success, profile.oversize, how)
    }
    return datagrams()
  }
}
