/** A plot of a measure of a server over time. */
import type { Sample } from "@sourcewire/monitor/api"
import { Plot as TimePlot, type PlotProps as TimePlotProps } from "@sourcewire/ui/plot"
import { useMemo } from "preact/hooks"
import type { Measure } from "./measures.ts"
import { listLines, listTimes } from "./series.ts"

/** Another server, which the plot shows for comparison. */
export interface Compared {
  readonly id: number
  readonly name: string
  readonly samples: ReadonlyArray<Sample>
}

interface PlotProps extends Measure, Omit<TimePlotProps, "lines" | "others" | "summary" | "times"> {
  readonly samples: ReadonlyArray<Sample>
  readonly stepMs: number
  readonly compared?: ReadonlyArray<Compared>
}

/**
 * The default value of `compared`. The value is a constant, because the plot is computed again whenever `compared` is not the same array as
 * at the last call.
 */
const NONE: ReadonlyArray<Compared> = []

export const Plot = ({ compared = NONE, samples, stepMs, summary, values, ...rest }: PlotProps) => {
  const { span } = rest
  const data = useMemo(() => {
    const times = listTimes(span, stepMs)
    const others = compared.map(({ id, name, samples }) => ({
      id,
      name,
      values: listLines(samples, times, stepMs, values)[0]!
    }))
    return { times, lines: listLines(samples, times, stepMs, values), others }
  }, [samples, compared, span, stepMs, values])
  return <TimePlot {...rest} {...data} summary={summary(samples)} />
}
