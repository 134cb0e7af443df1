/**
 * Shows the total number of players, and a button for each state. Each button shows the number of servers in its state, and filters the
 * list by this state.
 */
import type { Overview } from "@sourcewire/monitor/api"
import { setParameters } from "../address.ts"
import { count, plural } from "../words.ts"

const STATES = ["down", "up", "unknown", "muted"] as const

/** The totals. `state` is the state by which the list is filtered, or an empty text if the list is not filtered by a state. */
export const Totals = ({ overview, state }: { readonly overview: Overview | undefined; readonly state: string }) => {
  return (
    <div class="totals">
      {STATES.filter((one) => one !== "muted" || state === one || (overview?.muted ?? 0) > 0).map((one) => (
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
