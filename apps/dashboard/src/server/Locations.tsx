/** Shows the state of a server at each location that queries it. */
import type { LocationRow } from "@sourcewire/monitor/api"
import { Table } from "@sourcewire/ui/widgets"
import { milliseconds, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

const COLUMNS = ["Location", "State", { children: "RTT", class: "number" }, { children: "Last query", class: "number" }]

/**
 * A table with a row for each location. If the results of a location do not affect the state of the server, the row of this location
 * contains “not counted”. For example, the results do not affect the state if the last query from the location is too old.
 */
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
