/** Queries a list of servers, and adds each result to a table when the result arrives. */
import { Alert, Button, Coloured, Form, SortBy, Stop, Submit, TextField, VirtualList } from "@sourcewire/ui/widgets"
import { displayText } from "@sourcewire/core/text"
import { useSignal } from "@preact/signals"
import { plural } from "@sourcewire/capture"
import { roundTrip } from "./Cards.tsx"
import { emulated } from "./emulated.ts"
import { queryServer } from "./exchange.ts"
import * as listing from "./listing.ts"

const columns: ReadonlyArray<readonly [listing.Column, string]> = [
  ["name", "Name"],
  ["map", "Map"],
  ["players", "Players"],
  ["rttMs", "RTT"],
  ["target", "Address"]
]

const ROW_HEIGHT = 26

export const ListPane = () => {
  const rows = listing.shown.value
  const active = useSignal(-1)
  const failed = listing.results.value.filter(({ error }) => error !== undefined).length
  const open = (index: number): void => {
    const row = rows[index]
    if (row !== undefined) queryServer(row.target)
  }
  return (
    <div class="pane">
      <Form class="list-form" onSubmit={listing.list}>
        <label class="hidden" for="addresses">
          Addresses
        </label>
        <textarea
          id="addresses"
          rows={3}
          spellcheck={false}
          placeholder="Addresses, separated by spaces or line breaks"
          value={listing.addresses.value}
          onInput={(event) => void (listing.addresses.value = event.currentTarget.value)}
        />
        <div class="bar">
          <Submit>Query all</Submit>
          <Stop {...listing.live} />
          <Button
            disabled={emulated.value.length === 0}
            onClick={() => {
              const all = [listing.addresses.value, ...emulated.value.map((server) => server.address)].join("\n")
              listing.addresses.value = listing.addressesIn(all).join("\n")
            }}
          >
            Add the emulated servers
          </Button>
          <TextField class="filter" label="Filter" value={listing.filter} input={{ placeholder: "Filter" }} />
        </div>
      </Form>
      <Alert text={listing.live.ended.value} />
      <Alert
        text={
          listing.rejected.value.length === 0
            ? undefined
            : `Not queried, because they are not addresses: ${plural(listing.rejected.value.length, "word")}. ${listing.rejected.value.slice(0, 3).join(" ")}`
        }
      />
      {listing.expected.value === 0 ? null : (
        <>
          <div class="progress">
            <progress max={listing.expected.value} value={listing.results.value.length} aria-label="Servers done" />
            <output data-done={listing.results.value.length}>
              {listing.results.value.length} of {listing.expected.value}, {failed} without a reply, {rows.length} shown
            </output>
          </div>
          <SortBy columns={columns} order={listing.order.value} sort={(order) => void (listing.order.value = order)} />
          <VirtualList
            id="servers"
            label="Servers"
            role="listbox"
            class="servers"
            count={rows.length}
            rowHeight={ROW_HEIGHT}
            active={active.value}
            onMove={(index) => void (active.value = index)}
            onKeyDown={({ key }) => void (key === "Enter" && open(active.value))}
            render={(index, attributes) => {
              const { error, rttMs, summary, target, ...rtt } = rows[index]!
              return (
                <div
                  key={target}
                  {...attributes}
                  class={`server${error === undefined ? "" : " failed"}${index === active.value ? " chosen" : ""}`}
                  onClick={() => void (active.value = index)}
                  onDblClick={() => open(index)}
                >
                  <span class="cell-name">
                    {summary === undefined ? (
                      <span class="wrong" title={error?.message}>
                        {error?._tag}: {displayText(error?.message ?? "")}
                      </span>
                    ) : (
                      <Coloured text={summary.name} />
                    )}
                  </span>
                  <span class="cell-map">{summary === undefined ? "" : <Coloured text={summary.map} />}</span>
                  <span class="cell-players">
                    {summary === undefined ? "" : `${summary.players}/${summary.maxPlayers}`}
                  </span>
                  <span class="cell-rttMs">{rttMs === undefined ? "" : roundTrip({ rttMs, ...rtt }, 1)}</span>
                  <span class="cell-target">{target}</span>
                </div>
              )
            }}
          />
          <p class="quiet">Press Enter or double-click a server to query it.</p>
        </>
      )}
    </div>
  )
}
