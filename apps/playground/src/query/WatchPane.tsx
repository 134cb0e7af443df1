/** Watches one server: round-trip time and players over time. */
import { Alert, Choice, Coloured, Form, Stop, Submit } from "@sourcewire/ui/widgets"
import { displayText } from "@sourcewire/core/text"
import { useSignal } from "@preact/signals"
import { plural } from "@sourcewire/capture"
import { AddressField } from "./AddressField.tsx"
import { type Mark, Plot } from "./Plot.tsx"
import { counts, latest, live, looks, watch } from "./watching.ts"

const PAUSES = {
  500: "twice a second",
  1000: "every second",
  5000: "every 5 seconds",
  30000: "every 30 seconds"
} as const

export const WatchPane = () => {
  const everyMs = useSignal<`${keyof typeof PAUSES}`>("1000")
  const { again, all, lost } = counts.value
  const marks = looks.value.flatMap(({ at, isLost, retransmissions }): ReadonlyArray<Mark> => {
    if (isLost === true) return [{ at, kind: "lost", title: "no reply" }]
    return retransmissions === undefined
      ? []
      : [{ at, kind: "again", title: plural(retransmissions, "retransmission") }]
  })
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
          Queries INFO at this interval, and plots the round-trip time and the number of players. Retransmissions and
          queries without a reply are marked.
        </p>
      ) : (
        <>
          <p>
            <strong>{summary === undefined ? "No reply" : <Coloured text={summary.name} />}</strong>{" "}
            {summary === undefined ? (
              displayText(latest.value?.error?.message ?? "")
            ) : (
              <>
                on <Coloured text={summary.map} />
              </>
            )}{" "}
            <span class="quiet">
              {plural(all, "query").replace(/ys$/, "ies")}, {lost} without a reply, {plural(again, "retransmission")}
            </span>
          </p>
          <Plot
            title="Round-trip time"
            unit="ms"
            points={looks.value.map(({ at, rttMs }) => ({ at, value: rttMs }))}
            marks={marks}
          />
          {marks.length === 0 ? null : (
            <p class="quiet legend">
              <span class="mark-again">▲</span> retransmission <span class="mark-lost">✕</span> no reply. An ambiguous
              round-trip time is not drawn.
            </p>
          )}
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
