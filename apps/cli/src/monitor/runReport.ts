/** Runs `sourcewire monitor report`: reports the availability of servers. */
import { Api } from "@sourcewire/monitor"
import { csvCell, displayText } from "@sourcewire/core/text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ProgramError, UsageError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { counted } from "../view/quantities.ts"
import { readBody, fetchFrom } from "./fetchFrom.ts"
import type { ReportSettings } from "./flags.ts"
import { parseMonth, type Period, parsePeriod } from "./period.ts"
import { tokenIn } from "./settings.ts"

/** Time limit for the request. The limit is high, because the monitor needs a long time to read a month of history for many servers. */
const TIMEOUT_MS = 300_000

type Report = typeof Api.Report.Type
type Group = Report["groups"][number]
type Figures = Omit<Group, "group" | "servers">

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Api.Report))

const MINUTE_MS = 60_000

/** Formats a duration, for example as `3 h 12 min`. */
export const formatLength = (ms: number): string => {
  if (ms === 0) return "0"
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`
  const minutes = Math.round(ms / MINUTE_MS)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  return [days > 0 ? `${days} d` : "", hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""]
    .filter((part) => part !== "")
    .join(" ")
}

/**
 * Formats a share as a percentage with two decimals. The percentage is rounded down. Therefore `100.00 %` means that there was no downtime
 * at all.
 */
const formatPercent = (share: number | undefined): string =>
  share === undefined ? "not monitored" : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`

const formatDate = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .slice(0, 16)
    .replace("T", " ")
    .replace(/ 00:00$/, "")

/** Formats a cell of a Markdown table. Markdown in the text is escaped, because the text can be a name that a server sent. */
const cell = (text: string): string => displayText(text).replace(/[\\`*_{}[\]()#+!|<>~-]/g, "\\$&")

const formatFigures = ({
  downMs,
  incidents,
  longestMs,
  mutedMs,
  share,
  unmonitoredMs
}: Figures): ReadonlyArray<string> => [
  formatPercent(share),
  formatLength(downMs),
  counted(incidents),
  formatLength(longestMs),
  formatLength(mutedMs),
  formatLength(unmonitoredMs)
]

const HEADS = ["availability", "down", "incidents", "longest", "muted", "not monitored"]

const formatTable = (
  first: string,
  rows: ReadonlyArray<readonly [name: string, figures: Figures]>
): ReadonlyArray<string> => [
  `| ${[first, ...HEADS].join(" | ")} |`,
  `|${[first, ...HEADS].map((_, index) => (index === 0 ? "---" : "--:")).join("|")}|`,
  ...rows.map(([name, figures]) => `| ${[name, ...formatFigures(figures)].join(" | ")} |`)
]

export const formatMarkdown = ({ from, groups, to }: Report): ReadonlyArray<string> => [
  `# Availability from ${formatDate(from)} to ${formatDate(to)} (UTC)`,
  "",
  ...formatTable(
    "group",
    groups.map((group) => [cell(group.group), group])
  ),
  ...groups.flatMap(({ group, servers }) => [
    "",
    `## ${cell(group)}`,
    "",
    ...formatTable(
      "server",
      servers.map((server) => [
        server.name === undefined ? cell(server.address) : `${cell(server.name)} (${cell(server.address)})`,
        server
      ])
    )
  ])
]

const CSV_COLUMNS = "share upMs downMs mutedMs unmonitoredMs incidents longestMs".split(" ")

/** Formats the report as CSV, with one line per server. */
const formatCsv = ({ from, groups, to }: Report): ReadonlyArray<string> => [
  ["from", "to", "group", "address", "name", ...CSV_COLUMNS].join(","),
  ...groups.flatMap(({ group, servers }) =>
    servers.map((server) => {
      const values: Readonly<Record<string, unknown>> = server
      const period = [from, to].map((at) => new Date(at).toISOString())
      const cells = [...period, group, server.address, server.name, ...CSV_COLUMNS.map((column) => values[column])]
      return cells.map(csvCell).join(",")
    })
  )
]

/** Formats the report as JSON, with one line per group. The line of a group also contains the servers of the group. */
const formatJson = ({ from, groups, to }: Report): ReadonlyArray<string> =>
  groups.map((group) => jsonLine({ from, to, ...group }))

const FORMATS = { markdown: formatMarkdown, csv: formatCsv, json: formatJson }

const requestedPeriod = Effect.fnUntraced(function* ({ from, month, to }: ReportSettings, nowMs: number) {
  if (month !== undefined && (from !== undefined || to !== undefined)) {
    return yield* new UsageError("--month cannot be combined with --from or --to. Give one of them.")
  }
  if (to !== undefined && from === undefined) return yield* new UsageError("--to requires --from.")
  const usual: Period = yield* parseMonth(month, nowMs)
  return from === undefined ? usual : yield* parsePeriod({ from, to }, { from: 0, to: nowMs })
})

export const runReport = Effect.fnUntraced(function* (settings: ReportSettings) {
  const { out } = yield* Output
  const { from, to } = yield* requestedPeriod(settings, yield* Clock.currentTimeMillis)
  const { format, group, tokenFile, url } = settings
  const query = new URLSearchParams({ from: String(from), to: String(to), ...(group === undefined ? {} : { group }) })
  const monitor = { url, token: yield* tokenIn(tokenFile) }
  const response = yield* fetchFrom(monitor, `/api/report?${query.toString()}`, TIMEOUT_MS)
  const report = yield* Effect.mapError(
    decode(yield* readBody(response, "the report")),
    () => new ProgramError("The response is not a report. Check that the URL is that of a monitor of this version.")
  )
  yield* out.line(...FORMATS[format](report))
})
