/** All servers: searched, filtered and in order. */
import type { Overview, SORTS } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, Select, SortBy, VirtualList } from "@sourcewire/playground/widgets"
import { useEffect, useRef } from "preact/hooks"
import { place, serverLink, setParameters } from "../address.ts"
import { useRepeatedly } from "../ask.ts"
import { useTitle } from "../title.ts"
import { plural } from "../words.ts"
import { AddServer } from "./AddServer.tsx"
import { useDays } from "./days.ts"
import { Row } from "./Row.tsx"
import { NO_ROWS, pagesBetween, refreshed, rowAt, type Rows } from "./rows.ts"
import { Totals } from "./Totals.tsx"

const ROW_HEIGHT = 50

/** Milliseconds of rest before what is typed is searched. */
const TYPING_MS = 200
/** Milliseconds of rest before rows are asked for that came into view: of those that fly past, none are. */
const SCROLLING_MS = 60
/** Milliseconds for which rows stay in view before their last day is asked for. */
const SETTLED_MS = 300

/** Where the list was scrolled to, for who comes back to it. */
const left = { query: "", top: 0 }

const COLUMNS: ReadonlyArray<readonly [column: (typeof SORTS)[number] | "day", title: string, order?: "none"]> = [
  ["name", "Server"],
  ["group", "Group"],
  ["map", "Map"],
  ["day", "Last day", "none"],
  ["players", "Players"],
  ["rttMs", "Round trip"],
  ["state", "State"]
]

const FILTERS = ["q", "state", "group"] as const

export const ServerList = ({ overview }: { readonly overview: Overview | undefined }) => {
  const { parameters } = place.value
  const [q, state, group] = FILTERS.map((name) => parameters.get(name) ?? "") as [string, string, string]
  // Where most play is what most look for.
  const sort = parameters.get("sort") ?? "players"
  const order = parameters.get("order") ?? "desc"
  const typed = useSignal(q)
  const rows = useSignal<Rows>(NO_ROWS)
  const inView = useSignal("0")
  const settled = useSignal<readonly [first: number, last: number]>([0, -1])
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const active = useSignal(-1)
  const filters = FILTERS.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)!]] : []))
  const query = new URLSearchParams([["sort", sort], ["order", order], ...filters]).toString()
  useTitle(overview === undefined ? "" : `${overview.up} up, ${overview.down} down`)

  useEffect(() => {
    if (typed.value === q) return
    const timer = setTimeout(() => setParameters({ q: typed.value }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  useEffect(() => void (active.value = -1), [query])
  useEffect(() => () => clearTimeout(settling.current), [])
  const trouble = useRepeatedly(
    async (signal) => void (rows.value = await refreshed(rows.value, query, inView.value, signal)),
    [query, inView.value],
    { restMs: rows.value.total === undefined ? 0 : SCROLLING_MS }
  )

  const onView = (first: number, last: number): void => {
    inView.value = pagesBetween(first, last)
    clearTimeout(settling.current)
    settling.current = setTimeout(() => void (settled.value = [first, last]), SETTLED_MS)
  }
  const [first, last] = settled.value
  useDays(
    Array.from({ length: last - first + 1 }, (_, i) => rowAt(rows.value, first + i)?.id ?? []).flat(),
    overview?.history === true
  )
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
          <Select label="Group" value={group} options={groups} choose={(group) => setParameters({ group })}>
            <option value="">All groups</option>
          </Select>
        )}
        <span class="quiet" role="status">
          {total === undefined ? "" : plural(total, "server")}
        </span>
      </div>
      {overview?.adds === true && <AddServer />}
      <Alert text={trouble} />
      <SortBy
        columns={COLUMNS}
        order={{ column: sort, down: order === "desc" }}
        sort={({ column, down }) => setParameters({ sort: column, order: down ? "desc" : "asc" })}
      />
      {total === 0 ? (
        <div class="empty">
          <p>No server is like that.</p>
          <Button
            onClick={() => {
              typed.value = ""
              setParameters({ q: "", state: "", group: "" })
            }}
          >
            Show all
          </Button>
        </div>
      ) : (
        <VirtualList
          key={query}
          id="servers"
          label="Servers; Enter opens one"
          role="listbox"
          count={total ?? 0}
          rowHeight={ROW_HEIGHT}
          startAt={left.query === query ? left.top : 0}
          active={active.value}
          onMove={(index) => void (active.value = index)}
          onKeyDown={({ key }) => key === "Enter" && open(active.value)}
          onView={onView}
          onLeave={(top) => Object.assign(left, { query, top })}
          render={(index, attributes) => {
            const row = rowAt(rows.value, index)
            return (
              <a
                key={index}
                {...attributes}
                role="option"
                class="row"
                tabIndex={-1}
                href={row === undefined ? location.hash : serverLink(row.id)}
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
