/**
 * A list that renders only its visible rows. All rows must have the same height. The keyboard focus is on the list and not on its rows. The
 * list reports the active row to assistive programs.
 */
import { useSignal } from "@preact/signals"
import type { AriaAttributes, ComponentChild, JSX } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"

const ROW_ROLES = { listbox: "option", tree: "treeitem", grid: "row" } as const

/** Attributes that mark an element as a row of its list. */
export interface RowAttributes extends AriaAttributes {
  readonly id: string
  readonly role: (typeof ROW_ROLES)[keyof typeof ROW_ROLES]
}

export interface VirtualListProps {
  /** Id of the list, which must be unique on the page. */
  readonly id: string
  readonly label: string
  readonly role: keyof typeof ROW_ROLES
  readonly count: number
  /** Height of a row in CSS pixels. */
  readonly rowHeight: number
  /** Index of the active row, on which keys act. -1 if no row is active. When the index changes, the list scrolls to the active row. */
  readonly active: number
  /**
   * Index of a row to which the list scrolls instead of the active row, for example the row of the field under the pointer. With -1 (the
   * default), the list scrolls to the active row.
   */
  readonly look?: number
  /** Renders a row. The rendered element must have `attributes`. */
  readonly render: (index: number, attributes: RowAttributes) => ComponentChild
  /** Called when a key makes another row active. */
  readonly onMove?: (index: number) => void
  /** Called for each key that the list does not handle: keys that cannot move the active row, or all keys if `onMove` is absent. */
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onPointerLeave?: () => void
  /** Called when the first or the last rendered row changes, with the indices of both rows. */
  readonly onView?: (first: number, last: number) => void
  /** Initial scroll position, in CSS pixels (default: 0). */
  readonly startAt?: number
  /** Called when the list is removed from the page, with its last scroll position in CSS pixels. */
  readonly onLeave?: (top: number) => void
  readonly class?: string
}

/** This number of rows is rendered above the visible rows, and the same number below the visible rows. */
const OVERSCAN = 8

const INITIAL_HEIGHT = 600

/** The list. It sets the CSS variable `--whole` to the total height of all rows, for use in the stylesheet. */
export const VirtualList = (props: VirtualListProps): JSX.Element => {
  const { active, count, id, look = -1, rowHeight, startAt = 0 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(startAt)
  const height = useSignal(INITIAL_HEIGHT)
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
    // The list cannot scroll until the number of rows is known.
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

  const makeAttributes = (index: number): RowAttributes => ({
    id: `${id}-${index}`,
    role: ROW_ROLES[props.role],
    ...(props.role === "grid" ? { "aria-rowindex": index + 1 } : { "aria-selected": index === active }),
    ...(props.role === "listbox" ? { "aria-posinset": index + 1, "aria-setsize": count } : {})
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = findStep(event.key, Math.max(1, Math.floor(height.value / rowHeight) - 1))
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
            props.render(first + i, makeAttributes(first + i))
          )}
        </div>
      </div>
    </div>
  )
}

/**
 * The number of rows by which a key moves the active row. `undefined` if the key does not move the active row. `page` is the number of rows
 * for Page Up and Page Down.
 */
const findStep = (key: string, page: number): number | undefined =>
  ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity })[key]
