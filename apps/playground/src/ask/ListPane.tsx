/**
 * Goes through a list of servers and shows them as a table while they answer.
 *
 * @module
 */
import { Coloured } from "../widgets/Coloured.tsx"
import { stepOf, VirtualList } from "../widgets/VirtualList.tsx"
import { useSignal } from "@preact/signals"
import { emulated } from "./emulated.ts"
import { address, ask } from "./exchange.ts"
import {
  addresses,
  type Column,
  ended,
  expected,
  filter,
  list,
  listing,
  order,
  results,
  shown,
  sortBy,
  stopListing
} from "./listing.ts"
import { pane } from "./pane.ts"
import { roundTrip } from "./roundTrip.ts"

const columns: ReadonlyArray<readonly [Column, string]> = [
  ["name", "Name"],
  ["map", "Map"],
  ["players", "Players"],
  ["rttMs", "RTT"],
  ["target", "Address"]
]

const ROW_HEIGHT = 26
const PAGE = 12

/** See the module. */
export const ListPane = () => {
  const rows = shown.value
  const active = useSignal(-1)
  const failed = results.value.filter(({ error }) => error !== undefined).length
  const open = (index: number): void => {
    const row = rows[index]
    if (row === undefined) return
    address.value = row.target
    pane.value = "query"
    void ask()
  }
  return (
    <div class="pane">
      <form
        class="list-form"
        onSubmit={(event) => {
          event.preventDefault()
          void list()
        }}
      >
        <label class="hidden" for="addresses">
          Addresses
        </label>
        <textarea
          id="addresses"
          rows={3}
          spellcheck={false}
          placeholder="One address on a line, or several with blanks between them"
          value={addresses.value}
          onInput={(event) => void (addresses.value = event.currentTarget.value)}
        />
        <div class="bar">
          <button type="submit" class="primary">
            Ask all
          </button>
          {listing.value ? (
            <button type="button" onClick={stopListing}>
              Stop
            </button>
          ) : null}
          <button
            type="button"
            disabled={emulated.value.length === 0}
            onClick={() => void (addresses.value = emulated.value.map((server) => server.address).join("\n"))}
          >
            Take the emulated ones
          </button>
          <label class="filter">
            <span class="hidden">Filter</span>
            <input
              placeholder="Filter"
              value={filter.value}
              onInput={(event) => void (filter.value = event.currentTarget.value)}
            />
          </label>
        </div>
      </form>
      {ended.value === undefined ? null : (
        <p class="problem" role="alert">
          {ended.value}
        </p>
      )}
      {expected.value === 0 ? null : (
        <>
          <div class="progress">
            <progress max={expected.value} value={results.value.length} aria-label="Servers done" />
            <output data-done={results.value.length}>
              {results.value.length} of {expected.value}, {failed} without an answer, {rows.length} shown
            </output>
          </div>
          <div class="columns" role="group" aria-label="Sort by">
            {columns.map(([column, title]) => (
              <button
                key={column}
                type="button"
                class={`column-${column}`}
                aria-pressed={order.value.column === column}
                onClick={() => sortBy(column)}
              >
                {title} {order.value.column === column ? (order.value.down ? "↓" : "↑") : ""}
              </button>
            ))}
          </div>
          <VirtualList
            id="servers"
            label="Servers"
            role="listbox"
            class="servers"
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            active={active.value}
            onKeyDown={(event) => {
              const step = stepOf(event.key, PAGE)
              if (event.key === "Enter") open(active.value)
              else if (step === undefined) return
              else active.value = Math.max(0, Math.min(rows.length - 1, active.value + step))
              event.preventDefault()
            }}
            render={(index) => {
              const { error, info, rttMs, target, ...rtt } = rows[index]!
              return (
                <div
                  key={target}
                  id={`servers-${index}`}
                  class={`server${index === active.value ? " chosen" : ""}`}
                  role="option"
                  aria-selected={index === active.value}
                  aria-posinset={index + 1}
                  aria-setsize={rows.length}
                  onClick={() => void (active.value = index)}
                  onDblClick={() => open(index)}
                >
                  <span class="column-name">
                    {info === undefined ? <span class="wrong">{error?._tag}</span> : <Coloured text={info.name} />}
                  </span>
                  <span class="column-map">{info?.map}</span>
                  <span class="column-players">{info === undefined ? "" : `${info.players}/${info.maxPlayers}`}</span>
                  <span class="column-rttMs">{rttMs === undefined ? "" : roundTrip({ rttMs, ...rtt }, 1)}</span>
                  <span class="column-target">{target}</span>
                </div>
              )
            }}
          />
          <p class="quiet">Enter, or a double click, asks a server for everything.</p>
        </>
      )}
    </div>
  )
}
