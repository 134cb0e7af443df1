/** What a server says about itself, as a card; both dialects of INFO. */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import { inColours, uncoloured } from "../output/colours.ts"
import { safe } from "../output/text.ts"
import { type Canvas, type CardLine, body, heading, remarks } from "./card.ts"
import { bar, byteSize, plural } from "./quantities.ts"

/** Either dialect. */
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
  const version = info._tag === "InfoReply" && info.version !== "" ? [`version ${safe(info.version)}`] : []
  const parts = [
    named(info.serverType, kinds, "type"),
    named(info.environment, systems, "system"),
    ...version,
    `protocol ${info.protocol}`
  ]
  return { label: "Server", text: parts.join(", ") }
}

const gameLine = (info: AnyInfo): CardLine => {
  const app = info._tag === "InfoReply" ? [`app ${info.appId}`] : []
  return { label: "Game", text: `${uncoloured(info.game)} (${[safe(info.folder), ...app].join(", ")})` }
}

/** Keywords are tags with commas on most servers, and one packed text on others. */
const tags = (keywords: string): string =>
  keywords
    .split(",")
    .map((tag) => safe(tag.trim()))
    .filter((tag) => tag !== "")
    .join(" · ")

const sourceLines = (info: InfoReply): ReadonlyArray<CardLine> => {
  const lines: Array<CardLine> = []
  const { theShip } = info
  if (theShip !== undefined) {
    const mode = typeof theShip.mode === "number" ? `mode ${theShip.mode}` : theShip.mode
    lines.push({
      label: "The Ship",
      text: `${mode}, ${plural(theShip.witnesses, "witness", "witnesses")}, arrest after ${plural(theShip.duration, "second")}`
    })
  }
  if (info.keywords !== undefined && info.keywords !== "") lines.push({ label: "Tags", text: tags(info.keywords) })
  if (info.port !== undefined) lines.push({ label: "Game port", text: String(info.port) })
  if (info.sourceTv !== undefined) {
    lines.push({
      label: "SourceTV",
      text: `port ${info.sourceTv.port}, ${uncoloured(info.sourceTv.name) || "unnamed"}`
    })
  }
  if (info.steamId !== undefined) lines.push({ label: "SteamID", text: info.steamId })
  return lines
}

const goldSourceLines = (info: GoldSourceInfoReply): ReadonlyArray<CardLine> => {
  const lines: Array<CardLine> = [{ label: "Says it is", text: safe(info.address) }]
  const { hltv, mod } = info
  if (mod !== undefined) {
    const type = mod.type === "multiplayerOnly" ? "multiplayer only" : "single and multiplayer"
    const dll = mod.dll === "own" ? "own library" : "Half-Life's library"
    lines.push({ label: "Mod", text: `version ${mod.version}, ${byteSize(mod.size)}, ${type}, ${dll}` })
    if (mod.link !== "") lines.push({ label: "Mod page", text: safe(mod.link) })
    if (mod.downloadLink !== "") lines.push({ label: "Download", text: safe(mod.downloadLink) })
  }
  if (hltv !== undefined)
    lines.push({ label: "HLTV", text: `${hltv.spectators} of ${plural(hltv.slots, "spectator")}` })
  return lines
}

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
