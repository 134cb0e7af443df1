/**
 * The button that removes a server from the monitor's own list. The page asks for no confirmation, because the user can undo the removal.
 */
import type { TargetRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { listLink } from "../address.ts"
import { errorMessage, remove } from "../requests.ts"
import { noteRemoved } from "../removed.ts"
import { displayName } from "../words.ts"

interface Props {
  readonly target: TargetRow
  /** Whether the page has sent the request to remove the server. `false` again if the request fails. */
  readonly isRemoving: Signal<boolean>
}

export const Remove = ({ isRemoving, target }: Props) => {
  const trouble = useSignal<string | undefined>(undefined)
  const go = async (): Promise<void> => {
    isRemoving.value = true
    trouble.value = await remove(target.id).then((server) => {
      noteRemoved({ ...server, title: displayName(target) })
      location.hash = listLink.value
      return undefined
    }, errorMessage)
    if (trouble.value !== undefined) isRemoving.value = false
  }
  return (
    <>
      <Button onClick={() => void go()}>Remove</Button>
      <Alert text={trouble.value} />
    </>
  )
}
