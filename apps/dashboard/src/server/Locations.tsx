/** How a server is as its locations see it. */
import type { LocationRow } from "@sourcewire/monitor/api"
import { Table } from "@sourcewire/playground/widgets"
import { milliseconds, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

const COLUMNS = ["From", "State", { children: "Round trip", class: "number" }, { children: "Asked", class: "number" }]

/** A row for each location; what does not count is said to be old. */
export const Locations = ({ locations }: { readonly locations: ReadonlyArray<LocationRow> }) => (
  <Panel id="locations" title="Locations" empty={locations.length === 0 && "No location has asked it yet."}>
    <Table
      class="locations"
      columns={COLUMNS}
      isNamed
      rows={locations.map(({ askedAt, counts, error, location, rttMs, state }) => [
        location,
        <span title={error?.message}>
          <span class={`pill state-${state}`}>{state}</span> {!counts && <span class="quiet">does not count</span>}
        </span>,
        state !== "down" && milliseconds(rttMs),
        askedAt === undefined ? "never" : `${since(askedAt)} ago`
      ])}
    />
  </Panel>
)
