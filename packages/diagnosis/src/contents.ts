/** Findings about the contents of single messages: errors, truncated lists, refusals, and forms that some parsers do not support. */
import { plural } from "@sourcewire/capture"
import type { DecodeError, Message } from "@sourcewire/protocol"
import { HEADER_BYTES } from "@sourcewire/protocol/wire"
import type { Conversation, Entry } from "./Conversation.ts"
import { fieldPlaces, findPlaces } from "./Conversation.ts"
import type { Finding } from "./Finding.ts"
import { finding } from "./make.ts"
import { duration, quoted, requestName } from "./words.ts"

export function* contentFindings({ entries }: Conversation): Generator<Finding> {
  for (const entry of entries) {
    const { error, message } = entry
    if (error !== undefined && !isForeign(entry, error)) yield errorFinding(entry, error)
    if (message !== undefined) yield* messageFindings(entry, message)
  }
}

/** Traffic of the game itself, as captures contain it beside the queries. */
const isForeign = ({ from }: Entry, error: DecodeError): boolean =>
  from !== undefined &&
  error._tag === "Malformed" &&
  (error.messageTag === "ConnectionMessage" || (error.messageTag === "Datagram" && error.field === "header"))

const errorFinding = (entry: Entry, error: DecodeError): Finding => {
  const whole = entry.datagrams.map((datagram) => ({ datagram, offset: 0, length: 1 }))
  const text = `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
  switch (error._tag) {
    case "ChecksumMismatch":
      return finding("checksum-mismatch", text, whole)
    case "LimitExceeded":
      return finding("limit-exceeded", text, whole)
    default: {
      const offset = Math.min(error.offset, entry.bytes.length)
      const places = findPlaces(entry, offset, offset < entry.bytes.length ? 1 : 0)
      return finding("malformed", text, places, { field: error.field })
    }
  }
}

function* messageFindings(entry: Entry, message: Message): Generator<Finding> {
  switch (message._tag) {
    case "UnknownMessage": {
      const type = `0x${message.type.toString(16).padStart(2, "0")}`
      const text = `The type byte ${type} at offset ${HEADER_BYTES} belongs to no known message.`
      yield finding("unknown-message", text, findPlaces(entry, HEADER_BYTES, 1), { field: "type" })
      return
    }
    case "PrintReply":
    case "ConnectionRejected":
      yield* refusal(entry, message.text)
      return
    case "PingReply":
      yield* age(entry, message.payload)
      return
    case "PlayersReply":
      yield* truncated(entry, message.players.length, message.announced, "player", message.truncated)
      break
    case "RulesReply": {
      const { announced, rules } = message
      yield* truncated(entry, rules.length, announced, "rule", message.truncated)
      if (rules.length > announced) {
        const text = `The reply announces ${plural(announced, "rule")}, but contains ${rules.length} and ends after ${plural(entry.bytes.length, "byte")}: the server’s buffer was full.`
        yield finding("rules-overflow", text, fieldPlaces(entry, "announced"), { field: "announced" })
      }
      break
    }
    case "GoldSourceInfoReply":
      yield finding(
        "old-info-format",
        "This INFO reply has the older form (type 0x6D), which GoldSource servers and HLTV send.",
        findPlaces(entry, HEADER_BYTES, 1),
        { field: "type" }
      )
      break
    case "InfoReply":
      if (
        message.port === undefined &&
        message.steamId === undefined &&
        message.keywords === undefined &&
        message.gameId === undefined &&
        message.sourceTv === undefined
      ) {
        const text = "The INFO reply ends after the version, without a byte of extra data flags."
        yield finding("no-extra-data", text, findPlaces(entry, entry.bytes.length, 0), { field: "version" })
      }
      break
    default:
  }
  if (
    entry.isRequest !== true &&
    "trailing" in message &&
    typeof message.trailing === "string" &&
    message.trailing !== ""
  ) {
    const length = message.trailing.length / 2
    const text = `${plural(length, "byte")} follow${length === 1 ? "s" : ""} after the end of the message.`
    yield finding("trailing-bytes", text, findPlaces(entry, entry.bytes.length - length, length), { field: "unread" })
  }
}

function* truncated(
  entry: Entry,
  arrived: number,
  announced: number,
  noun: string,
  isTruncated: boolean
): Generator<Finding> {
  if (!isTruncated) return
  const size = entry.bytes.length
  const text = `The reply announces ${plural(announced, noun)}, but it ends after ${arrived} of them, at byte ${size}.`
  yield finding("list-truncated", text, [...fieldPlaces(entry, "announced"), ...findPlaces(entry, size, 0)], {
    field: "announced"
  })
}

function* refusal(entry: Entry, listed: string): Generator<Finding> {
  const text = `The server replied: ${quoted(listed)}`
  const at = [fieldPlaces(entry, "text"), { field: "text" }] as const
  if (/^\W*you (have been|are) banned/i.test(listed))
    yield finding("banned", `The server has banned this address. ${text}`, ...at)
  else if (/^\W*bad rcon_?password/i.test(listed))
    yield finding("wrong-password", `The server did not accept the RCON password. ${text}`, ...at)
  else if (entry.message?._tag === "ConnectionRejected")
    yield finding("rejected", `The server refused the request. ${text}`, ...at)
}

/** Ages in a reply of Sourcewire’s proxy, in ms. */
const AGES = /^sourcewire age (\d+|-) (\d+|-) (\d+|-)$/

function* age(entry: Entry, payload: string): Generator<Finding> {
  const ages = AGES.exec(payload)?.slice(1)
  if (ages === undefined) return
  const tags = ["InfoRequest", "PlayersRequest", "RulesRequest"] as const
  const listed = ages.flatMap((ms, i) => (ms === "-" ? [] : [`${requestName(tags[i]!)} ${duration(Number(ms))}`]))
  const text = `A Sourcewire proxy replies for the server. Age of its stored replies: ${listed.length === 0 ? "none stored" : listed.join(", ")}.`
  yield finding("proxy-age", text, fieldPlaces(entry, "payload"), { field: "payload" })
}
