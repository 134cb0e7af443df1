/**
 * A list of rows of one height of which only those in view exist. The list holds the focus, and says which row is active.
 */
import { useSignal } from "@preact/signals"
import type { AriaAttributes, ComponentChild, JSX } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

const ROW_ROLES = { listbox: "option", tree: "treeitem", grid: "row" } as const

/** What makes an element a row of its list. */
export interface RowAttributes extends AriaAttributes {
  readonly id: string
  readonly role: (typeof ROW_ROLES)[keyof typeof ROW_ROLES]
}

export interface VirtualListProps {
  /** Unique on the page. */
  readonly id: string
  readonly label: string
  readonly role: keyof typeof ROW_ROLES
  readonly count: number
  /** In CSS pixels. */
  readonly rowHeight: number
  /** The row that keys act on, brought into view whenever it changes; -1 for none. */
  readonly active: number
  /** A row that is only looked at for a moment, brought into view as well; -1 for none. */
  readonly look?: number
  /** Must give an element with these attributes. */
  readonly render: (index: number, attributes: RowAttributes) => ComponentChild
  /** Another row becomes active, by a key that moves. */
  readonly onMove?: (index: number) => void
  /** Any other key. */
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onPointerLeave?: () => void
  /** Other rows exist. */
  readonly onView?: (first: number, last: number) => void
  /** How far it is scrolled at first, in CSS pixels, and how far it was when it went away. */
  readonly startAt?: number
  readonly onLeave?: (top: number) => void
  readonly class?: string
}

/** Rows above and below that exist before they are seen. */
const OVERSCAN = 8

const FIRST_GUESS = 600

/** The style sheet knows the height of all rows as `--whole`. */
export const VirtualList = (props: VirtualListProps): JSX.Element => {
  const { active, count, id, look = -1, rowHeight, startAt = 0 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(startAt)
  const height = useSignal(FIRST_GUESS)
  const first = Math.max(0, Math.min(Math.floor(top.value / rowHeight), count - 1) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + OVERSCAN)

  useEffect(() => {
    const element = scroller.current!
    const observer = new ResizeObserver(() => void (height.value = element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => props.onView?.(first, last - 1), [first, last])
  useLayoutEffect(() => {
    // There is nothing to scroll over before the number of rows is known.
    if (count > 0) scroller.current!.scrollTop = top.value
  }, [count > 0])
  useEffect(() => () => props.onLeave?.(top.value), [])

  useLayoutEffect(() => {
    const element = scroller.current!
    const wanted = look >= 0 ? look : active
    if (wanted < 0) return
    const at = wanted * rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = at + rowHeight - element.clientHeight
    }
  }, [active, look, count, rowHeight])

  const attributesOf = (index: number): RowAttributes => ({
    id: `${id}-${index}`,
    role: ROW_ROLES[props.role],
    ...(props.role === "grid" ? { "aria-rowindex": index + 1 } : { "aria-selected": index === active }),
    ...(props.role === "listbox" ? { "aria-posinset": index + 1, "aria-setsize": count } : {})
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, Math.max(1, Math.floor(height.value / rowHeight) - 1))
    if (step === undefined || props.onMove === undefined) return props.onKeyDown?.(event)
    event.preventDefault()
    if (count > 0) props.onMove(Math.max(0, Math.min(count - 1, active + step)))
  }
  return (
    <div
      ref={scroller}
      id={id}
      class={`list ${props.class ?? ""}`}
      role={props.role}
      aria-label={props.label}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      aria-rowcount={props.role === "grid" ? count : undefined}
      tabIndex={0}
      style={{ "--whole": `${count * rowHeight}px` }}
      onScroll={(event) => void (top.value = event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onPointerLeave={props.onPointerLeave}
    >
      <div role="presentation" class="list-space">
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, i) =>
            props.render(first + i, attributesOf(first + i))
          )}
        </div>
      </div>
    </div>
  )
}

/** How far a key moves in a list; `undefined` for keys that don't. A page is what is in view. */
const stepOf = (key: string, page: number): number | undefined =>
  ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity })[key]
