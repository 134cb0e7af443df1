/** A plot over time. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import type { Series } from "./series.ts"

interface PlotProps {
  readonly title: string
  /** For those who do not see it. */
  readonly summary: string
  /** The first is drawn as a line; a second and third bound an area around it. */
  readonly labels: ReadonlyArray<string>
  readonly unit: string
  readonly data: Series
  /** From when to when, in seconds. */
  readonly span: readonly [from: number, to: number]
  /** The top of the scale, where it is always the same. */
  readonly most?: number
}

const HEIGHT = 190
const DAY_SECONDS = 86_400
const DARK = matchMedia("(prefers-color-scheme: dark)")

/** What the style sheet says of a colour now; a canvas does not know its variables. */
const colourOf = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ""
  return color
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })

/** A moment at the axis: by its time, and midnight by its day. */
const tickOf = (seconds: number, step: number): string => {
  const date = new Date(seconds * 1000)
  const isDay = step >= DAY_SECONDS || (date.getHours() === 0 && date.getMinutes() === 0)
  return (isDay ? day : clock).format(date)
}

const optionsFor = (element: HTMLElement, { labels, most, unit }: PlotProps): uPlot.Options => {
  const [line, quiet, grid] = ["accent", "quiet", "line"].map((name) => colourOf(element, name))
  const soft = line!.replace(/^rgb\((.*)\)$/, "rgba($1, 0.18)")
  const axis = { stroke: quiet!, grid: { stroke: grid!, width: 1 }, ticks: { stroke: grid!, width: 1 } }
  const value = (_: uPlot, given: number | null): string =>
    given === null ? "–" : `${Number(given.toFixed(1))}${unit === "" ? "" : ` ${unit}`}`
  return {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { y: { range: (_, __, max) => [0, most ?? Math.max(1, (max ?? 0) * 1.1)] } },
    axes: [
      { ...axis, values: (_, ticks, __, ___, step) => ticks.map((tick) => tickOf(tick, step)) },
      { ...axis, size: 52, values: (_, ticks) => ticks.map((tick) => `${tick}${unit === "%" ? " %" : ""}`) }
    ],
    series: [
      { label: "time", value: "{YYYY}-{MM}-{DD} {HH}:{mm}" },
      ...labels.map((label, i) => ({
        label,
        value,
        stroke: i === 0 ? line! : soft,
        width: i === 0 ? 2 : 1,
        points: i === 0 ? { size: 4, fill: line! } : { show: false },
        ...(i === 0 && labels.length === 1 ? { fill: soft } : {})
      }))
    ],
    ...(labels.length === 3 ? { bands: [{ series: [2, 3] as [number, number], fill: soft }] } : {})
  }
}

/** Draws it anew where the colours change, and as wide as there is room. */
export const Plot = (props: PlotProps) => {
  const { data, span, summary, title } = props
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const scheme = useSignal(DARK.matches)

  useEffect(() => {
    const onScheme = (): void => void (scheme.value = DARK.matches)
    DARK.addEventListener("change", onScheme)
    return () => DARK.removeEventListener("change", onScheme)
  }, [])
  useEffect(() => {
    const element = place.current!
    const plot = new uPlot(optionsFor(element, props), undefined, element)
    drawn.current = plot
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [scheme.value])
  useEffect(() => {
    drawn.current?.setData(data)
    drawn.current?.setScale("x", { min: span[0], max: span[1] })
  }, [data, scheme.value])

  return (
    <figure class="plot">
      <figcaption>
        {title} <span class="quiet">{summary}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  )
}
