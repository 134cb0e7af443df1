/**
 * Formats cards. A card has a heading, labelled lines, and remarks about truncated or guessed values. A card can show an INFO reply of
 * Source or of GoldSource.
 */
import type { Canvas } from "../output/output.ts"
import { type PaintedText, displayWidth, fit, inColours, padEnd, safe, uncoloured, wrap } from "../output/text.ts"
import type { GoldSourceInfoReply, InfoReply, Message } from "@sourcewire/protocol"
import { bar, byteSize, counted, plural, some } from "./quantities.ts"

/** A labelled line. A long text is wrapped. If `painted` is `true`, the text already contains colours and is not wrapped. */
export interface CardLine {
  readonly label: string
  readonly text: string
  readonly painted?: boolean
}

const INDENT = "  "
const GAP = 2

export const heading = (title: string | PaintedText, aside: string, { columns, palette }: Canvas): string => {
  const { paint, text } = typeof title === "string" ? { text: title, paint: (shown: string) => shown } : title
  const room = columns - displayWidth(aside) - GAP
  const left = fit(text, Math.max(12, room))
  const gap = " ".repeat(Math.max(GAP, columns - displayWidth(left) - displayWidth(aside)))
  const strong = palette.strong(paint(left))
  return aside === "" ? strong : `${strong}${gap}${palette.faint(aside)}`
}

/** A remark after an exclamation mark. The exclamation mark has the colour of warnings. */
export const remark = (text: string, { columns, palette }: Canvas): ReadonlyArray<string> =>
  wrap(text, columns - INDENT.length - 2).map((line, i) => `${INDENT}${palette.warning(i === 0 ? "!" : " ")} ${line}`)

export const body = (lines: ReadonlyArray<CardLine>, { columns, palette }: Canvas): ReadonlyArray<string> => {
  const labelWidth = Math.max(0, ...lines.map((line) => displayWidth(line.label))) + GAP
  return lines.flatMap((line) => {
    const label = INDENT + palette.faint(padEnd(line.label, labelWidth))
    if (line.painted === true) return [label + line.text]
    const [first = "", ...rest] = wrap(line.text, Math.max(20, columns - INDENT.length - labelWidth))
    return [label + first, ...rest.map((text) => INDENT + " ".repeat(labelWidth) + text)]
  })
}

/**
 * Returns the names of the fields whose text is a guess, including nested fields. If the text of a field is a guess, the message also
 * contains the bytes of the text in a second field, such as `nameHex` for the field `name`.
 */
const guessedIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
        key.endsWith("Hex") && typeof inner === "string" ? [key.slice(0, -"Hex".length)] : guessedIn(inner)
      )

/** Describes the truncation of a message. For a list, the text contains how many entries the server announced, and how many arrived. */
const truncation = (message: Message): string => {
  const [announced, arrived] =
    message._tag === "PlayersReply"
      ? [plural(message.announced, "player"), message.players.length]
      : message._tag === "RulesReply"
        ? [plural(message.announced, "rule"), message.rules.length]
        : []
  return announced === undefined
    ? "Truncated: the reply ended early."
    : `Truncated: the server announced ${announced}, but only ${arrived} arrived complete.`
}

/**
 * Remarks about a message: whether it is truncated, whether a text is a guess, and whether bytes remain after the message. The list is
 * empty if there are no remarks.
 */
export const remarksOn = (message: Message): ReadonlyArray<string> => {
  const guessed = [...new Set(guessedIn(message))]
  return some(
    "truncated" in message && message.truncated === true && truncation(message),
    guessed.length > 0 &&
      `Guessed: ${guessed.join(", ")} ${guessed.length === 1 ? "is" : "are"} not valid in the expected encoding and may be wrong. --encoding selects another encoding, --json shows the bytes.`,
    "trailing" in message &&
      typeof message.trailing === "string" &&
      `Left over: ${plural(message.trailing.length / 2, "byte")} after the message; --json shows them.`
  )
}

export const remarks = (message: Message, canvas: Canvas): ReadonlyArray<string> =>
  remarksOn(message).flatMap((text) => remark(text, canvas))

export type AnyInfo = InfoReply | GoldSourceInfoReply

const systems: Readonly<Record<string, string>> = { linux: "Linux", windows: "Windows", mac: "macOS" }
const kinds: Readonly<Record<string, string>> = {
  sourcetv: "SourceTV or HLTV relay",
  emulatedListen: "listen server of a Steam emulator"
}

const named = (value: string | number, names: Readonly<Record<string, string>>, what: string): string =>
  typeof value === "number" ? `${what} code ${value}` : (names[value] ?? value)

/** The main values of a card: the values of the server summary, or the values of INFO if there is no summary. */
export interface Headline {
  readonly game: string
  readonly name: string
  readonly map: string
  readonly mode: string | null
  readonly players: number
  readonly maxPlayers: number
  readonly bots: number
  readonly queue: number | null
  readonly version: string | null
  readonly password: boolean
  readonly tags: ReadonlyArray<string>
}

/** The main values of a card, copied from INFO without corrections for specific games. */
const plainHeadline = (info: AnyInfo): Headline => ({
  game: info.game,
  name: info.name,
  map: info.map,
  mode: null,
  players: info.players,
  maxPlayers: info.maxPlayers,
  bots: info.bots ?? 0,
  queue: null,
  version: info._tag === "InfoReply" && info.version !== "" ? info.version : null,
  password: info.passwordProtected,
  // On most servers, the keywords are tags separated by commas. On other servers, all keywords together are one packed text, which is shown
  // as one tag.
  tags: info._tag === "InfoReply" ? (info.keywords ?? "").split(",").map((tag) => tag.trim()) : []
})

/**
 * If the line with the number of players also contains other counts, such as bots, it contains a bar only on terminals with at least this
 * number of columns. A line with a bar is not wrapped, so it would be too long for a narrower terminal.
 */
const MIN_BAR_COLUMNS = 60

const playersLine = ({ bots, maxPlayers, players, queue }: Headline, { columns, palette }: Canvas): CardLine => {
  const [full, empty] = bar(players, maxPlayers)
  const isFull = maxPlayers > 0 && players >= maxPlayers
  const paint = isFull ? palette.warning : palette.good
  const more = some(bots > 0 && plural(bots, "bot"), queue !== null && queue > 0 && `${counted(queue)} waiting to join`)
  const count = `${players}/${maxPlayers}`
  if (columns < MIN_BAR_COLUMNS && more.length > 0) return { label: "Players", text: `${count} (${more.join(", ")})` }
  const aside = more.length === 0 ? "" : palette.faint(` (${more.join(", ")})`)
  return {
    label: "Players",
    text: `${paint(full)}${palette.faint(empty)} ${palette.strong(count)}${aside}`,
    painted: true
  }
}

const accessLine = ({ password }: Headline, { vac }: AnyInfo, { palette }: Canvas): CardLine => ({
  label: "Access",
  text: `${password ? palette.warning("password required") : "open to all"}, ${vac ? palette.good("VAC on") : "VAC off"}`,
  painted: true
})

const serverLine = ({ version }: Headline, info: AnyInfo): CardLine => {
  const parts = some(
    named(info.serverType, kinds, "type"),
    named(info.environment, systems, "system"),
    version !== null && `version ${safe(version)}`,
    `protocol ${info.protocol}`
  )
  return { label: "Server", text: parts.join(", ") }
}

const gameLines = ({ game }: Headline, info: AnyInfo): ReadonlyArray<CardLine> => {
  const inside = some(safe(info.folder), info._tag === "InfoReply" && `app ${info.appId}`)
  const [shown, own] = [uncoloured(game), uncoloured(info.game)]
  return [{ label: "Game", text: `${shown} (${inside.join(", ")})` }, ...(own === shown ? [] : maybe("Game text", own))]
}

/** A list with one labelled line. The list is empty if there is no text. */
const maybe = (label: string, text: string | undefined): ReadonlyArray<CardLine> =>
  text === undefined || text === "" ? [] : [{ label, text }]

const sourceLines = ({ tags }: Headline, { port, sourceTv, steamId, theShip }: InfoReply): ReadonlyArray<CardLine> => {
  const mode = typeof theShip?.mode === "number" ? `mode ${theShip.mode}` : theShip?.mode
  return [
    ...maybe(
      "The Ship",
      theShip &&
        `${mode}, ${plural(theShip.witnesses, "witness", "witnesses")}, arrest after ${plural(theShip.duration, "second")}`
    ),
    ...maybe("Tags", tags.flatMap((tag) => (tag === "" ? [] : [safe(tag)])).join(" · ")),
    ...maybe("Game port", port?.toString()),
    ...maybe("SourceTV", sourceTv && `port ${sourceTv.port}, ${uncoloured(sourceTv.name) || "unnamed"}`),
    ...maybe("SteamID", steamId)
  ]
}

const modLines = (mod: NonNullable<GoldSourceInfoReply["mod"]>): ReadonlyArray<CardLine> => {
  const type = mod.type === "multiplayerOnly" ? "multiplayer only" : "single and multiplayer"
  const dll = mod.dll === "own" ? "own library" : "Half-Life's library"
  return [
    { label: "Mod", text: `version ${mod.version}, ${byteSize(mod.size)}, ${type}, ${dll}` },
    ...maybe("Mod page", safe(mod.link)),
    ...maybe("Download", safe(mod.downloadLink))
  ]
}

const goldSourceLines = ({ address, hltv, mod }: GoldSourceInfoReply): ReadonlyArray<CardLine> => [
  { label: "Own address", text: safe(address) },
  ...(mod === undefined ? [] : modLines(mod)),
  ...maybe("HLTV", hltv && `${hltv.spectators} of ${plural(hltv.slots, "spectator")}`)
]

/**
 * The lines of a card for INFO. `aside` is the text on the right of the server's name, for example the address and the round-trip time.
 * `headline` contains the main values of the card, from the summary of the server. If `headline` is absent, the card shows the values of
 * INFO.
 */
export const infoCard = (
  info: AnyInfo,
  aside: string,
  canvas: Canvas,
  headline: Headline = plainHeadline(info)
): ReadonlyArray<string> => [
  heading(uncoloured(headline.name) === "" ? "(no name)" : inColours(headline.name, canvas.palette), aside, canvas),
  ...body(
    [
      ...gameLines(headline, info),
      { label: "Map", text: safe(headline.map) || "(none)" },
      ...maybe("Mode", headline.mode === null ? "" : safe(headline.mode)),
      playersLine(headline, canvas),
      serverLine(headline, info),
      accessLine(headline, info, canvas),
      ...(info._tag === "InfoReply" ? sourceLines(headline, info) : goldSourceLines(info))
    ],
    canvas
  ),
  ...remarks(info, canvas)
]
