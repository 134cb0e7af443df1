/** How a server is as its locations see it. */
import type { LocationRow } from "@sourcewire/monitor/api"
import { milliseconds, since } from "../words.ts"

/** A row for each location; what does not count is said to be old. */
export const Locations = ({ locations }: { readonly locations: ReadonlyArray<LocationRow> }) => (
  <section class="panel locations" aria-labelledby="locations">
    <h3 id="locations">Locations</h3>
    {locations.length === 0 ? (
      <p class="quiet">No location has asked it yet.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Round trip
            </th>
            <th scope="col" class="number">
              Asked
            </th>
          </tr>
        </thead>
        <tbody>
          {locations.map(({ askedAt, counts, error, location, rttMs, state }) => (
            <tr key={location}>
              <th scope="row">{location}</th>
              <td title={error?.message}>
                <span class={`pill state-${state}`}>{state}</span>{" "}
                {!counts && <span class="quiet">does not count</span>}
              </td>
              <td class="number">{state === "down" ? "" : milliseconds(rttMs)}</td>
              <td class="number">{askedAt === undefined ? "never" : `${since(askedAt)} ago`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)
