/** The names of the columns, by which the list is put in order. */
import type { SORTS } from "@sourcewire/monitor/api"
import { setParameters } from "../address.ts"

type Sort = (typeof SORTS)[number]

/** A day cannot be put in order. */
const COLUMNS: ReadonlyArray<readonly [column: Sort | "day", title: string]> = [
  ["name", "Server"],
  ["group", "Group"],
  ["map", "Map"],
  ["day", "Last day"],
  ["players", "Players"],
  ["rttMs", "Round trip"],
  ["state", "State"]
]

/** The names; `sort` and `order` are those that are in force. */
export const Columns = ({ order, sort }: { readonly sort: string; readonly order: string }) => {
  const sortBy = (column: Sort): void => {
    const first = column === "players" ? "desc" : "asc"
    const other = first === "asc" ? "desc" : "asc"
    setParameters({ sort: column, order: sort === column && order === first ? other : first })
  }
  return (
    <div class="columns">
      {COLUMNS.map(([column, title]) =>
        column === "day" ? (
          <span key={column} class="cell-day">
            {title}
          </span>
        ) : (
          <button
            key={column}
            type="button"
            class={`cell-${column}`}
            aria-pressed={sort === column}
            onClick={() => sortBy(column)}
          >
            {title}
            {sort === column ? (order === "desc" ? " ↓" : " ↑") : ""}
          </button>
        )
      )}
    </div>
  )
}
