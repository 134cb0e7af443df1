/** Findings about the number of players: differences between INFO and the player list, bots, hidden names, relays, and caches. */
import { plural } from "@sourcewire/capture"
import type { GoldSourceInfoReply, InfoReply, PlayersReply } from "@sourcewire/protocol"
import type { Conversation, Entry } from "./Conversation.ts"
import { fieldPlaces, findPlaces, sameBytes } from "./Conversation.ts"
import type { Finding } from "./Finding.ts"
import { finding } from "./make.ts"
import { duration } from "./words.ts"

type Info = InfoReply | GoldSourceInfoReply

const isInfo = ({ message }: Entry): boolean => message?._tag === "InfoReply" || message?._tag === "GoldSourceInfoReply"
const isList = ({ message }: Entry): boolean => message?._tag === "PlayersReply"

/** The play time that some engines send for bots. */
const BOT = -1

/** The name of the single entry that some servers send in place of their players, to hide them. */
const PLACEHOLDER = "Max Players"

/**
 * Minimum time between two equal replies for the finding `frozen-times`, in ms. The play times of real players increase during this time.
 */
const FROZEN_MS = 2000

export function* countFindings({ entries }: Conversation): Generator<Finding> {
  const info = entries.findLast(isInfo)
  const list = entries.findLast(isList)
  if (info !== undefined) yield* infoFindings(info, list)
  if (list !== undefined) yield* listFindings(list, info)
  yield* frozen(entries, info)
}

const isRelay = (entry: Entry | undefined): boolean =>
  entry !== undefined && (entry.message as Info).serverType === "sourcetv"

/** The largest count that INFO can report. */
const MAX_BYTE = 255

const RUST = 252490
const CS2 = 730
const CS2_KEYWORD_BYTES = 63

/**
 * The hint if INFO's player count differs from the count in INFO's keywords. The default hint of `count-differs` does not fit, because it
 * explains differences between two replies.
 */
const SAME_REPLY =
  "Both counts are in the same reply: the game, a plugin or a proxy changed one of them. Compare them with the length of the player list."

const countBytes = (text: string): number => new TextEncoder().encode(text).length

/** Returns the player count in the keywords of a Rust server. Returns `undefined` for other games. */
const keywordCount = (message: Info): number | undefined => {
  if (message._tag !== "InfoReply" || (message.folder !== "rust" && message.appId !== RUST)) return undefined
  const found = /(?:^|,)cp(\d+)/.exec(message.keywords ?? "")?.[1]
  return found === undefined ? undefined : Number(found)
}

function* infoFindings(entry: Entry, list: Entry | undefined): Generator<Finding> {
  const message = entry.message as Info
  const { players } = message
  const bots = message.bots ?? 0
  const at = (field: string) => [fieldPlaces(entry, field), { field }] as const
  if (message.passwordProtected) {
    yield finding("password-required", "The server requires a password.", ...at("passwordProtected"))
  }
  if (isRelay(entry)) {
    yield finding(
      "relay-counts",
      `This is a relay (SourceTV or HLTV): its INFO counts ${plural(players, "spectator")}, not players of the game.`,
      ...at("players")
    )
    return
  }
  const inKeywords = keywordCount(message)
  if (inKeywords !== undefined && inKeywords !== players) {
    const text = `INFO counts ${plural(players, "player")}, but its keywords say ${inKeywords}`
    const places = [...fieldPlaces(entry, "players"), ...fieldPlaces(entry, "keywords")]
    yield inKeywords > MAX_BYTE
      ? finding("count-wrapped", `${text}: the count in INFO is one byte, which cannot exceed ${MAX_BYTE}.`, places, {
          field: "players"
        })
      : finding("count-differs", `${text}.`, places, { field: "players", hint: SAME_REPLY })
    return
  }
  const listed = list === undefined ? undefined : (list.message as PlayersReply).players
  if (bots > 0 && bots >= players) {
    const total = Math.max(players, bots)
    const count = total === 1 ? "The only player is a bot" : `All ${total} players are bots`
    yield finding(
      "all-bots",
      `${count}: no people play.`,
      [...fieldPlaces(entry, "players"), ...fieldPlaces(entry, "bots")],
      { field: "bots" }
    )
  } else if (players === 0 && (listed === undefined || listed.length === 0)) {
    const of = listed === undefined ? "INFO" : "INFO and PLAYER"
    yield finding("empty-server", `The server itself reports 0 players (${of}).`, ...at("players"))
  }
  if (
    message._tag === "InfoReply" &&
    message.appId === CS2 &&
    countBytes(message.keywords ?? "") >= CS2_KEYWORD_BYTES
  ) {
    const text = `The keywords end after ${CS2_KEYWORD_BYTES} bytes, the limit of Counter-Strike 2.`
    yield finding("keywords-truncated", text, ...at("keywords"))
  }
}

function* listFindings(entry: Entry, info: Entry | undefined): Generator<Finding> {
  const { announced, players, truncated } = entry.message as PlayersReply
  const names = players.map(({ name }) => name)
  const empty = names.flatMap((name, i) => (name === "" ? [i] : []))
  const all = findPlaces(entry)
  if (players.length === 1 && names[0] === PLACEHOLDER) {
    const text = "The list has a single entry called “Max Players”: the server hides its players."
    yield finding("names-hidden", text, fieldPlaces(entry, "players[0].name"), { field: "players[0].name" })
    return
  }
  if (players.length > 0 && empty.length === players.length) {
    const text =
      players.length === 1
        ? "The only name in the list is empty: the server hides it."
        : `All ${players.length} names in the list are empty: the server hides them.`
    yield finding("names-hidden", text, all, { field: "players" })
  } else if (empty.length > 0) {
    const field = `players[${empty[0]}].name`
    const places = empty.flatMap((i) => fieldPlaces(entry, `players[${i}].name`))
    const text = `${empty.length} of ${plural(players.length, "player")} in the list ${empty.length === 1 ? "has" : "have"} no name.`
    yield finding("players-connecting", text, places, { field })
  }
  const hasBots = info !== undefined && ((info.message as Info).bots ?? 0) > 0
  if (!hasBots && players.length > 0 && players.every(({ duration: seconds }) => seconds === BOT)) {
    const text = `All ${plural(players.length, "player")} of the list have the play time −1, which some engines give bots.`
    yield finding("all-bots", text, all, { field: "players" })
  }
  const count = info === undefined || isRelay(info) ? undefined : (info.message as Info).players
  const wraps = count !== undefined && players.length > count && (players.length - count) % 256 === 0
  if (!wraps && players.length > announced && announced > 0) {
    const text = `The list announces ${announced} players and has ${players.length}: its count is one byte.`
    yield finding("count-wrapped", text, fieldPlaces(entry, "announced"), { field: "announced" })
  }
  if (info === undefined || count === undefined) return
  if (keywordCount(info.message as Info) !== undefined) return
  const places = [...fieldPlaces(info, "players"), ...fieldPlaces(entry, "announced")]
  if (wraps) {
    const text = `INFO counts ${plural(count, "player")}, but the list has ${players.length}: the count in INFO is one byte, and starts again at 0 after 255.`
    yield finding("count-wrapped", text, places, { field: "players" })
  } else if (!truncated && count !== players.length) {
    const between =
      info.timeMs === undefined || entry.timeMs === undefined || Math.abs(info.timeMs - entry.timeMs) < 1000
        ? ""
        : ` The two replies are ${duration(Math.abs(info.timeMs - entry.timeMs))} apart.`
    const text = `INFO counts ${plural(count, "player")}, but the list has ${players.length}.${between}`
    yield finding("count-differs", text, places, { field: "announced" })
  }
}

/** Reports play times that do not change between two replies, except on relays and for bots, where this is normal. */
function* frozen(entries: ReadonlyArray<Entry>, info: Entry | undefined): Generator<Finding> {
  if (isRelay(info)) return
  const lists = entries.filter(isList)
  const first = lists.find((entry) =>
    (entry.message as PlayersReply).players.some(({ duration: seconds }) => seconds > 1)
  )
  const last = lists.findLast((entry) => first !== undefined && sameBytes(entry.bytes, first.bytes))
  if (first?.timeMs === undefined || last?.timeMs === undefined || last.timeMs - first.timeMs < FROZEN_MS) return
  const text = `The play times of the players did not change in ${duration(last.timeMs - first.timeMs)}: both replies have the same bytes.`
  yield finding("frozen-times", text, [...findPlaces(first), ...findPlaces(last)], { field: "players" })
}
