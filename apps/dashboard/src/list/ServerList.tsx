/** All servers: searched, filtered and in order. */
import type { Overview, SORTS } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { place, serverLink, setParameters } from "../address.ts"
import { useRepeatedly } from "../ask.ts"
import { useTitle } from "../title.ts"
import { plural } from "../words.ts"
import { AddServer } from "./AddServer.tsx"
import { Row } from "./Row.tsx"
import { NO_ROWS, pagesBetween, refreshed, rowAt, type Rows } from "./rows.ts"
import { Totals } from "./Totals.tsx"
import { VirtualList } from "./VirtualList.tsx"

const ROW_HEIGHT = 50

type Sort = (typeof SORTS)[number]

const COLUMNS: ReadonlyArray<readonly [sort: Sort, title: string]> = [
  ["name", "Server"],
  ["group", "Group"],
  ["map", "Map"],
  ["players", "Players"],
  ["rttMs", "Round trip"],
  ["state", "State"]
]

/** Milliseconds of rest before what is typed is searched. */
const TYPING_MS = 200
/** Milliseconds of rest before rows are asked for that came into view: of those that fly past, none are. */
const SCROLLING_MS = 60

/** Where the list was scrolled to, for who comes back to it. */
const left = { query: "", top: 0 }

const FILTERS = ["q", "state", "group"] as const

/** The list, and what is searched. */
export const ServerList = ({ overview }: { readonly overview: Overview | undefined }) => {
  const { parameters } = place.value
  const [q, state, group] = FILTERS.map((name) => parameters.get(name) ?? "") as [string, string, string]
  // Where most play is what most look for.
  const sort = parameters.get("sort") ?? "players"
  const order = parameters.get("order") ?? "desc"
  const typed = useSignal(q)
  const rows = useSignal<Rows>(NO_ROWS)
  const inView = useSignal("0")
  const active = useSignal(-1)
  const trouble = useSignal<string | undefined>(undefined)
  const filters = FILTERS.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)!]] : []))
  const query = new URLSearchParams([["sort", sort], ["order", order], ...filters]).toString()
  useTitle(overview === undefined ? "" : `${overview.up} up, ${overview.down} down`)

  useEffect(() => {
    if (typed.value === q) return
    const timer = setTimeout(() => setParameters({ q: typed.value }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  useEffect(() => void (active.value = -1), [query])
  useRepeatedly(
    async (signal) => void (rows.value = await refreshed(rows.value, query, inView.value, signal)),
    (told) => void (trouble.value = told),
    [query, inView.value],
    { restMs: rows.value.total === undefined ? 0 : SCROLLING_MS }
  )

  const sortBy = (column: Sort): void => {
    const first = column === "players" ? "desc" : "asc"
    const other = first === "asc" ? "desc" : "asc"
    setParameters({ sort: column, order: sort === column && order === first ? other : first })
  }
  const open = (index: number): void => {
    const row = rowAt(rows.value, index)
    if (row !== undefined) location.hash = serverLink(row.id)
  }
  const { total } = rows.value
  const groups = overview?.groups ?? []
  return (
    <section aria-label="Servers" class={`servers ${groups.length > 1 ? "grouped" : ""}`}>
      <Totals overview={overview} state={state} />
      <div class="search" role="search">
        <input
          type="search"
          aria-label="Search name, address, map, group and labels"
          placeholder="Search name, address, map, label"
          maxLength={200}
          value={typed}
          onInput={(event) => void (typed.value = event.currentTarget.value)}
        />
        {groups.length > 1 && (
          <select
            aria-label="Group"
            value={group}
            onChange={(event) => setParameters({ group: event.currentTarget.value })}
          >
            <option value="">All groups</option>
            {groups.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <span class="quiet" role="status">
          {total === undefined ? "" : plural(total, "server")}
        </span>
      </div>
      {overview?.adds === true && <AddServer />}
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
              setParameters({ q: "", state: "", group: "" })
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
          startAt={left.query === query ? left.top : 0}
          active={active.value}
          onMove={(index) => void (active.value = index)}
          onOpen={() => open(active.value)}
          onView={(first, last) => void (inView.value = pagesBetween(first, last))}
          onLeave={(top) => Object.assign(left, { query, top })}
          render={(index) => {
            const row = rowAt(rows.value, index)
            return (
              <a
                key={index}
                id={`servers-${index}`}
                class="row"
                role="option"
                tabIndex={-1}
                href={row === undefined ? location.hash : serverLink(row.id)}
                aria-selected={index === active.value}
                aria-setsize={total ?? 0}
                aria-posinset={index + 1}
              >
                <Row row={row} />
              </a>
            )
          }}
        />
      )}
    </section>
  )
}
