/** One server in the list. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { dayOf } from "./days.ts"
import { Sparkline } from "./Sparkline.tsx"
import { dateOf, milliseconds, nameOf, since, stateOf } from "../words.ts"

/** How full a server is, as a bar. */
const Fill = ({ maxPlayers = 0, players = 0 }: TargetRow) => (
  <span class="fill" aria-hidden="true">
    <span style={{ width: `${maxPlayers === 0 ? 0 : Math.min(100, (100 * players) / maxPlayers)}%` }} />
  </span>
)

/** The cells of a row; bars where the monitor has not told yet what is there. */
export const Row = ({ row }: { readonly row: TargetRow | undefined }) => {
  if (row === undefined) return <span class="unread" />
  const isUp = row.state === "up"
  const day = dayOf(row.id)
  return (
    <>
      <span class="cell-name">
        <b>{nameOf(row)}</b>
        <small class="quiet">
          {isUp && <span class="narrow">{row.map} · </span>}
          {row.address}
          {row.game === undefined || row.game === "" ? "" : ` · ${row.game}`}
        </small>
      </span>
      <span class="cell-group quiet">{row.group}</span>
      <span class="cell-map">{isUp ? row.map : ""}</span>
      <span class="cell-day">{day !== undefined && <Sparkline day={day} maxPlayers={row.maxPlayers ?? 0} />}</span>
      <span class="cell-players">
        {isUp && row.players !== undefined && (
          <>
            <b>{row.players}</b>
            <span class="quiet">/{row.maxPlayers ?? "?"}</span>
            <Fill {...row} />
          </>
        )}
      </span>
      <span class="cell-rttMs">{isUp ? milliseconds(row.rttMs) : ""}</span>
      <span class={`cell-state state-${row.state}`} title={row.stateAt === undefined ? undefined : dateOf(row.stateAt)}>
        {stateOf(row)} {row.stateAt !== undefined && <small>{since(row.stateAt)}</small>}
      </span>
    </>
  )
}
