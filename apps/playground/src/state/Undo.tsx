/** Undoes and redoes steps of a view. */
import { Button } from "@sourcewire/ui/widgets"
import { redo, redoable, undo, undoable } from "./steps.ts"

/**
 * The buttons Undo and Redo. If a button has no step to undo or redo, only `aria-disabled` marks it as disabled. With the attribute
 * `disabled`, a button would lose the focus after its last step.
 */
export const Undo = () => (
  <>
    <Button aria-disabled={!undoable.value} title="Ctrl-Z" onClick={undo}>
      Undo
    </Button>
    <Button aria-disabled={!redoable.value} title="Ctrl-Shift-Z" onClick={redo}>
      Redo
    </Button>
  </>
)
