/** Undoes and redoes steps of a view. */
import { Button } from "@sourcewire/ui/widgets"
import { redo, redoable, undo, undoable } from "./steps.ts"

/** If there is nothing to undo or redo, the buttons are marked as disabled but can still have the focus. So the focus does not move. */
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
