/**
 * Changes that the user can undo and redo with buttons, or with Ctrl-Z, Ctrl-Shift-Z and Ctrl-Y. The page ignores these keys if the focused
 * field has its own undo. The browser's Back button leaves the view and does not undo a change.
 */
import { computed, signal } from "@preact/signals"
import { type Tab, tab } from "./address.ts"

/** Stores the state of a view, and returns a function that restores this state. */
export type Capture = () => () => void

interface Step {
  readonly tab: Tab
  /**
   * A name for the part of the state that the user changed. Consecutive changes with the same name are one step. If the name is
   * `undefined`, only changes in the same turn of the event loop are one step.
   */
  readonly of: string | undefined
  readonly capture: Capture
  readonly restore: () => void
}

const taken = signal<ReadonlyArray<Step>>([])

const undone = signal<ReadonlyArray<Step>>([])

const MAX_STEPS = 200

/** Whether a step was already recorded in this turn of the event loop. */
let fresh = false

/**
 * Stores the state before a change, so that the user can undo the change. Call this function before the change. All changes in one turn of
 * the event loop are one step. Consecutive changes with the same `of` are also one step.
 */
export const step = (capture: Capture, of?: string): void => {
  if (fresh) return
  fresh = true
  setTimeout(() => (fresh = false))
  undone.value = []
  const last = taken.value.at(-1)
  if (of !== undefined && last?.of === of && last.tab === tab.value) return
  taken.value = [...taken.value.slice(1 - MAX_STEPS), { tab: tab.value, of, capture, restore: capture() }]
}

const isOfView = (step: Step | undefined): boolean => step?.tab === tab.value

/** Whether the user can undo or redo a step now. A step can be undone or redone only in the view in which the user made it. */
export const undoable = computed(() => isOfView(taken.value.at(-1)))
export const redoable = computed(() => isOfView(undone.value.at(-1)))

/** Restores the state that is stored in the last step of `from`, and moves this step to `to`. */
const move = (from: typeof taken, to: typeof taken): void => {
  const last = from.value.at(-1)
  if (last === undefined || !isOfView(last)) return
  from.value = from.value.slice(0, -1)
  to.value = [...to.value, { ...last, of: undefined, restore: last.capture() }]
  last.restore()
}

export const undo = (): void => move(taken, undone)
export const redo = (): void => move(undone, taken)

export const followSteps = (): void => {
  // After each key press, `step` can record a new step, even if its timer has not run since the previous change.
  addEventListener("keydown", () => void (fresh = false), { capture: true })
  addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event
    if (!(ctrlKey || metaKey) || altKey) return
    const name = key.toLowerCase()
    const isRedo = (name === "z" && shiftKey) || (name === "y" && !shiftKey)
    if (!isRedo && (name !== "z" || shiftKey)) return
    if (target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "radio") return
    if (target instanceof HTMLTextAreaElement || !(isRedo ? redoable : undoable).value) return
    event.preventDefault()
    if (isRedo) redo()
    else undo()
  })
}
