/** Removes a server from the monitor's own list without asking for confirmation. The page then offers to undo the removal. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { listLink } from "../address.ts"
import { errorMessage, remove } from "../requests.ts"
import { noteRemoved } from "../removed.ts"
import { displayName } from "../words.ts"

export const Remove = ({ target }: { readonly target: TargetRow }) => {
  const trouble = useSignal<string | undefined>(undefined)
  const go = async (): Promise<void> => {
    trouble.value = await remove(target.id).then((server) => {
      noteRemoved({ ...server, title: displayName(target) })
      location.hash = listLink.value
      return undefined
    }, errorMessage)
  }
  return (
    <>
      <Button onClick={() => void go()}>Remove</Button>
      <Alert text={trouble.value} />
    </>
  )
}
