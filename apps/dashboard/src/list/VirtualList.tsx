/** A list of rows of one height of which only those in view exist. The list holds the focus, and says which row is active. */
import { useSignal } from "@preact/signals"
import type { ComponentChild } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

interface VirtualListProps {
  /** Unique on the page; rows are `${id}-${index}`. */
  readonly id: string
  readonly label: string
  readonly count: number
  /** In CSS pixels. */
  readonly rowHeight: number
  /** The row that keys act on; -1 for none. */
  readonly active: number
  /** Must give an element with the id `${id}-${index}` and the role `option`. */
  readonly render: (index: number) => ComponentChild
  readonly onMove: (index: number) => void
  readonly onOpen: () => void
  /** Other rows are in view. */
  readonly onView: (first: number, last: number) => void
  /** How far it is scrolled at first, in CSS pixels, and how far it was when it went away. */
  readonly startAt: number
  readonly onLeave: (top: number) => void
}

/** Rows above and below that exist before they are seen. */
const OVERSCAN = 6

/** However little room there is, in CSS pixels. */
const LEAST_HEIGHT = 260

/** Height of a list that has not been measured. */
const FIRST_GUESS = 600

export const VirtualList = ({ active, count, id, rowHeight, ...props }: VirtualListProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(props.startAt)
  const height = useSignal(FIRST_GUESS)
  const first = Math.max(0, Math.min(Math.floor(top.value / rowHeight), count - 1) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + OVERSCAN)

  // With its border.
  const wholeHeight = count * rowHeight + 2

  useEffect(() => {
    const element = scroller.current!
    const observer = new ResizeObserver(() => void (height.value = element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => props.onView(first, last - 1), [first, last])
  useLayoutEffect(() => {
    // There is nothing to scroll over before the number of rows is known.
    if (count > 0) scroller.current!.scrollTop = top.value
  }, [count > 0])
  useEffect(() => () => props.onLeave(top.value), [])
  useLayoutEffect(() => {
    const element = scroller.current!
    const at = active * rowHeight
    if (active < 0) return
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = at + rowHeight - element.clientHeight
    }
  }, [active])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") return props.onOpen()
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 1)
    const step = stepsBy(page)[event.key]
    if (step === undefined || count === 0) return
    event.preventDefault()
    props.onMove(Math.max(0, Math.min(count - 1, active + step)))
  }
  return (
    <div
      ref={scroller}
      id={id}
      class="list"
      role="listbox"
      aria-label={props.label}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      style={{ minHeight: `${Math.min(LEAST_HEIGHT, wholeHeight)}px`, maxHeight: `${wholeHeight}px` }}
      onScroll={(event) => void (top.value = event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${count * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, i) => props.render(first + i))}
        </div>
      </div>
    </div>
  )
}

/** How far each key moves. */
const stepsBy = (page: number): Readonly<Record<string, number>> => ({
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: page,
  PageUp: -page,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY
})
