/** The state of a server by location. */
import type { LocationRow } from "@sourcewire/monitor/api"
import { Table } from "@sourcewire/ui/widgets"
import { milliseconds, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

const COLUMNS = ["Location", "State", { children: "RTT", class: "number" }, { children: "Last query", class: "number" }]

/** A row for each location. Results that are too old to determine the state are marked as “not counted”. */
export const Locations = ({ locations }: { readonly locations: ReadonlyArray<LocationRow> }) => (
  <Panel id="locations" title="Locations" empty={locations.length === 0 && "No location has queried this server yet."}>
    <Table
      class="locations"
      columns={COLUMNS}
      isNamed
      rows={locations.map(({ askedAt, counts, error, location, rttMs, state }) => [
        <bdi>{location}</bdi>,
        <span title={error?.message}>
          <span class={`pill state-${state}`}>{state}</span> {!counts && <span class="quiet">not counted</span>}
        </span>,
        state !== "down" && milliseconds(rttMs),
        askedAt === undefined ? "never" : `${since(askedAt)} ago`
      ])}
    />
  </Panel>
)
