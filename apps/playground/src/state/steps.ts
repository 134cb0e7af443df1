/**
 * Steps that can be taken back: with a button, with Ctrl-Z where no field has an undo of its own, or with the browser's Back. Each step
 * is an entry of the browser's history, whose state is the number of steps that led to it.
 */
import { computed, signal } from "@preact/signals"
import { type Tab, tab, trustAddress } from "./address.ts"

interface Step {
  /** Of the history's entry that it led to. */
  readonly number: number
  readonly tab: Tab
  /** What was changed, where further changes of the same are no step of their own. */
  readonly of: string | undefined
  readonly restore: () => void
}

const taken = signal<ReadonlyArray<Step>>([])

const numberNow = (): number => (typeof history.state === "number" ? history.state : 0)

const MAX_STEPS = 200

/** Whether a step was taken in this turn of the event loop. */
let fresh = false

/**
 * Takes a step; `restore` takes it back. Changes in one go are one step, and so are changes of one thing in a row, by its name `of`.
 */
export const step = (restore: () => void, of?: string): void => {
  const last = taken.value.at(-1)
  if (fresh) return
  fresh = true
  setTimeout(() => (fresh = false))
  if (of !== undefined && last?.of === of && last.tab === tab.value) return
  const number = Math.max(numberNow(), last?.number ?? 0) + 1
  taken.value = [...taken.value.slice(1 - MAX_STEPS), { number, tab: tab.value, of, restore }]
  history.pushState(number, "")
}

/** Whether there is a step of this view to be taken back. */
export const undoable = computed(() => taken.value.at(-1)?.tab === tab.value)

export const undo = (): void => {
  const last = taken.value.at(-1)
  if (last === undefined || !undoable.value) return
  taken.value = taken.value.slice(0, -1)
  last.restore()
}

export const followSteps = (): void => {
  // An entry without a number is new: the first one, or that of a link within the page.
  const number = (): void => {
    if (typeof history.state !== "number") history.replaceState(taken.value.at(-1)?.number ?? 0, "")
  }
  number()
  addEventListener("popstate", () => {
    number()
    const back = taken.value.filter(({ number }) => number > numberNow())
    if (back.length === 0) return
    taken.value = taken.value.slice(0, -back.length)
    for (const { restore } of back.toReversed()) restore()
    trustAddress()
  })
  addEventListener("keydown", (event) => {
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return
    if (event.target instanceof HTMLTextAreaElement || !undoable.value) return
    event.preventDefault()
    undo()
  })
}
