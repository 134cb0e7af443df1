/** How a server is as its locations see it. */
import type { LocationRow } from "@sourcewire/monitor/api"
import { Heads } from "@sourcewire/playground/widgets"
import { milliseconds, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

const COLUMNS = ["From", "State", { children: "Round trip", class: "number" }, { children: "Asked", class: "number" }]

/** A row for each location; what does not count is said to be old. */
export const Locations = ({ locations }: { readonly locations: ReadonlyArray<LocationRow> }) => (
  <Panel id="locations" title="Locations" empty={locations.length === 0 && "No location has asked it yet."}>
    <table class="locations">
      <Heads titles={COLUMNS} />
      <tbody>
        {locations.map(({ askedAt, counts, error, location, rttMs, state }) => (
          <tr key={location}>
            <th scope="row">{location}</th>
            <td title={error?.message}>
              <span class={`pill state-${state}`}>{state}</span> {!counts && <span class="quiet">does not count</span>}
            </td>
            <td class="number">{state === "down" ? "" : milliseconds(rttMs)}</td>
            <td class="number">{askedAt === undefined ? "never" : `${since(askedAt)} ago`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
)
