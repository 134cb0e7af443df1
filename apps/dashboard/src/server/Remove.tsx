/** Takes a server off the monitor's own list. */
import { useSignal } from "@preact/signals"
import { Alert, Button } from "@sourcewire/playground/widgets"
import { listLink } from "../address.ts"
import { messageOf, remove } from "../ask.ts"

/** A button that asks once more. */
export const Remove = ({ id }: { readonly id: number }) => {
  const isSure = useSignal(false)
  const trouble = useSignal<string | undefined>(undefined)
  const go = async (): Promise<void> => {
    trouble.value = await remove(id).then(() => undefined, messageOf)
    if (trouble.value === undefined) location.hash = listLink.value
  }
  return (
    <>
      {isSure.value ? (
        <>
          <Button onClick={() => void go()}>Stop watching it</Button>
          <Button onClick={() => void (isSure.value = false)}>Keep</Button>
        </>
      ) : (
        <Button onClick={() => void (isSure.value = true)}>Remove …</Button>
      )}
      <Alert text={trouble.value} />
    </>
  )
}
