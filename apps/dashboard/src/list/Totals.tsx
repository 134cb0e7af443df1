/** How all servers are, in numbers; each number of servers shows those alone. */
import type { Overview } from "@sourcewire/monitor/api"
import { setParameters } from "../address.ts"
import { count, plural } from "../words.ts"

const STATES = ["up", "down", "unknown"] as const

/** The numbers; `state` is the one whose servers are shown, empty for all. */
export const Totals = ({ overview, state }: { readonly overview: Overview | undefined; readonly state: string }) => {
  return (
    <div class="totals">
      {STATES.map((one) => (
        <button
          key={one}
          type="button"
          class={`total ${overview?.[one] === 0 ? "" : `state-${one}`}`}
          aria-pressed={state === one}
          onClick={() => setParameters({ state: state === one ? "" : one })}
        >
          <b>{count(overview?.[one])}</b> {one}
        </button>
      ))}
      <div class="total">
        <b>{count(overview?.players)}</b> {overview?.players === 1 ? "player" : "players"}
        {overview !== undefined && <small class="quiet"> of {plural(overview.maxPlayers, "slot")}</small>}
      </div>
    </div>
  )
}
