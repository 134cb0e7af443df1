/** Takes the last step of a view back. */
import { undo, undoable } from "./steps.ts"
import { Button } from "@sourcewire/ui/widgets"

/** Stays in place where there is nothing to take back, so that focus does. */
export const Undo = () => (
  <Button aria-disabled={!undoable.value} title="Ctrl-Z, or the browser’s Back" onClick={undo}>
    Undo
  </Button>
)
