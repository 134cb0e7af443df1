/** One server in the list. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { DayStrip } from "./DayStrip.tsx"
import { days, type Period, uptimes } from "./perServer.ts"
import { Sparkline } from "./Sparkline.tsx"
import {
  formatDate,
  milliseconds,
  formatMoment,
  displayName,
  PERIODS,
  since,
  formatState,
  formatUptime
} from "../words.ts"

/** A bar that shows how many slots of a server are occupied. */
const Fill = ({ maxPlayers = 0, players = 0 }: TargetRow) => (
  <span class="fill" aria-hidden="true">
    <span style={{ width: `${maxPlayers === 0 ? 0 : Math.min(100, (100 * players) / maxPlayers)}%` }} />
  </span>
)

/**
 * The line below the server's name. If the server is down and not muted, the line contains the start of the incident, the error and the
 * address. Otherwise, the line contains the address and the game, and the values of columns that do not fit on a narrow page.
 */
const Below = ({ row, uptime }: { readonly row: TargetRow; readonly uptime: string }) => {
  const { address, error, findings, game, map, muted, state, stateAt } = row
  if (state === "down" && muted === undefined)
    return (
      <small class="wrong">
        {stateAt !== undefined && <>down since {formatMoment(stateAt)} · </>}
        {error?.message} · <bdi>{address}</bdi>
      </small>
    )
  return (
    <small class="quiet">
      {findings !== undefined && (
        <span class="no-column">
          {findings.kind} ({formatStrength(findings)}) ·{" "}
        </span>
      )}
      {uptime !== "" && <span class="no-column">{uptime} up · </span>}
      {state === "up" && (
        <span class="narrow">
          <bdi>{map}</bdi> ·{" "}
        </span>
      )}
      <bdi>{address}</bdi>
      {game !== undefined && game !== "" && (
        <>
          {" "}
          · <bdi>{game}</bdi>
        </>
      )}
    </small>
  )
}

/**
 * The number of players. If the server is not up, the number is from the server's last reply, and is shown in grey with the time of this
 * reply.
 */
const Players = ({ row }: { readonly row: TargetRow }) => {
  const { answeredAt, maxPlayers, players, state } = row
  if (players === undefined) return null
  const isUp = state === "up"
  return (
    <>
      <b class={isUp ? "" : "quiet"}>{players}</b>
      <span class="quiet">/{maxPlayers ?? "?"}</span>
      {isUp && <Fill {...row} />}
      {!isUp && answeredAt !== undefined && (
        <small class="quiet as-of" title={formatDate(answeredAt)}>
          as of {formatMoment(answeredAt)}
        </small>
      )}
    </>
  )
}

/** The strength of the strongest finding about a server, and the number of other findings about the server, such as `strong, 2 more`. */
const formatStrength = ({ count, strength }: NonNullable<TargetRow["findings"]>): string =>
  count === 1 ? strength : `${strength}, ${count - 1} more`

interface RowProps {
  readonly row: TargetRow | undefined
  /** The period of the uptime column. */
  readonly period: Period
}

/** The cells of a row. Until the row is loaded, a grey bar is shown instead. */
export const Row = ({ period, row }: RowProps) => {
  if (row === undefined) return <span class="unread" />
  const isUp = row.state === "up"
  const day = days.of(row.id)
  const state = row.muted === undefined ? row.state : "muted"
  const uptime = uptimes.of(row.id)
  const share = uptime?.[period].share
  return (
    <>
      <span class="cell-name">
        <b>
          <bdi>{displayName(row)}</bdi>
        </b>
        <Below row={row} uptime={share === undefined ? "" : formatUptime(uptime?.[period])} />
      </span>
      <span class="cell-group quiet">
        <bdi>{row.group}</bdi>
      </span>
      <span class={`cell-map ${isUp ? "" : "quiet"}`}>
        <bdi>{row.map}</bdi>
      </span>
      <span class="cell-findings">
        {row.findings !== undefined && (
          <>
            {row.findings.kind}
            <small class={row.findings.strength === "strong" ? "wrong" : "quiet"}>{formatStrength(row.findings)}</small>
          </>
        )}
      </span>
      <span class="cell-day">
        {day !== undefined && (
          <>
            <Sparkline day={day.players} maxPlayers={row.maxPlayers ?? 0} />
            <DayStrip times={day.times} />
          </>
        )}
      </span>
      <span
        class="cell-uptime"
        title={
          uptime &&
          Object.entries(PERIODS)
            .map(([key, title]) => `${title}: ${formatUptime(uptime[key as Period])}`)
            .join("\n")
        }
      >
        {formatUptime(uptime?.[period])}
      </span>
      <span class="cell-players">
        <Players row={row} />
      </span>
      <span class="cell-rttMs">{isUp ? milliseconds(row.rttMs) : ""}</span>
      <span
        class={`cell-problems state-${state}`}
        title={row.stateAt === undefined ? undefined : `${row.state} since ${formatDate(row.stateAt)}`}
      >
        {formatState(row)} {row.stateAt !== undefined && <small>{since(row.stateAt)}</small>}
      </span>
    </>
  )
}
