/** How results are printed: a table for people, NDJSON and CSV for programs. Each format turns one result line into one line of text. */
import type { MeasuredRoundTrip } from "@sourcewire/core/machines"
import { displayText } from "@sourcewire/core/text"
import type { Surface } from "../output/output.ts"
import { type PaintedText, inColours, fit, padEnd, padStart, safe } from "../output/text.ts"
import { jsonLine } from "../output/json.ts"
import { roundTrip, some } from "../view/quantities.ts"
import type { ResultLine } from "./resultLine.ts"
import type { ScanSettings } from "./command.ts"

export type Format = "table" | "json" | "csv"

/** `--json` is short for `--format json`. */
export const formatOf = ({ format, json }: ScanSettings): Format => (json ? "json" : format)

export interface Formatter {
  readonly head: string | undefined
  readonly line: (result: ResultLine) => string
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})

/** How many a list of PLAYER or RULES has, where there is one. */
const countIn = (result: ResultLine, part: "players" | "rules"): number | undefined => {
  const list = fieldsOf(result[part])[part]
  return Array.isArray(list) ? list.length : undefined
}

const CSV_INFO =
  "name map folder game appId players maxPlayers bots serverType environment passwordProtected vac version".split(" ")
const CSV_COLUMNS = ["address", "ok", "rttMs", ...CSV_INFO, "playerCount", "ruleCount", "error", "rttAmbiguous"]

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe, as people who open such files expect. */
const csvCell = (value: unknown): string => {
  if (value === undefined) return ""
  const text = displayText(String(value))
  const cell = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const csvLine = (result: ResultLine): string => {
  const info = fieldsOf(result["info"])
  const cells: ReadonlyArray<unknown> = [
    result.address,
    result.ok,
    result["rttMs"],
    ...CSV_INFO.map((name) => info[name]),
    countIn(result, "players"),
    countIn(result, "rules"),
    fieldsOf(result["error"])["_tag"],
    result["rttAmbiguous"]
  ]
  return cells.map(csvCell).join(",")
}

const ADDRESS_COLUMNS = 21
const RTT_COLUMNS = 7
const PLAYERS_COLUMNS = 9
const MAP_COLUMNS = 18
const GAPS = 8

const detailOf = (result: ResultLine): string => {
  const [players, rules] = [countIn(result, "players"), countIn(result, "rules")]
  return some(players !== undefined && `${players} players listed`, rules !== undefined && `${rules} rules`).join(", ")
}

/** Lines as wide as the terminal; widths are fixed, since results are printed as they come. */
const tableOf = ({ columns, palette }: Surface): Formatter => {
  const nameColumns = Math.max(12, columns - ADDRESS_COLUMNS - RTT_COLUMNS - PLAYERS_COLUMNS - MAP_COLUMNS - GAPS)
  const row = (address: string, rtt: string, players: string, map: string, { paint, text }: PaintedText): string =>
    `${padEnd(address, ADDRESS_COLUMNS)}  ${padStart(rtt, RTT_COLUMNS)}  ${padStart(players, PLAYERS_COLUMNS)}  ${padEnd(fit(map, MAP_COLUMNS), MAP_COLUMNS)}  ${paint(fit(text, nameColumns))}`.trimEnd()
  return {
    head: palette.faint(row("address", "ms", "players", "map", inColours("name", palette))),
    line: (result) => {
      const address = safe(result.address)
      if (!result.ok) {
        const { _tag } = fieldsOf(result["error"])
        return `${padEnd(address, ADDRESS_COLUMNS)}  ${palette.bad(`✗ ${String(_tag)}`)}`
      }
      const info = fieldsOf(result["info"])
      const rtt = roundTrip(result as unknown as MeasuredRoundTrip).replace(" ms", "")
      if (result["info"] === undefined) return row(address, rtt, "", "", inColours(detailOf(result), palette))
      const players = `${String(info["players"])}/${String(info["maxPlayers"])}`
      return row(address, rtt, players, safe(String(info["map"])), inColours(String(info["name"]), palette))
    }
  }
}

export const formatterOf = (format: Format, out: Surface): Formatter => {
  if (format === "json") return { head: undefined, line: jsonLine }
  return format === "csv" ? { head: CSV_COLUMNS.join(","), line: csvLine } : tableOf(out)
}
