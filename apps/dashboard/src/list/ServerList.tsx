/** All servers: searched, filtered and in order. */
import type { SORTS, TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { place, serverLink, setParameters } from "../address.ts"
import { useRepeatedly } from "../ask.ts"
import { count, milliseconds } from "../words.ts"
import { NO_ROWS, pagesBetween, refreshed, rowAt, type Rows } from "./rows.ts"
import { VirtualList } from "./VirtualList.tsx"

const ROW_HEIGHT = 46

type Sort = (typeof SORTS)[number]

const COLUMNS: ReadonlyArray<readonly [sort: Sort, title: string]> = [
  ["name", "Server"],
  ["map", "Map"],
  ["players", "Players"],
  ["rttMs", "Round trip"],
  ["state", "State"]
]

/** What is best seen first goes from the most to the least. */
const FALLING: ReadonlySet<string> = new Set(["players", "state"])

const STATES: ReadonlyArray<TargetRow["state"]> = ["up", "down", "unknown"]

/** Milliseconds of rest before what is typed is searched. */
const REST_MS = 200

/** The list, and what is searched. */
export const ServerList = () => {
  const { parameters } = place.value
  const [q = "", state = ""] = ["q", "state"].map((name) => parameters.get(name) ?? "")
  // Where most play is what most look for.
  const sort = parameters.get("sort") ?? "players"
  const order = parameters.get("order") ?? "desc"
  const typed = useSignal(q)
  const rows = useSignal<Rows>(NO_ROWS)
  const inView = useSignal("0")
  const active = useSignal(-1)
  const trouble = useSignal<string | undefined>(undefined)
  const query = new URLSearchParams({
    sort,
    order,
    ...(q === "" ? {} : { q }),
    ...(state === "" ? {} : { state })
  }).toString()

  useEffect(() => {
    if (typed.value === q) return
    const timer = setTimeout(() => setParameters({ q: typed.value }), REST_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  useEffect(() => void (active.value = -1), [query])
  useRepeatedly(
    async (signal) => void (rows.value = await refreshed(rows.value, query, inView.value, signal)),
    (told) => void (trouble.value = told),
    [query, inView.value]
  )

  const sortBy = (column: Sort): void => {
    const first = FALLING.has(column) ? "desc" : "asc"
    const other = first === "asc" ? "desc" : "asc"
    setParameters({ sort: column, order: sort === column && order === first ? other : first })
  }
  const open = (index: number): void => {
    const row = rowAt(rows.value, index)
    if (row !== undefined) location.hash = serverLink(row.id)
  }
  const { total } = rows.value
  return (
    <section aria-label="Servers">
      <div class="search" role="search">
        <input
          type="search"
          aria-label="Search name, address, map, group and labels"
          placeholder="Search name, address, map, label"
          maxLength={200}
          value={typed}
          onInput={(event) => void (typed.value = event.currentTarget.value)}
        />
        <select
          aria-label="State"
          value={state}
          onChange={(event) => setParameters({ state: event.currentTarget.value })}
        >
          <option value="">any state</option>
          {STATES.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
        <span class="quiet" role="status">
          {total === undefined ? "" : `${count(total)} ${total === 1 ? "server" : "servers"}`}
        </span>
      </div>
      {trouble.value !== undefined && <p class="notice wrong">{trouble.value}</p>}
      <div class="columns">
        {COLUMNS.map(([column, title]) => (
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
        ))}
      </div>
      {total === 0 ? (
        <div class="empty">
          <p>No server is like that.</p>
          <button
            type="button"
            onClick={() => {
              typed.value = ""
              setParameters({ q: "", state: "" })
            }}
          >
            Show all
          </button>
        </div>
      ) : (
        <VirtualList
          key={query}
          id="servers"
          label="Servers; Enter opens one"
          count={total ?? 0}
          rowHeight={ROW_HEIGHT}
          active={active.value}
          onMove={(index) => void (active.value = index)}
          onOpen={() => open(active.value)}
          onView={(first, last) => void (inView.value = pagesBetween(first, last))}
          render={(index) => (
            <div
              key={index}
              id={`servers-${index}`}
              class="row"
              role="option"
              aria-selected={index === active.value}
              aria-setsize={total ?? 0}
              aria-posinset={index + 1}
              onClick={() => open(index)}
            >
              <Row row={rowAt(rows.value, index)} />
            </div>
          )}
        />
      )}
    </section>
  )
}

const Row = ({ row }: { readonly row: TargetRow | undefined }) => {
  if (row === undefined) return <span class="quiet">…</span>
  const isUp = row.state === "up"
  return (
    <>
      <span class="cell-name">
        <b>{row.name ?? row.address}</b>
        <small class="quiet">
          {row.address}
          {row.game === undefined || row.game === "" ? "" : ` · ${row.game}`}
        </small>
      </span>
      <span class="cell-map">{isUp ? row.map : ""}</span>
      <span class="cell-players">
        {isUp && row.players !== undefined ? `${row.players}/${row.maxPlayers ?? "?"}` : ""}
      </span>
      <span class="cell-rttMs">{isUp ? milliseconds(row.rttMs) : ""}</span>
      <span class={`cell-state state-${row.state}`}>{row.state}</span>
    </>
  )
}
