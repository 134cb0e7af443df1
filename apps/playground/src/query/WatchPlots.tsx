/** The plots of a watch. The code of this module is loaded on first use. */
import { plural } from "@sourcewire/capture"
import { Marks, Plot } from "@sourcewire/ui/plot"
import type { Span } from "@sourcewire/ui/spans"
import { useMemo } from "preact/hooks"
import { type WatchSample, outages } from "./watching.ts"

/** Minimum length of the time axis, in seconds. */
const LEAST_SECONDS = 30

const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 1 : 0))

/** The last known value as text. If the values differ, the text also contains the smallest and the largest value. */
const summarize = (values: ReadonlyArray<number | null>, unit: string): string => {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return "no data"
  const [least, most] = known.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [last, last])
  const range = rounded(least) === rounded(most) ? "" : ` (${rounded(least)} to ${rounded(most)})`
  return `${rounded(last)}${unit}${range}`
}

const write = (unit: string) => (values: ReadonlyArray<number | null>) =>
  values[0] === null || values[0] === undefined ? "unknown" : `${rounded(values[0])}${unit}`

const formatRtt = write(" ms")
const formatPlayers = write("")

export const WatchPlots = ({ looks }: { readonly looks: ReadonlyArray<WatchSample> }) => {
  const data = useMemo(() => {
    const rtts = looks.map(({ rttMs }) => rttMs ?? null)
    const players = looks.map(({ players }) => players ?? null)
    return { times: looks.map(({ at }) => at), rtts: [rtts], players: [players], outages: outages(looks) }
  }, [looks])
  const from = looks[0]!.at
  const span: Span = [from, Math.max(looks.at(-1)!.at, from + LEAST_SECONDS)]
  const marks = looks.flatMap(({ at, retransmissions }) =>
    retransmissions === undefined ? [] : [{ key: at, at, text: plural(retransmissions, "retransmission") }]
  )
  const retransmissionsAt = (seconds: number) => marks.find(({ at }) => at === seconds)?.text
  const common = { times: data.times, outages: data.outages, span, describeMore: retransmissionsAt }
  return (
    <div class="watched">
      <Plot
        {...common}
        title="RTT"
        summary={summarize(data.rtts[0]!, " ms")}
        lines={data.rtts}
        formatValues={formatRtt}
        above={<Marks label="Retransmissions" marks={marks} span={span} />}
      />
      <Plot
        {...common}
        title="Players"
        summary={summarize(data.players[0]!, "")}
        lines={data.players}
        formatValues={formatPlayers}
        whole
      />
    </div>
  )
}
