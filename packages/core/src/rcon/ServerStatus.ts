/**
 * Reads the text that a server's console prints for `status`, in the layouts of GoldSource, the Source games, and Source 2 (CS2, Dota 2,
 * Deadlock).
 *
 * No engine escapes special characters in names. Therefore a row is read from both ends. The name is the text between the first columns and
 * the last columns, even if this text contains quotation marks, `#` or line breaks. A name can even contain the end of a
 * row, a line break and the beginning of another row. In this case, the result wrongly contains two players instead of one.
 */
import { demand, isText } from "../edge.ts"

/** The layouts of the list of players: those of GoldSource, Source (up to CS:GO), and Source 2. */
export type StatusLayout = "goldsource" | "source" | "source2"

/** A row of the list of players. Values that the server does not print are absent. The list also contains SourceTV and HLTV. */
export interface StatusPlayer {
  /** The number that `kick` and `ban` accept: the user ID, or the slot on Source 2. */
  readonly userId: number
  readonly name: string
  readonly isBot: boolean
  /**
   * The unique ID as printed: a SteamID in one of its spellings, or a word such as `BOT`, `HLTV` or `STEAM_ID_PENDING`. Source 2 prints no
   * unique ID.
   */
  readonly uniqueId?: string
  /** The SteamID as a 64-bit number in decimal. Present if `uniqueId` is a SteamID. */
  readonly steamId?: string
  readonly connectedSeconds?: number
  /** Ping in milliseconds. */
  readonly ping?: number
  /** Packet loss in percent. */
  readonly loss?: number
  /** The score of the player. Only GoldSource prints this value. */
  readonly score?: number
  /** The state of the connection, for example `active` or `spawning`. */
  readonly state?: string
  /** The player's rate in bytes per second. */
  readonly rate?: number
  readonly address?: string
}

/** The data that a server prints for `status`. Values that the server does not print are absent. */
export interface ServerStatus {
  /** The layout of the list of players. Absent if there is no list. */
  readonly layout?: StatusLayout
  readonly hostname?: string
  readonly version?: string
  readonly map?: string
  /** The address of the server. For a server behind a Steam relay, this is the address that the relay assigns (169.254/16). */
  readonly address?: string
  /** The local address of a server behind a Steam relay. */
  readonly localAddress?: string
  readonly publicAddress?: string
  readonly steamId?: string
  /**
   * The numbers of players that the server announces. Servers of GoldSource and of old Source games announce `players`, the number of
   * humans and bots together. Other servers announce `humans` and `bots`.
   */
  readonly announced?: {
    readonly humans?: number
    readonly bots?: number
    readonly players?: number
    readonly maxPlayers?: number
  }
  readonly players: ReadonlyArray<StatusPlayer>
  /**
   * The `name : value` lines before the list of players. If a name occurs in several lines, the value in the first of these lines is used.
   */
  readonly fields: Readonly<Record<string, string>>
  /** Lines that the parser did not recognize. */
  readonly unread: ReadonlyArray<string>
}

/**
 * Limits for one row of the list: its number of lines, and the number of characters in each line. A row has several lines if the name
 * contains line breaks. A name has at most 128 bytes.
 */
const MAX_ROW_LINES = 8
const MAX_LINE_CHARS = 1024

const BASE_STEAM_ID = 76_561_197_960_265_728n

/** Converts a SteamID in a server's spelling to a 64-bit number in decimal. Returns `undefined` if the text is not a SteamID. */
const parseSteamId = (text: string): string | undefined => {
  const old = /^STEAM_\d:([01]):(\d{1,10})$/.exec(text)
  if (old !== null) return String(BASE_STEAM_ID + BigInt(old[2]!) * 2n + BigInt(old[1]!))
  const account = /^\[U:\d:(\d{1,10})(?::\d+)?\]$/.exec(text)?.[1]
  if (account !== undefined) return String(BASE_STEAM_ID + BigInt(account))
  return /^7656119\d{10}$/.test(text) ? text : undefined
}

/** Parses `01:23` or `1:02:19`. */
const parseSeconds = (clock: string): number =>
  clock.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0)

/** Returns the values without the properties that are `undefined`. */
const present = <A extends object>(values: { readonly [K in keyof A]: A[K] | undefined }): A =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as A

const parseNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

interface Rows {
  /** Matches the first line of a row. */
  readonly begins: RegExp
  /** The quotation mark around a name. */
  readonly mark: '"' | "'"
  /**
   * Reads the player of a complete row. Returns `null` for a connection without a player, and `undefined` if the text is not a complete
   * row.
   */
  readonly read: (row: string) => StatusPlayer | null | undefined
}

/** Splits a row into the text before the name, the name, and the text after the name. */
const splitAtName = (row: string): readonly [string, string, string] | undefined => {
  const [first, last] = [row.indexOf('"'), row.lastIndexOf('"')]
  return first === last ? undefined : [row.slice(0, first), row.slice(first + 1, last), row.slice(last + 1).trim()]
}

// The patterns accept numbers of at most 15 digits, because `Number` represents such numbers exactly.
const GOLDSOURCE_TAIL =
  /^(?<userId>\d{1,15}) {1,40}(?<uniqueId>\S+) {1,40}(?:hltv:\d+\/\d+ {1,40}delay:\d+|(?<score>-?\d{1,15})) {1,40}(?<time>[\d:]{1,20}) {1,40}(?<ping>-?\d{1,15}) {1,40}(?<loss>-?\d{1,15})(?: {1,40}(?<address>\S+))?$/
const SOURCE_HEAD = /^#\s*(\d{1,15})\s/
const SOURCE_TAIL =
  /^(?<uniqueId>\S+)(?: {1,40}(?<time>\d{1,9}(?::\d\d){1,3}) {1,40}(?<ping>-?\d{1,15}) {1,40}(?<loss>-?\d{1,15}))? {1,40}(?<state>[a-z]+)(?: {1,40}(?<rate>\d{1,15}))?(?: {1,40}(?<address>\S+))?$/
const SOURCE2_ROW =
  /^ {0,40}(?<userId>\d{1,15}) {1,40}(?<time>\S+) {1,40}(?<ping>-?\d{1,15}) {1,40}(?<loss>-?\d{1,15}) {1,40}(?<state>[a-z]+) {1,40}(?<rate>\d{1,15})(?!\d) {0,40}(?<address>[^\s']\S*)? {1,40}'/

type Columns = Readonly<Record<string, string | undefined>>

const makePlayer = (userId: string, name: string, isBot: boolean, columns: Columns): StatusPlayer => {
  const { address, loss, ping, rate, score, state, time, uniqueId } = columns
  return present<StatusPlayer>({
    userId: Number(userId),
    name,
    isBot,
    uniqueId,
    steamId: uniqueId === undefined ? undefined : parseSteamId(uniqueId),
    connectedSeconds: time === undefined || !/^\d+(?::\d\d)+$/.test(time) ? undefined : parseSeconds(time),
    ping: parseNumber(ping),
    loss: parseNumber(loss),
    score: parseNumber(score),
    state,
    rate: parseNumber(rate),
    address
  })
}

const ROWS: Readonly<Record<StatusLayout, Rows>> = {
  goldsource: {
    begins: /^#\s*\d+\s+"/,
    mark: '"',
    read: (row) => {
      const [, name = "", tail = ""] = splitAtName(row) ?? []
      const columns = GOLDSOURCE_TAIL.exec(tail)?.groups
      return columns && makePlayer(columns["userId"]!, name, columns["uniqueId"] === "BOT", columns)
    }
  },
  source: {
    begins: /^#\s*\d+(?:\s+\d+)?\s+"/,
    mark: '"',
    read: (row) => {
      const [head = "", name = "", tail = ""] = splitAtName(row) ?? []
      const columns = SOURCE_TAIL.exec(tail)?.groups
      const userId = SOURCE_HEAD.exec(head)?.[1]
      return columns && userId !== undefined
        ? makePlayer(userId, name, columns["uniqueId"] === "BOT", columns)
        : undefined
    }
  },
  source2: {
    begins: SOURCE2_ROW,
    mark: "'",
    read: (row) => {
      const head = SOURCE2_ROW.exec(row)
      if (head === null || !row.endsWith("'") || row.length <= head[0].length) return undefined
      const { time, userId, ...columns } = head.groups as Columns
      if (time === "[NoChan]" && columns["state"] === "challenging") return null
      const isBot = time === "BOT"
      return makePlayer(userId!, row.slice(head[0].length, -1), isBot, { ...columns, ...(isBot ? {} : { time }) })
    }
  }
}

/** The patterns for the headings of the list of players, and the layout that each heading shows. */
const HEADERS: ReadonlyArray<readonly [RegExp, StatusLayout]> = [
  [/^#\s+name userid uniqueid frag time ping loss adr\s*$/, "goldsource"],
  [/^#\s+userid\s+name\s+uniqueid\s+connected\s+ping\s+loss\s+state\b/, "source"],
  [/^\s*id\s+time\s+ping\s+loss\s+state\s+rate\b.*\bname\s*$/, "source2"]
]

/** Matches lines without data: ends of lists, headings, and the log line of the `status` command. */
const IDLE = /^(?:#end|\d+ users|-{3,}.*|L \d\d\/\d\d\/\d{4} - .*)?$/
const isIdle = (line: string): boolean => IDLE.test(line.trim())

const FIELD_NAME = /^[@a-z][\w@/[\] ]{0,40}$/i
const SPAWN_GROUP = /^loaded spawngroup\(\s*(\d+)\)\s*:\s*SV:\s*\[\d+: ([^\s|]+)/

/** A row: its number of lines and its player (`null` for a connection without a player). */
type Row = readonly [number, StatusPlayer | null]

/** Reads the row at the start of `lines`. The number of lines in the row is unknown, so the function tries each number in `counts`. */
const readRow = ({ read }: Rows, lines: ReadonlyArray<string>, counts: ReadonlyArray<number>): Row | undefined => {
  for (const count of counts) {
    const player = read(lines.slice(0, count).join("\n").trimEnd())
    if (player !== undefined) return [count, player]
  }
  return undefined
}

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, i) => i + 1)

const readPlayers = (
  layout: StatusLayout,
  lines: ReadonlyArray<string>,
  unread: Array<string>
): Array<StatusPlayer> => {
  const rows = ROWS[layout]
  const players: Array<StatusPlayer> = []
  const rowAt = (at: number): Row | undefined => {
    const some = lines.slice(at, at + MAX_ROW_LINES).map((line) => line.slice(0, MAX_LINE_CHARS))
    const next = some.findIndex((line, i) => i > 0 && (rows.begins.test(line) || isIdle(line)))
    const own = next === -1 ? some.length : next
    const row = readRow(rows, some, upTo(own).toReversed())
    if (row !== undefined) return row
    // If the lines before the next row contain no closing quotation mark, the name may continue in a line that looks like another row.
    const text = some.slice(0, own).join("\n").trimEnd()
    const isOpen = rows.mark === '"' ? text.split('"').length === 2 : !text.endsWith("'")
    return isOpen ? readRow(rows, some, upTo(some.length)) : undefined
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    const row = line.length <= MAX_LINE_CHARS && rows.begins.test(line) ? rowAt(at) : undefined
    if (row === undefined && !isIdle(line)) unread.push(line)
    const player = row?.[1] ?? undefined
    if (player !== undefined) players.push(player)
    at += row?.[0] ?? 1
  }
  return players
}

const parseAnnounced = (players: string) => {
  const found = (pattern: RegExp): number | undefined => parseNumber(pattern.exec(players)?.[1])
  const counts = present<NonNullable<ServerStatus["announced"]>>({
    humans: found(/\b(\d{1,15}) humans?\b/),
    bots: found(/\b(\d{1,15}) bots?\b/),
    players: found(/^(\d{1,15})(?: active)? \(/),
    maxPlayers: found(/\((\d{1,15})(?:\/\d+)? max\)/)
  })
  return Object.keys(counts).length === 0 ? undefined : counts
}

/**
 * Reads the text that a server's console prints for `status`. If the text is not the output of `status`, the result has no layout, and the
 * lines of the text are in {@link ServerStatus.unread}.
 *
 * @example
 * import { readStatus } from "@sourcewire/core/text"
 * const { players } = readStatus('# userid name uniqueid connected ping loss state\n# 2 "Zoë" [U:1:5] 01:10 40 0 active\n')
 * console.log(players[0]?.steamId) // 76561197960265733
 */
export const readStatus = (text: string): ServerStatus => {
  demand("text", "a text", isText, text)
  const lines = text.split("\n")
  const unread: Array<string> = []
  const headers = lines.map((line) => HEADERS.find(([header]) => header.test(line))?.[1])
  const listAt = headers.findIndex((layout) => layout !== undefined)
  const layout = headers[listAt]
  const fields = new Map<string, string>()
  let firstMap: string | undefined
  for (const line of listAt === -1 ? lines : lines.slice(0, listAt)) {
    const group = SPAWN_GROUP.exec(line)
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).trim()
    if (group !== null) firstMap ??= group[2]
    else if (FIELD_NAME.test(name) && !isIdle(line)) {
      if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
    } else if (!isIdle(line)) unread.push(line)
  }
  const players = layout === undefined ? [] : readPlayers(layout, lines.slice(listAt + 1), unread)
  const where = fields.get("udp/ip") ?? fields.get("tcp/ip")
  const address = /^[^\s?]\S*(?=\s|$)/.exec(where ?? "")?.[0]
  return present<ServerStatus>({
    layout,
    hostname: fields.get("hostname"),
    version: fields.get("version"),
    map: fields.get("map")?.replace(/ {1,8}at: .*$/, "") ?? firstMap,
    address,
    localAddress: /\(local: ([^\s)]+)\)/.exec(where ?? "")?.[1],
    publicAddress: /[([] ?public(?: ip)?(?: from steam)?:?\s+([^\s)\]]+)/i.exec(where ?? "")?.[1],
    steamId: /\((\d{15,20})\)/.exec(fields.get("steamid") ?? "")?.[1],
    announced: parseAnnounced(fields.get("players") ?? ""),
    players,
    fields: Object.fromEntries(fields),
    unread
  })
}
