/** Watches one server: round trip and players over time. */
import { Alert, Choice, Coloured, Form, Stop, Submit } from "@sourcewire/ui/widgets"
import { displayText } from "@sourcewire/core/text"
import { useSignal } from "@preact/signals"
import { plural } from "@sourcewire/capture"
import { AddressField } from "./AddressField.tsx"
import { Plot } from "./Plot.tsx"
import { counts, latest, live, looks, watch } from "./watching.ts"

const PAUSES = {
  500: "twice a second",
  1000: "every second",
  5000: "every 5 seconds",
  30000: "every 30 seconds"
} as const

export const WatchPane = () => {
  const everyMs = useSignal<`${keyof typeof PAUSES}`>("1000")
  const { all, lost } = counts.value
  const summary = latest.value?.summary
  return (
    <div class="pane">
      <Form class="bar" onSubmit={() => watch(Number(everyMs.value))}>
        <AddressField />
        <Choice label="How often" value={everyMs} options={PAUSES} />
        <Submit>Watch</Submit>
        <Stop {...live} />
      </Form>
      <Alert text={live.ended.value} />
      {all === 0 ? (
        <p class="quiet">
          Asks for INFO again and again, and plots how long the answer took and how many were playing.
        </p>
      ) : (
        <>
          <p>
            <strong>{summary === undefined ? "No answer" : <Coloured text={summary.name} />}</strong>{" "}
            {summary === undefined ? (
              displayText(latest.value?.error?.message ?? "")
            ) : (
              <>
                on <Coloured text={summary.map} />
              </>
            )}{" "}
            <span class="quiet">
              {plural(all, "look")}, {lost} without an answer
            </span>
          </p>
          <Plot title="Round trip" unit="ms" points={looks.value.map(({ at, rttMs }) => ({ at, value: rttMs }))} />
          <Plot
            title="Players"
            unit="player"
            whole
            points={looks.value.map(({ at, players }) => ({ at, value: players }))}
          />
        </>
      )}
    </div>
  )
}
