/** Undoes and redoes steps of a view. */
import { Button } from "@sourcewire/ui/widgets"
import { redo, redoable, undo, undoable } from "./steps.ts"

/**
 * A button without a step to undo or redo is marked as disabled, but can still have the focus. Otherwise, the button would lose the focus
 * when its last step has been undone or redone.
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
