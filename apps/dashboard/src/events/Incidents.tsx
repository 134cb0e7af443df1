/**
 * The incidents of a period. For each incident, the page shows the server, the start, the end, the duration, and the reason why the server
 * was down.
 */
import type { IncidentRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, ColumnTitles, Select } from "@sourcewire/ui/widgets"
import { useEffect } from "preact/hooks"
import { GroupFilter } from "../GroupFilter.tsx"
import { place, serverLink, setParameters } from "../address.ts"
import { getJson, useRepeatedly } from "../requests.ts"
import { ServerSearch } from "../ServerSearch.tsx"
import { formatDate, DAY_MS, formatDuration, formatMoment, displayName, plural } from "../words.ts"

const PERIODS = { "1": "Last 24 hours", "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days" } as const

/**
 * `PAGE`: number of incidents on the page at first, and number of incidents that each click on *Older* adds. `MOST`: maximum number of
 * incidents on the page.
 */
const [PAGE, MOST] = [50, 1000]

interface Loaded {
  readonly query: string
  readonly incidents: ReadonlyArray<IncidentRow>
  readonly next?: string
}

export const Incidents = ({ groups }: { readonly groups: ReadonlyArray<string> }) => {
  const { parameters } = place.value
  const wanted = parameters.get("days") ?? "1"
  const days = Object.hasOwn(PERIODS, wanted) ? wanted : "1"
  const group = parameters.get("group") ?? ""
  const target = parameters.get("target") ?? ""
  const loaded = useSignal<Loaded | undefined>(undefined)
  const wantedRows = useSignal(PAGE)
  const filters = new URLSearchParams([
    ...(group === "" ? [] : [["group", group]]),
    ...(target === "" ? [] : [["target", target]])
  ])
  const from = (): number => Date.now() - Number(days) * DAY_MS
  const query = `${days}&${filters}`
  useEffect(() => void (wantedRows.value = PAGE), [query])
  const trouble = useRepeatedly(
    async (signal) => {
      const path = `incidents?from=${from()}&limit=${wantedRows.value}&${filters}`
      loaded.value = { query, ...(await getJson<Omit<Loaded, "query">>(path, signal)) }
    },
    [query, wantedRows.value]
  )
  const shown = loaded.value?.query === query ? loaded.value : undefined
  const exported = (format: string): string => `api/export/incidents?format=${format}&from=${from()}&${filters}`
  return (
    <>
      <div class="bar" role="search">
        <Select label="Period" value={days} options={PERIODS} choose={(days) => setParameters({ days })} />
        <GroupFilter groups={groups} group={group} />
        <ServerFilter target={target} />
        <span class="exports">
          <a href={exported("csv")} download>
            CSV
          </a>{" "}
          <a href={exported("ndjson")} download>
            JSON lines
          </a>
        </span>
      </div>
      <Alert text={trouble} />
      {shown !== undefined && shown.incidents.length === 0 && <p class="empty">No server was down in this period.</p>}
      {shown !== undefined && shown.incidents.length > 0 && (
        <>
          {shown.next === undefined && <p class="quiet">{formatSummary(shown.incidents)}</p>}
          <Table incidents={shown.incidents} />
          {shown.next !== undefined &&
            (wantedRows.value < MOST ? (
              <Button class="older" onClick={() => void (wantedRows.value = Math.min(MOST, wantedRows.value + PAGE))}>
                Older
              </Button>
            ) : (
              <p class="notice">The page shows {MOST} incidents. The CSV file contains all of them.</p>
            ))}
        </>
      )}
    </>
  )
}

const formatSummary = (incidents: ReadonlyArray<IncidentRow>): string => {
  const servers = new Set(incidents.map(({ target }) => target)).size
  return `${plural(incidents.length, "incident")} at ${plural(servers, "server")}`
}

/**
 * A search field that limits the incidents to one server. After the user has selected a server, a button replaces the search field. The
 * button shows the incidents of all servers again.
 */
const ServerFilter = ({ target }: { readonly target: string }) =>
  target === "" ? (
    <ServerSearch
      label="Show only one server: name or address, or a part of it"
      placeholder="All servers"
      choose={({ id }) => setParameters({ target: String(id) })}
    />
  ) : (
    <Button onClick={() => setParameters({ target: "" })}>Server {target} only ✕</Button>
  )

const Table = ({ incidents }: { readonly incidents: ReadonlyArray<IncidentRow> }) => (
  <div class="panel">
    <table class="incidents">
      <ColumnTitles columns={["Server", "From", "To", "Duration", "Reason", "Players before"]} />
      <tbody>
        {incidents.map((incident) => (
          <Incident key={`${incident.target}-${incident.from}`} incident={incident} />
        ))}
      </tbody>
    </table>
  </div>
)

const Incident = ({ incident }: { readonly incident: IncidentRow }) => {
  const { address, durationMs, from, group, isMuted, isOngoing, locations, map, message, players, target, to } =
    incident
  return (
    <tr class={isOngoing ? "is-ongoing" : ""}>
      <th scope="row">
        <a href={serverLink(target)}>
          <bdi>{displayName(incident)}</bdi>
        </a>
        <small class="quiet">
          <bdi>{group}</bdi> · <bdi>{address}</bdi>
        </small>
      </th>
      <td data-title="From">
        <time dateTime={new Date(from).toISOString()} title={formatDate(from)}>
          {formatMoment(from)}
        </time>
      </td>
      <td data-title="To">
        {to === undefined ? (
          isOngoing ? (
            <span class="pill state-down">down now</span>
          ) : (
            "unknown"
          )
        ) : (
          <time dateTime={new Date(to).toISOString()} title={formatDate(to)}>
            {formatMoment(to)}
          </time>
        )}
      </td>
      <td data-title="Duration">{durationMs === undefined ? "unknown" : formatDuration(durationMs)}</td>
      <td data-title="Reason">
        <bdi>{message}</bdi> {isMuted && <span class="pill state-muted">muted</span>}
        {locations?.map(({ location, reason }) => (
          <small key={location} class="quiet">
            <bdi>{location}</bdi>: {reason}
          </small>
        ))}
      </td>
      <td data-title="Players before">
        {players ?? "–"}{" "}
        {map !== undefined && map !== "" && (
          <small class="quiet">
            <bdi>{map}</bdi>
          </small>
        )}
      </td>
    </tr>
  )
}
