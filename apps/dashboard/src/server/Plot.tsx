/** A plot over time. */
import type { Sample } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { useMatches } from "@sourcewire/playground/widgets"
import { useEffect, useMemo, useRef } from "preact/hooks"
import uPlot from "uplot"
import { shortDayOf, timeOf } from "../words.ts"
import type { Measure } from "./measures.ts"
import { seriesOf, silences, type Span } from "./series.ts"

interface PlotProps extends Measure {
  readonly samples: ReadonlyArray<Sample>
  readonly span: Span
  readonly stepMs: number
}

const HEIGHT = 170
const DAY_SECONDS = 86_400
/** Plots of one key have one pointer. */
const TOGETHER = "plots"
const WHOLE_STEPS = [1, 2, 5].flatMap((step) => [1, 10, 100, 1000].map((size) => step * size)).toSorted((a, b) => a - b)

/** What the style sheet says of a colour now; a canvas does not know its variables. */
const colourOf = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ""
  return color
}

/** A moment at the axis: by its time, and midnight by its day. */
const tickOf = (seconds: number, step: number): string => {
  const date = new Date(seconds * 1000)
  const isDay = step >= DAY_SECONDS || (date.getHours() === 0 && date.getMinutes() === 0)
  return isDay ? shortDayOf(seconds * 1000) : timeOf(seconds * 1000)
}

const thin = (colour: string, share: number): string => colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`)

/** Draws what was silent, behind the lines. */
const drawSilences = (plot: uPlot, silences: ReadonlyArray<Span>, colour: string): void => {
  const { ctx } = plot
  const { height, left, top, width } = plot.bbox
  ctx.save()
  ctx.fillStyle = colour
  for (const [from, to] of silences) {
    const [start, end] = [from, to].map((at) =>
      Math.max(left, Math.min(left + width, plot.valToPos(at, "x", true)))
    ) as [number, number]
    // As seen from a month away, some minutes would be nothing.
    if (end > left && start < left + width) ctx.fillRect(start, top, Math.max(2, end - start), height)
  }
  ctx.restore()
}

/** Draws it anew where the colours change, and as wide as there is room. */
export const Plot = (props: PlotProps) => {
  const { samples, span, stepMs, title, values } = props
  const data = useMemo(() => seriesOf(samples, stepMs, values), [samples, stepMs, values])
  const summary = props.summary(samples)
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const isDark = useMatches("(prefers-color-scheme: dark)")
  const pointed = useSignal<string | undefined>(undefined)

  const optionsFor = (element: HTMLElement): uPlot.Options => {
    const { axisUnit = "", most, whole } = props
    const [line, quiet, grid, wrong] = ["accent", "quiet", "line", "wrong"].map((name) => colourOf(element, name))
    const soft = thin(line!, 0.18)
    const axis = { stroke: quiet!, grid: { stroke: grid!, width: 1 }, ticks: { show: false } }
    const isBand = data.length === 4
    const point = (plot: uPlot): void => {
      const { idx } = plot.cursor
      const isThere = idx !== null && idx !== undefined
      const at = isThere ? plot.data[0][idx] : undefined
      if (at === undefined) return void (pointed.value = undefined)
      const values = plot.data.slice(1).map((series) => series[idx!] ?? null)
      pointed.value = `${shortDayOf(at * 1000)}, ${timeOf(at * 1000)}: ${props.say(values)}`
    }
    return {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: TOGETHER } },
      hooks: {
        drawClear: [
          (plot) => drawSilences(plot, silences(latest.current.samples, latest.current.stepMs), thin(wrong!, 0.22))
        ],
        setCursor: [point]
      },
      scales: { y: { range: (_, __, max) => [0, most ?? Math.max(whole === true ? 4 : 1, (max ?? 0) * 1.1)] } },
      axes: [
        { ...axis, size: 30, values: (_, ticks, __, ___, step) => ticks.map((tick) => tickOf(tick, step)) },
        {
          ...axis,
          size: 46,
          ...(whole === true ? { incrs: WHOLE_STEPS } : {}),
          values: (_, ticks) => ticks.map((tick) => `${tick}${axisUnit}`)
        }
      ],
      series: [
        {},
        ...data.slice(1).map((_, i) => ({
          stroke: i === 0 ? line! : soft,
          width: i === 0 ? 2 : 1,
          points: i === 0 ? { size: 4, fill: line! } : { show: false },
          ...(i === 0 && !isBand ? { fill: soft } : {})
        }))
      ],
      ...(isBand ? { bands: [{ series: [2, 3] as [number, number], fill: soft }] } : {})
    }
  }

  useEffect(() => {
    const element = place.current!
    const plot = new uPlot(optionsFor(element), undefined, element)
    drawn.current = plot
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [isDark])
  useEffect(() => {
    drawn.current?.setData(data)
    drawn.current?.setScale("x", { min: span[0], max: span[1] })
  }, [data, isDark])

  return (
    <figure class="plot">
      <figcaption>
        {title} <span class={pointed.value === undefined ? "quiet" : "pointed"}>{pointed.value ?? summary}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  )
}
