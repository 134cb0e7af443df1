/** Queries one server at an interval, and plots the round-trip time and the number of players. */
import { Alert, Choice, Coloured, Form, Stop, Submit } from "@sourcewire/ui/widgets"
import { displayText } from "@sourcewire/core/text"
import { signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { plural } from "@sourcewire/capture"
import { AddressField } from "./AddressField.tsx"
import { counts, latest, live, samples, watch } from "./watching.ts"
import type { WatchPlots } from "./WatchPlots.tsx"

const PAUSES = {
  500: "twice a second",
  1000: "every second",
  5000: "every 5 seconds",
  30000: "every 30 seconds"
} as const

/** The component with the plots. The code of the component is loaded on first use. */
const plots = signal<typeof WatchPlots | undefined>(undefined)

export const WatchPane = () => {
  const intervalMs = useSignal<`${keyof typeof PAUSES}`>("1000")
  const { again, all, lost } = counts.value
  const Plots = plots.value
  useEffect(() => void import("./WatchPlots.tsx").then(({ WatchPlots }) => void (plots.value = WatchPlots)), [])
  const summary = latest.value?.summary
  return (
    <div class="pane">
      <Form class="bar" onSubmit={() => watch(Number(intervalMs.value))}>
        <AddressField />
        <Choice label="How often" value={intervalMs} options={PAUSES} />
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
          {Plots === undefined ? null : <Plots looks={samples.value} />}
          {again + lost === 0 ? null : (
            <p class="quiet legend">
              <span class="mark-again">▼</span> retransmission <span class="mark-lost" /> no reply. An ambiguous
              round-trip time is not drawn.
            </p>
          )}
        </>
      )}
    </div>
  )
}
