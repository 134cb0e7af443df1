/**
 * Findings about the content of a single message: errors, truncated lists, refusals, and message forms that some parsers do not support.
 */
import { plural } from "@sourcewire/capture"
import type { DecodeError, Message } from "@sourcewire/protocol"
import { decodeText, HEADER_BYTES } from "@sourcewire/protocol/wire"
import type { Conversation, Entry } from "./Conversation.ts"
import { fieldPlaces, findPlaces } from "./Conversation.ts"
import type { Finding } from "./Finding.ts"
import { finding } from "./make.ts"
import { duration, quoted, requestName } from "./words.ts"

export function* contentFindings({ entries }: Conversation): Generator<Finding> {
  for (const [i, entry] of entries.entries()) {
    const { error, message } = entry
    if (error !== undefined && !isForeign(entry, error)) {
      const found = errorFinding(entry, error)
      // If the server replied to a request that we cannot decode, the finding is only a warning: either the server can decode the request,
      // or it replies to every datagram.
      const isAnswered = entry.isRequest === true && entries[i + 1]?.isRequest === false
      yield isAnswered ? { ...found, severity: "warning" } : found
    }
    if (message !== undefined) yield* messageFindings(entry, message)
  }
}

/** Whether a message belongs to no query, but to the traffic of the game itself. Captures contain this traffic, too. */
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

const GAME_TEXT =
  "Games also send texts that belong to no query, for example when a player joins. Old queries (“details”, “players”) are texts, too; most servers ignore them."

/** The first word of a text message. Findings do not show the rest of the text, because it can contain passwords. */
const findWord = (bytes: Uint8Array): string | undefined =>
  /^[A-Za-z]{3,20}(?![^\s\0\\])/.exec(decodeText(bytes, HEADER_BYTES, bytes.length, "latin1").text)?.[0]

function* messageFindings(entry: Entry, message: Message): Generator<Finding> {
  switch (message._tag) {
    case "UnknownMessage": {
      const word = findWord(entry.bytes)
      if (word !== undefined) {
        const text = `The message is a text that begins with “${word}”. No message of the known protocols begins in this way.`
        const places = findPlaces(entry, HEADER_BYTES, word.length)
        yield finding("unknown-message", text, places, { field: "type", hint: GAME_TEXT, severity: "note" })
        return
      }
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
  const text = `The reply announces ${plural(announced, noun)}, but ends after ${arrived} complete ${arrived === 1 ? "entry" : "entries"}, at byte ${size}.`
  yield finding("list-truncated", text, [...fieldPlaces(entry, "announced"), ...findPlaces(entry, size, 0)], {
    field: "announced"
  })
}

function* refusal(entry: Entry, listed: string): Generator<Finding> {
  const text = `The server replied: ${quoted(listed)}`
  const at = [fieldPlaces(entry, "text"), { field: "text" }] as const
  if (/^\W*you (have been|are) banned/i.test(listed))
    yield finding("banned", `The server has banned this address. ${text}`, ...at)
  else if (/no password set for this server/i.test(listed))
    yield finding("wrong-password", `The server has no RCON password, so it accepts no command. ${text}`, at[0], {
      ...at[1],
      hint: "Set rcon_password in the configuration of the server."
    })
  else if (/^\W*bad rcon_?password/i.test(listed))
    yield finding("wrong-password", `The server did not accept the RCON password. ${text}`, ...at)
  else if (entry.message?._tag === "ConnectionRejected")
    yield finding("rejected", `The server refused the request. ${text}`, ...at)
}

/** Matches the ages in a reply of Sourcewire’s proxy, in ms. */
const AGES = /^sourcewire age (\d+|-) (\d+|-) (\d+|-)$/

function* age(entry: Entry, payload: string): Generator<Finding> {
  const ages = AGES.exec(payload)?.slice(1)
  if (ages === undefined) return
  const tags = ["InfoRequest", "PlayersRequest", "RulesRequest"] as const
  const listed = ages.flatMap((ms, i) => (ms === "-" ? [] : [`${requestName(tags[i]!)} ${duration(Number(ms))}`]))
  const text = `A Sourcewire proxy replies for the server. Age of its stored replies: ${listed.length === 0 ? "none stored" : listed.join(", ")}.`
  yield finding("proxy-age", text, fieldPlaces(entry, "payload"), { field: "payload" })
}
