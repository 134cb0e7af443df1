/** The list of all servers, with search, filters and orders. */
import type { Overview, SORTS } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, Select, SortBy, useMatches, VirtualList } from "@sourcewire/ui/widgets"
import { useEffect, useRef } from "preact/hooks"
import { GroupFilter } from "../GroupFilter.tsx"
import { place, serverLink, setParameters } from "../address.ts"
import { useRepeatedly } from "../requests.ts"
import { useTitle } from "../title.ts"
import { PERIODS, plural } from "../words.ts"
import { Mute } from "../Mute.tsx"
import { AddServer } from "./AddServer.tsx"
import { days, type Period, uptimes } from "./perServer.ts"
import { Row } from "./Row.tsx"
import { loadedRows, NO_ROWS, pagesBetween, refreshed, rowAt, type Rows } from "./rows.ts"
import { StatusPage } from "./StatusPage.tsx"
import { Totals } from "./Totals.tsx"

const ROW_HEIGHT = 50

/** Milliseconds without a keystroke before the search starts. */
const TYPING_MS = 200
/**
 * Milliseconds for which rows must be visible before they are requested. Because of this delay, rows that the user only scrolls past are
 * not requested.
 */
const SCROLLING_MS = 60
/** Milliseconds from the end of scrolling to the request for the columns *Last 24 hours* and *Uptime* of the visible rows. */
const SETTLED_MS = 300

/**
 * The query and the scroll position of the list when the user last left it. If the user opens the list again with the same query, the list
 * scrolls to this position.
 */
const left = { query: "", top: 0 }

type Columns = ReadonlyArray<
  readonly [column: (typeof SORTS)[number] | "day" | "uptime", title: string, order?: "none"]
>

const COLUMNS: Columns = [
  ["name", "Server"],
  ["group", "Group"],
  ["map", "Map"],
  ["day", "Last 24 hours", "none"],
  ["uptime", "Uptime", "none"],
  ["players", "Players"],
  ["rttMs", "RTT"],
  ["problems", "State"]
]

/**
 * If at least one group has the setting `verdicts`, the list has these columns: the columns of `COLUMNS`, and a column with the findings.
 */
const WITH_FINDINGS: Columns = COLUMNS.toSpliced(3, 0, ["findings", "Findings"])

/** The choices for the minimum strength of the findings, with their titles. */
const STRENGTHS = { weak: "With findings", medium: "Medium or strong findings", strong: "Strong findings" } as const

/** The periods of the uptime column. */
const UPTIMES = Object.fromEntries(Object.entries(PERIODS).map(([period, title]) => [period, `Uptime, ${title}`]))

const FILTERS = ["q", "state", "group", "findings"] as const

export const ServerList = ({ overview }: { readonly overview: Overview | undefined }) => {
  const { parameters } = place.value
  const [q, state, group, findings] = FILTERS.map((name) => parameters.get(name) ?? "") as [
    string,
    string,
    string,
    string
  ]
  // The default order begins with the servers that are down and not muted. All other servers follow, sorted by the number of players.
  const sort = parameters.get("sort") ?? "problems"
  const order = parameters.get("order") ?? "desc"
  const wanted = parameters.get("uptime") ?? ""
  const period = (Object.hasOwn(PERIODS, wanted) ? wanted : "30d") as Period
  const typed = useSignal(q)
  const rows = useSignal<Rows>(NO_ROWS)
  const inView = useSignal("0")
  const settled = useSignal<readonly [first: number, last: number]>([0, -1])
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const active = useSignal(-1)
  const filters = FILTERS.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)!]] : []))
  const query = new URLSearchParams([["sort", sort], ["order", order], ...filters]).toString()
  useTitle(overview === undefined ? "" : `${overview.down} down, ${overview.up} up`)

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
  const settledIds = Array.from({ length: last - first + 1 }, (_, i) => rowAt(rows.value, first + i)?.id ?? []).flat()
  days.useAll(settledIds, overview?.history === true)
  uptimes.useAll(settledIds, overview?.history === true)
  const open = (index: number): void => {
    const row = rowAt(rows.value, index)
    if (row !== undefined) location.hash = serverLink(row.id)
  }
  const { total } = rows.value
  // A printed page cannot scroll, so all loaded rows are printed.
  const isPrinted = useMatches("print")
  const printed = isPrinted ? loadedRows(rows.value) : []
  const groups = overview?.groups ?? []
  return (
    <section
      aria-label="Servers"
      class={`servers ${groups.length > 1 ? "grouped" : ""} ${overview?.verdicts === true ? "judged" : ""}`}
    >
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
        <GroupFilter groups={groups} group={group} />
        {overview?.verdicts === true && (
          <Select
            label="Findings"
            value={findings}
            options={STRENGTHS}
            choose={(findings) => setParameters({ findings })}
          >
            <option value="">With and without findings</option>
          </Select>
        )}
        {overview?.history === true && (
          <Select
            label="Uptime over"
            value={period}
            options={UPTIMES}
            choose={(uptime) => setParameters({ uptime: uptime === "30d" ? "" : uptime })}
          />
        )}
        {overview?.history === true && (group !== "" || groups.length === 1) && (
          <>
            <StatusPage
              group={group === "" ? groups[0]! : group}
              isPublic={overview.publicStatus.includes(group === "" ? groups[0]! : group)}
            />
            <Mute key={group} group={group === "" ? groups[0]! : group} />
          </>
        )}
        <span class="quiet" role="status">
          {total === undefined ? "" : plural(total, "server")}
        </span>
      </div>
      {overview?.adds === true && <AddServer />}
      <Alert text={trouble} />
      <SortBy
        columns={overview?.verdicts === true ? WITH_FINDINGS : COLUMNS}
        order={{ column: sort, down: order === "desc" }}
        sort={({ column, down }) => setParameters({ sort: column, order: down ? "desc" : "asc" })}
      />
      {total === 0 ? (
        <div class="empty">
          <p>No servers match.</p>
          <Button
            onClick={() => {
              typed.value = ""
              setParameters(Object.fromEntries(FILTERS.map((name) => [name, ""])))
            }}
          >
            Show all
          </Button>
        </div>
      ) : isPrinted ? (
        <div class="list">
          {printed.map(([index, row]) => (
            <div key={index} class="row">
              <Row row={row} period={period} />
            </div>
          ))}
          {total !== undefined && total > printed.length && (
            <p class="quiet">
              {printed.length} of {plural(total, "server")}
            </p>
          )}
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
                <Row row={row} period={period} />
              </a>
            )
          }}
        />
      )}
    </section>
  )
}
