/**
 * Watches one server: round trip and players over time.
 *
 * @module
 */
import { useSignal } from "@preact/signals"
import { Coloured } from "../widgets/Coloured.tsx"
import { AddressField } from "./AddressField.tsx"
import { Plot } from "./Plot.tsx"
import { counts, ended, latest, looks, stopWatching, watch, watching } from "./watching.ts"

/** See the module. */
export const WatchPane = () => {
  const everyMs = useSignal(1000)
  const { all, lost } = counts.value
  const info = latest.value?.info
  return (
    <div class="pane">
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void watch(everyMs.value)
        }}
      >
        <AddressField />
        <label>
          <span class="hidden">How often</span>
          <select
            value={String(everyMs.value)}
            onChange={(event) => void (everyMs.value = Number(event.currentTarget.value))}
          >
            <option value="500">twice a second</option>
            <option value="1000">every second</option>
            <option value="5000">every 5 seconds</option>
            <option value="30000">every 30 seconds</option>
          </select>
        </label>
        <button type="submit" class="primary">
          Watch
        </button>
        {watching.value ? (
          <button type="button" onClick={stopWatching}>
            Stop
          </button>
        ) : null}
      </form>
      {ended.value === undefined ? null : (
        <p class="problem" role="alert">
          {ended.value}
        </p>
      )}
      {all === 0 ? (
        <p class="quiet">
          Asks for INFO again and again, and plots how long the answer took and how many were playing.
        </p>
      ) : (
        <>
          <p>
            <strong>{info === undefined ? "No answer" : <Coloured text={info.name} />}</strong>{" "}
            {info === undefined ? latest.value?.error?.message : `on ${info.map}`}{" "}
            <span class="quiet">
              {all} looks, {lost} without an answer
            </span>
          </p>
          <Plot title="Round trip" unit="ms" points={looks.value.map(({ at, rttMs }) => ({ at, value: rttMs }))} />
          <Plot
            title="Players"
            unit="players"
            points={looks.value.map(({ at, players }) => ({ at, value: players }))}
          />
        </>
      )}
    </div>
  )
}
