/**
 * Formats results as lines of a table (for people), of NDJSON or of CSV (both for programs). In all three formats, a result is one line of
 * text.
 */
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { csvCell } from "@sourcewire/core/text"
import type { Surface } from "../output/output.ts"
import { type PaintedText, inColours, fit, padEnd, padStart, safe } from "../output/text.ts"
import { jsonLine } from "../output/json.ts"
import { roundTrip, some } from "../view/quantities.ts"
import type { ResultLine } from "./resultLine.ts"
import type { Format, ScanSettings } from "./flags.ts"

/** `--json` is short for `--format json`. */
export const chooseFormat = ({ format, json }: ScanSettings): Format => (json ? "json" : format)

const CSV_INFO =
  "name map folder game appId players maxPlayers bots serverType environment passwordProtected vac version".split(" ")
const CSV_COLUMNS = ["address", "ok", "rttMs", ...CSV_INFO, "playerCount", "ruleCount", "error", "rttAmbiguous"]

const csvLine = ({ address, error, info = {}, ok, players, rttAmbiguous, rttMs, rules }: ResultLine): string => {
  const fields: Readonly<Record<string, unknown>> = info
  const counts = [players?.players.length, rules?.rules.length]
  const cells = [address, ok, rttMs, ...CSV_INFO.map((name) => fields[name]), ...counts, error?._tag, rttAmbiguous]
  return cells.map(csvCell).join(",")
}

const ADDRESS_COLUMNS = 21
const RTT_COLUMNS = 7
const PLAYERS_COLUMNS = 9
const MAP_COLUMNS = 18
const GAPS = 8

const formatDetail = ({ players, rules }: ResultLine): string =>
  some(players && `${players.players.length} players listed`, rules && `${rules.rules.length} rules`).join(", ")

/**
 * Formats the lines of a table that is as wide as the terminal. The widths of the columns are fixed, because each line is printed before
 * the program knows the later results.
 */
const tableFormatter = ({ columns, palette }: Surface) => {
  const nameColumns = Math.max(12, columns - ADDRESS_COLUMNS - RTT_COLUMNS - PLAYERS_COLUMNS - MAP_COLUMNS - GAPS)
  const row = (address: string, rtt: string, players: string, map: string, { paint, text }: PaintedText): string =>
    `${padEnd(address, ADDRESS_COLUMNS)}  ${padStart(rtt, RTT_COLUMNS)}  ${padStart(players, PLAYERS_COLUMNS)}  ${padEnd(fit(map, MAP_COLUMNS), MAP_COLUMNS)}  ${paint(fit(text, nameColumns))}`.trimEnd()
  return {
    head: palette.faint(row("address", "ms", "players", "map", inColours("name", palette))),
    line: (result: ResultLine): string => {
      const address = safe(result.address)
      const { error, info } = result
      if (!result.ok) return `${padEnd(address, ADDRESS_COLUMNS)}  ${palette.bad(`✗ ${error?._tag}`)}`
      const rtt = result.rttMs === undefined ? "" : roundTrip(result as MeasuredRoundTrip).replace(" ms", "")
      if (info === undefined) return row(address, rtt, "", "", inColours(formatDetail(result), palette))
      const { map = "", maxPlayers, name = "", players } = info
      return row(address, rtt, `${players}/${maxPlayers}`, safe(map), inColours(name, palette))
    }
  }
}

/** Returns the header line (`head`) and a function that formats a result (`line`). If the format has no header, `head` is `undefined`. */
export const makeFormatter = (format: Format, out: Surface) => {
  if (format === "json") return { head: undefined, line: jsonLine }
  return format === "csv" ? { head: CSV_COLUMNS.join(","), line: csvLine } : tableFormatter(out)
}
