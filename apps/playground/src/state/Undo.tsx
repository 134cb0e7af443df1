/** Undoes and redoes steps of a view. */
import { Button } from "@sourcewire/ui/widgets"
import { redo, redoable, undo, undoable } from "./steps.ts"

/**
 * The two buttons. If there is no step to undo or redo, the button is marked as disabled, but keeps the focus. With the attribute
 * `disabled`, the button would lose the focus after the last step.
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
