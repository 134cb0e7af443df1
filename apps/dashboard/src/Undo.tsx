/** Reports which server was removed, and offers to add it again. */
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/ui/widgets"
import { addMany, errorMessage } from "./requests.ts"
import { removed } from "./removed.ts"

export const Undo = () => {
  const trouble = useSignal<string | undefined>(undefined)
  const server = removed.value
  if (server === undefined) return null
  const { group, name, text, title } = server
  const undo = async (): Promise<void> => {
    const names = name === undefined ? {} : { names: { [text]: name } }
    trouble.value = await addMany({ addresses: [text], group, ...names }).then(() => undefined, errorMessage)
    if (trouble.value === undefined) removed.value = undefined
  }
  return (
    <div class="notice bar undo">
      <span role="status">
        Removed <bdi>{title}</bdi>. Its history is kept.
      </span>
      <Button onClick={() => void undo()}>Undo</Button>
      <Button onClick={() => void (removed.value = undefined)}>Close</Button>
      <Alert text={trouble.value} />
    </div>
  )
}
