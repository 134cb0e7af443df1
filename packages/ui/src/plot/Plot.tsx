/** A plot of values over time. */
import { useSignal } from "@preact/signals"
import type { ComponentChild } from "preact"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import uPlot from "uplot"
import type { Span } from "../Spans.ts"
import { formatPointed, formatTick } from "../Times.ts"
import { theme } from "../widgets/theme.ts"
import { useMatches } from "../widgets/useMatches.ts"

/** The values of a line, one for each item of `times`. `null` is a gap in the line. */
export type Values = ReadonlyArray<number | null>

/** The line of a server that the user compares with the server of the plot. This line is drawn with dashes. */
export interface OtherLine {
  readonly id: number
  readonly name: string
  readonly values: Values
}

export interface PlotProps {
  readonly title: string
  /** A short description of all values, which is shown while the pointer is not over the plot. */
  readonly summary: string
  /** Times of the values in seconds, in ascending order. */
  readonly times: ReadonlyArray<number>
  /** The lines. The first line shows the values. If there are three lines, the area between the second and the third line is filled. */
  readonly lines: ReadonlyArray<Values>
  readonly others?: ReadonlyArray<OtherLine>
  readonly span: Span
  /** Periods without a reply. */
  readonly outages: ReadonlyArray<Span>
  readonly height?: number
  /**
   * The value at the top of the scale. By default, the top is 10 % above the largest value of the lines. If `whole` is set, the default is
   * at least 4, otherwise at least 1.
   */
  readonly most?: number
  /** The unit of the numbers at the axis. */
  readonly axisUnit?: string
  /** Whether the axis shows only whole numbers. */
  readonly whole?: boolean
  /** Returns a short text about the values that `lines` have at one time. */
  readonly formatValues: (values: Values) => string
  /** Called with the start and the end of the period that the user selected with the pointer. */
  readonly onSelect?: (from: number, to: number) => void
  /** Returns a text about one time of the plot; `at` is this time in seconds. The plot shows this text after the text of `formatValues`. */
  readonly describeMore?: (at: number) => string | undefined
  /** Content that is shown between the title and the plot (`above`), and below the plot (`below`). */
  readonly above?: ComponentChild
  readonly below?: ComponentChild
}

const HEIGHT = 170
/** A key that connects the plots of a page: when the pointer is over one plot, the other plots with this key show the same time. */
const TOGETHER = "plots"
/** Minimum width of a selection, in CSS pixels. A narrower selection is treated as a click. */
const LEAST_SELECTED = 6
const WHOLE_STEPS = [1, 2, 5].flatMap((step) => [1, 10, 100, 1000].map((size) => step * size)).toSorted((a, b) => a - b)
/** Dash patterns for the lines of compared servers. The colours of these lines are `--other-1`, `--other-2` and `--other-3`. */
const DASHES = [
  [8, 4],
  [2, 3],
  [10, 3, 2, 3]
] as const

/** The default value of `others`. It is a constant, because the plot would treat a new array in each rendering as changed data. */
const NONE: ReadonlyArray<OtherLine> = []

/** Reads the current value of a colour in the stylesheet, because a canvas cannot use CSS variables. */
const readColour = (element: HTMLElement, name: string): string => {
  element.style.color = `var(--${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ""
  return color
}

const thin = (colour: string, share: number): string => colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`)

/** Colours the background of the periods without a reply. */
const drawOutages = (plot: uPlot, outages: ReadonlyArray<Span>, colour: string): void => {
  const { ctx } = plot
  const { height, left, top, width } = plot.bbox
  ctx.save()
  ctx.fillStyle = colour
  for (const [from, to] of outages) {
    const [start, end] = [from, to].map((at) =>
      Math.max(left, Math.min(left + width, plot.valToPos(at, "x", true)))
    ) as [number, number]
    // The minimum width makes an outage of a few minutes visible in a plot of a month.
    if (end > left && start < left + width) ctx.fillRect(start, top, Math.max(2, end - start), height)
  }
  ctx.restore()
}

/**
 * Lets the user select a period by touch, because uPlot supports only the mouse. Vertical movements still scroll the page, as the
 * stylesheet specifies.
 */
const followTouch = (plot: uPlot): void => {
  const { over } = plot
  let start: number | undefined
  const end = (fires: boolean) => () => {
    if (start === undefined) return
    start = undefined
    plot.setSelect(fires ? plot.select : { left: 0, width: 0, top: 0, height: 0 }, fires)
  }
  const findLeft = ({ clientX }: PointerEvent): number =>
    Math.max(0, Math.min(over.clientWidth, clientX - over.getBoundingClientRect().left))
  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" && event.isPrimary) start = findLeft(event)
  })
  over.addEventListener("pointermove", (event) => {
    if (start === undefined || !event.isPrimary) return
    const left = findLeft(event)
    plot.setCursor({ left, top: 0 })
    plot.setSelect(
      { left: Math.min(start, left), width: Math.abs(left - start), top: 0, height: over.clientHeight },
      false
    )
  })
  over.addEventListener("pointerup", end(true))
  over.addEventListener("pointercancel", end(false))
}

/** Shows a plot. The plot is drawn again when the colours or the width of the page change. */
export const Plot = (props: PlotProps) => {
  const { height = HEIGHT, lines, others = NONE, span, summary, times, title } = props
  const data = useMemo(
    () => [times, ...lines, ...others.map(({ values }) => values)] as unknown as uPlot.AlignedData,
    [times, lines, others]
  )
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const isDark = useMatches("(prefers-color-scheme: dark)")
  const isPrinted = useMatches("print")
  const pointed = useSignal<ReadonlyArray<number | null> | undefined>(undefined)
  const pointedAt = useSignal("")
  const more = useSignal<string | undefined>(undefined)

  const optionsFor = (element: HTMLElement): uPlot.Options => {
    const { axisUnit = "", most, whole } = props
    const [line, quiet, grid, wrong] = ["accent", "quiet", "line", "wrong"].map((name) => readColour(element, name))
    const soft = thin(line!, 0.18)
    const axis = { stroke: quiet!, grid: { stroke: grid!, width: 1 }, ticks: { show: false } }
    const own = data.length - 1 - others.length
    const isBand = own === 3
    const point = (plot: uPlot): void => {
      const { idx } = plot.cursor
      const at = idx === null || idx === undefined ? undefined : plot.data[0][idx]
      pointed.value = at === undefined ? undefined : plot.data.slice(1).map((series) => series[idx!] ?? null)
      if (at === undefined) return
      const before = plot.data[0][idx! - 1] ?? plot.data[0][idx! + 1] ?? at
      pointedAt.value = formatPointed(at, Math.abs(at - before))
      more.value = latest.current.describeMore?.(at)
    }
    const select = (plot: uPlot): void => {
      const { left, width } = plot.select
      if (width === 0) return
      plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
      if (width < LEAST_SELECTED) return
      latest.current.onSelect?.(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"))
    }
    return {
      width: element.clientWidth,
      height,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: props.onSelect !== undefined, y: false, setScale: false },
        sync: { key: TOGETHER },
        // Without this handler, a double click would change the scale of this plot but not of the other plots.
        bind: { dblclick: () => null }
      },
      hooks: {
        drawClear: [(plot) => drawOutages(plot, latest.current.outages, thin(wrong!, 0.22))],
        setCursor: [point],
        setSelect: [select]
      },
      scales: { y: { range: (_, __, max) => [0, most ?? Math.max(whole === true ? 4 : 1, (max ?? 0) * 1.1)] } },
      axes: [
        { ...axis, size: 30, values: (_, ticks, __, ___, step) => ticks.map((tick) => formatTick(tick, step)) },
        {
          ...axis,
          size: 46,
          ...(whole === true ? { incrs: WHOLE_STEPS } : {}),
          values: (_, ticks) => ticks.map((tick) => `${tick}${axisUnit}`)
        }
      ],
      series: [
        {},
        ...data.slice(1, own + 1).map((_, i) => ({
          stroke: i === 0 ? line! : soft,
          width: i === 0 ? 2 : 1,
          points: i === 0 ? { size: 4, fill: line! } : { show: false },
          ...(i === 0 && !isBand ? { fill: soft } : {})
        })),
        ...others.map((_, i) => ({
          stroke: readColour(element, `other-${i + 1}`),
          width: 2,
          dash: [...DASHES[i % DASHES.length]!],
          points: { show: false }
        }))
      ],
      ...(isBand ? { bands: [{ series: [2, 3] as [number, number], fill: soft }] } : {})
    }
  }

  // If the browser prints the page, an effect of `useEffect` may run too late. A layout effect runs before the page is printed.
  useLayoutEffect(() => {
    const element = place.current!
    const plot = new uPlot(optionsFor(element), undefined, element)
    drawn.current = plot
    if (props.onSelect !== undefined) followTouch(plot)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [isDark, isPrinted, theme.value, data.length, height])
  useLayoutEffect(() => {
    drawn.current?.setData(data)
    drawn.current?.setScale("x", { min: span[0], max: span[1] })
  }, [data, isDark, isPrinted, theme.value, height])

  const at = pointed.value
  return (
    <figure class={`plot ${props.onSelect === undefined ? "" : "wide"}`}>
      <figcaption>
        <bdi>{title}</bdi>{" "}
        {at === undefined ? (
          <span class="quiet">{summary}</span>
        ) : (
          <span class="pointed">
            {`${pointedAt.value}: ${props.formatValues(at.slice(0, at.length - others.length))}`}
            {at[0] !== null && more.value !== undefined && (
              <>
                , <bdi>{more.value}</bdi>
              </>
            )}
          </span>
        )}
      </figcaption>
      {props.above}
      <div ref={place} class="canvas" role="img" aria-label={`${title}: ${summary}`} />
      {props.below}
      {others.length > 0 && (
        <p class="compared">
          {others.map(({ id, name }, i) => (
            <span key={id} class={`other-${i + 1}`}>
              <i /> <bdi>{name}</bdi>{" "}
              <span class="quiet">{at === undefined ? "" : (at.at(i - others.length) ?? "no reply")}</span>
            </span>
          ))}
        </p>
      )}
    </figure>
  )
}
