/** Cards: a heading with something small at its right, labelled lines, remarks on what was truncated or guessed. INFO as one, in both dialects. */
import type { Canvas } from "../output/output.ts"
import { type PaintedText, displayWidth, fit, inColours, padEnd, safe, uncoloured, wrap } from "../output/text.ts"
import type { GoldSourceInfoReply, InfoReply, Message } from "@sourcewire/protocol"
import { bar, byteSize, plural, some } from "./quantities.ts"

/** A labelled line: safe text without colours, which may wrap, or an already painted text, which may not. */
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

/** A remark that should not be missed. */
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

/** The fields, of the message or within it, that have their bytes beside them. */
const guessedIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
        key.endsWith("Hex") && typeof inner === "string" ? [key.slice(0, -"Hex".length)] : guessedIn(inner)
      )

/** What a server announced of a list, and how much of it came. */
const truncation = (message: Message): string => {
  const [announced, arrived] =
    message._tag === "PlayersReply"
      ? [plural(message.announced, "player"), message.players.length]
      : message._tag === "RulesReply"
        ? [plural(message.announced, "rule"), message.rules.length]
        : []
  return announced === undefined
    ? "Truncated: something that was announced did not arrive whole."
    : `Truncated: the server announced ${announced}, ${arrived} arrived whole.`
}

/** What a reader should know about how a message came: what was truncated, guessed, left over. Nothing for a regular one. */
export const remarksOn = (message: Message): ReadonlyArray<string> => {
  const guessed = [...new Set(guessedIn(message))]
  return some(
    "truncated" in message && message.truncated === true && truncation(message),
    guessed.length > 0 &&
      `Guessed: ${guessed.join(", ")} ${guessed.length === 1 ? "is" : "are"} not clean text in the expected encoding and may read wrongly; --encoding names another, --json shows the bytes.`,
    "trailing" in message &&
      typeof message.trailing === "string" &&
      `Left over: ${plural(message.trailing.length / 2, "byte")} after the message; --json shows them.`
  )
}

export const remarks = (message: Message, canvas: Canvas): ReadonlyArray<string> =>
  remarksOn(message).flatMap((text) => remark(text, canvas))

export type AnyInfo = InfoReply | GoldSourceInfoReply

const systems: Readonly<Record<string, string>> = { linux: "Linux", windows: "Windows", mac: "macOS" }
const kinds: Readonly<Record<string, string>> = { sourcetv: "SourceTV or HLTV relay" }

const named = (value: string | number, names: Readonly<Record<string, string>>, what: string): string =>
  typeof value === "number" ? `${what} code ${value}` : (names[value] ?? value)

const playersLine = (info: AnyInfo, { palette }: Canvas): CardLine => {
  const [full, empty] = bar(info.players, info.maxPlayers)
  const isFull = info.maxPlayers > 0 && info.players >= info.maxPlayers
  const paint = isFull ? palette.warning : palette.good
  const bots = info.bots === undefined || info.bots === 0 ? "" : palette.faint(` (${plural(info.bots, "bot")})`)
  const count = `${info.players}/${info.maxPlayers}`
  return {
    label: "Players",
    text: `${paint(full)}${palette.faint(empty)} ${palette.strong(count)}${bots}`,
    painted: true
  }
}

const accessLine = (info: AnyInfo, { palette }: Canvas): CardLine => ({
  label: "Access",
  text: `${info.passwordProtected ? palette.warning("password needed") : "open to all"}, ${info.vac ? palette.good("VAC on") : "VAC off"}`,
  painted: true
})

const serverLine = (info: AnyInfo): CardLine => {
  const parts = some(
    named(info.serverType, kinds, "type"),
    named(info.environment, systems, "system"),
    info._tag === "InfoReply" && info.version !== "" && `version ${safe(info.version)}`,
    `protocol ${info.protocol}`
  )
  return { label: "Server", text: parts.join(", ") }
}

const gameLine = (info: AnyInfo): CardLine => {
  const inside = some(safe(info.folder), info._tag === "InfoReply" && `app ${info.appId}`)
  return { label: "Game", text: `${uncoloured(info.game)} (${inside.join(", ")})` }
}

/** Keywords are tags with commas on most servers, and one packed text on others. */
const tags = (keywords: string): string =>
  keywords
    .split(",")
    .map((tag) => safe(tag.trim()))
    .filter((tag) => tag !== "")
    .join(" · ")

/** No line where there is nothing to say. */
const maybe = (label: string, text: string | undefined): ReadonlyArray<CardLine> =>
  text === undefined || text === "" ? [] : [{ label, text }]

const sourceLines = ({ keywords = "", port, sourceTv, steamId, theShip }: InfoReply): ReadonlyArray<CardLine> => {
  const mode = typeof theShip?.mode === "number" ? `mode ${theShip.mode}` : theShip?.mode
  return [
    ...maybe(
      "The Ship",
      theShip &&
        `${mode}, ${plural(theShip.witnesses, "witness", "witnesses")}, arrest after ${plural(theShip.duration, "second")}`
    ),
    ...maybe("Tags", tags(keywords)),
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
  { label: "Says it is", text: safe(address) },
  ...(mod === undefined ? [] : modLines(mod)),
  ...maybe("HLTV", hltv && `${hltv.spectators} of ${plural(hltv.slots, "spectator")}`)
]

/** Lines of the card. `aside` stands at the right of the server's name: its address and round trip. */
export const infoCard = (info: AnyInfo, aside: string, canvas: Canvas): ReadonlyArray<string> => [
  heading(uncoloured(info.name) === "" ? "(no name)" : inColours(info.name, canvas.palette), aside, canvas),
  ...body(
    [
      gameLine(info),
      { label: "Map", text: safe(info.map) || "(none)" },
      playersLine(info, canvas),
      serverLine(info),
      accessLine(info, canvas),
      ...(info._tag === "InfoReply" ? sourceLines(info) : goldSourceLines(info))
    ],
    canvas
  ),
  ...remarks(info, canvas)
]
