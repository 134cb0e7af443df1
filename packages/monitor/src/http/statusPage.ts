/**
 * Builds the status page of a group as HTML. `/status/GROUP` is the complete page, and `/embed/GROUP` is the page for frames on other
 * sites. Neither page contains a script. The content security policy allows only the inline style.
 */
import { displayText } from "@sourcewire/core/text"
import { createHash } from "node:crypto"
import { computeAvailability } from "../history/StateTime.ts"
import { PERIODS, type Uptimes } from "../history/uptime.ts"
import type { IncidentRow, TargetRow } from "./Api.ts"
import { formatPercent } from "./badge.ts"
import { escaped } from "./html.ts"

/** A server on the page: its uptime, and for how many milliseconds it was up, down and muted in each of the last 24 hours. */
export interface StatusRow {
  readonly row: TargetRow
  readonly uptimes: Uptimes | undefined
  readonly times: ReadonlyArray<readonly [upMs: number, downMs: number, mutedMs: number]>
}

/** The contents of a page. */
export interface GroupStatus {
  readonly group: string
  readonly atMs: number
  /** The number of servers of the group in each state. */
  readonly counts: Readonly<Record<"up" | "down" | "unknown" | "muted", number>>
  /** The servers on the page, problems first. */
  readonly rows: ReadonlyArray<StatusRow>
  /** The latest incidents. */
  readonly incidents: ReadonlyArray<IncidentRow>
}

const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f6f7f5,#14181a);--panel:light-dark(#fff,#1b2124);--line:light-dark(#d4dad5,#323b40);--ink:light-dark(#16211f,#e3e9e6);--quiet:light-dark(#52605c,#9aa9a4);--up:light-dark(#1b7a3d,#6fd08c);--wrong:light-dark(#a3201b,#ff9d92);--muted:light-dark(#6a4fa3,#c0a8f0);--partly:light-dark(#b26a00,#e6b54d)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0 auto;padding:16px;max-width:1000px;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
.embed{padding:8px;background:none}h1{margin:0 0 4px;font-size:1.4rem}h2{margin:24px 0 6px;font-size:1.05rem}p{margin:0 0 12px}
.quiet,small{color:var(--quiet);font-size:.85rem}.sum{font-weight:600}
table{width:100%;border-collapse:collapse;background:var(--panel);border:1px solid var(--line);font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:left;font-weight:400;vertical-align:top;overflow:clip;overflow-wrap:anywhere}
td small{white-space:nowrap}thead th{color:var(--quiet);font-size:.85rem;white-space:nowrap}tbody th{font-weight:600}th small{display:block;font-weight:400}
.number{text-align:right;white-space:nowrap}.state{font-weight:600;white-space:nowrap}.up{color:var(--up)}.down{color:var(--wrong)}.muted{color:var(--muted)}
.state::before{content:"";display:inline-block;width:9px;height:9px;margin-right:6px;border-radius:50%;background:currentColor}
.state.down::before{border-radius:0;clip-path:polygon(0 0,100% 0,50% 100%)}.state.unknown::before,.state.muted::before{background:none;box-shadow:inset 0 0 0 2px currentColor}
svg{display:block;width:120px;height:12px}.g{fill:var(--up)}.p{fill:var(--partly)}.d{fill:var(--wrong)}.m{fill:var(--muted)}
@media(max-width:640px){thead{display:none}table,tbody{display:block}tr{display:flex;flex-wrap:wrap;gap:2px 14px;padding:8px 10px;border-bottom:1px solid var(--line)}th,td{border:0;padding:0}tbody th{flex-basis:100%}.number{text-align:left}.number::before{content:attr(data-title)": ";color:var(--quiet)}}
@media print{:root,:root[data-theme]{color-scheme:light}}
`

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64")

/** Formats the content security policy of a page. `ancestors` selects whether other sites may show the page in a frame. */
export const formatPolicy = (ancestors: "'none'" | "*"): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`

/** Escapes untrusted text, and isolates the text so that its writing direction does not affect the page. */
const foreign = (text: string): string => `<bdi>${escaped(displayText(text))}</bdi>`

const formatDate = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`

const formatDuration = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : minutes > 0 ? `${minutes} min` : "less than a minute"
}

const plural = (count: number): string => `${count} server${count === 1 ? "" : "s"}`

const summarize = ({ counts: { down, muted, unknown, up } }: GroupStatus): string => {
  if (up + down + unknown + muted === 0) return "This group has no servers."
  const rest = [
    ...(muted > 0 ? [`${plural(muted)} under maintenance`] : []),
    ...(unknown > 0 ? [`${plural(unknown)} not known yet`] : [])
  ].map((part) => `, ${part}`)
  if (down > 0) return `${plural(down)} down, ${plural(up)} up${rest.join("")}.`
  return rest.length === 0 ? `All servers are up (${up}).` : `${plural(up)} up${rest.join("")}.`
}

/**
 * The bars for four kinds of hours: the server was up (`g`), partly down (`p`), down (`d`) or muted (`m`). For each kind: the position of
 * the bar's upper edge, and the height of the bar. Each kind also has its own colour.
 */
const BARS = { g: [8, 4], p: [3, 9], d: [0, 12], m: [5, 2] } as const

const renderStrip = (times: StatusRow["times"]): string => {
  const bars = times.map(([up, down, muted], hour) => {
    const grade = up + down === 0 ? (muted > 0 ? "m" : undefined) : down === 0 ? "g" : up === 0 ? "d" : "p"
    if (grade === undefined) return ""
    const [top, height] = BARS[grade]
    return `<rect class="${grade}" x="${hour * 5}" y="${top}" width="4.4" height="${height}"/>`
  })
  const down = times.filter(([, ms]) => ms > 0).length
  const title = down === 0 ? "Not down in the last 24 hours" : `Down in ${down} of the last 24 hours`
  return `<svg viewBox="0 0 120 12" role="img" aria-label="${title}"><title>${title}</title>${bars.join("")}</svg>`
}

const TITLES = { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" } as const

const formatUptime = (uptimes: Uptimes | undefined, period: keyof Uptimes): string => {
  const share = uptimes === undefined ? undefined : computeAvailability(uptimes[period])
  return share === undefined ? "–" : formatPercent(share)
}

const renderRow = ({ row, times, uptimes }: StatusRow, atMs: number): string => {
  const { address, map, maxPlayers, muted, name = "", players, state, stateAt } = row
  const shown = muted === undefined ? state : "muted"
  const since = stateAt === undefined ? "" : ` <small>${formatDuration(atMs - stateAt)}</small>`
  const count = state === "up" && players !== undefined ? `${players}/${maxPlayers ?? "?"}` : "–"
  return `<tr><th scope="row">${foreign(name === "" ? address : name)}<small>${foreign(address)}${
    state === "up" && map ? ` · ${foreign(map)}` : ""
  }</small></th><td><span class="state ${shown}">${shown === "muted" ? "maintenance" : shown}</span>${since}</td><td>${renderStrip(
    times
  )}</td><td class="number" data-title="Players">${count}</td>${PERIODS.map(
    (period) => `<td class="number" data-title="${TITLES[period]}">${formatUptime(uptimes, period)}</td>`
  ).join("")}</tr>`
}

const renderIncidents = (incidents: ReadonlyArray<IncidentRow>): string => {
  if (incidents.length === 0) return "<p>No server was down in the last 7 days.</p>"
  const rows = incidents.map(({ address, durationMs, from, isOngoing, name = "" }) => {
    const length = durationMs === undefined ? "unknown" : formatDuration(durationMs)
    const shown = foreign(name === "" ? address : name)
    return `<tr><th scope="row">${shown}</th><td>${formatDate(from)}</td><td>${isOngoing ? `down for ${length}` : length}</td></tr>`
  })
  return `<table><thead><tr><th scope="col">Server</th><th scope="col">From</th><th scope="col">Duration</th></tr></thead><tbody>${rows.join(
    ""
  )}</tbody></table>`
}

export interface StatusOptions {
  /** Whether the page is for frames on other sites. Such a page shows only the servers. */
  readonly isEmbedded: boolean
  /** `light` or `dark`. With any other value, the setting of the reader's system applies. */
  readonly theme: string | null
  /** Seconds after which the page reloads itself. By default, the page does not reload, because reloads disturb users of screen readers. */
  readonly refresh: string | null
}

export const statusPage = (status: GroupStatus, { isEmbedded, refresh, theme }: StatusOptions): string => {
  const { atMs, counts, group, incidents, rows } = status
  const all = counts.up + counts.down + counts.unknown + counts.muted
  const more = all > rows.length ? `<p class="quiet">${plural(all - rows.length)} more are not shown.</p>` : ""
  const chosen = theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : ""
  const again = /^\d{2,5}$/.test(refresh ?? "") ? `<meta http-equiv="refresh" content="${refresh}">` : ""
  const columns = PERIODS.map((period) => `<th scope="col" class="number">${TITLES[period]}</th>`).join("")
  const table =
    rows.length === 0
      ? ""
      : `<table aria-label="Servers"><thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col">Last 24 hours</th><th scope="col" class="number">Players</th>${columns}</tr></thead><tbody>${rows
          .map((row) => renderRow(row, atMs))
          .join("")}</tbody></table>`
  return `<!doctype html>
<html lang="en"${chosen}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${again}<meta name="robots" content="noindex"><title>${escaped(
    displayText(group)
  )}: ${escaped(summarize(status))}</title><style>${STYLE}</style></head><body${isEmbedded ? ' class="embed"' : ""}><main><h1>${foreign(group)}</h1><p class="sum">${escaped(
    summarize(status)
  )}</p>${table}${more}${isEmbedded ? "" : `<h2>Incidents of the last 7 days</h2>${renderIncidents(incidents)}`}<p class="quiet">Updated ${formatDate(
    atMs
  )}. Uptime is the share of monitored time.</p></main></body></html>
`
}
