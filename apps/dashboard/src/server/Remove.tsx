/** Takes a server off the monitor's own list. */
import { useSignal } from "@preact/signals"
import { listLink } from "../address.ts"
import { remove } from "../ask.ts"

/** A button that asks once more. */
export const Remove = ({ id }: { readonly id: number }) => {
  const isSure = useSignal(false)
  const trouble = useSignal<string | undefined>(undefined)
  const go = async (): Promise<void> => {
    try {
      await remove(id)
      location.hash = listLink.value
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : String(error)
    }
  }
  return (
    <>
      {isSure.value ? (
        <>
          <button type="button" onClick={() => void go()}>
            Stop watching it
          </button>
          <button type="button" onClick={() => void (isSure.value = false)}>
            Keep
          </button>
        </>
      ) : (
        <button type="button" onClick={() => void (isSure.value = true)}>
          Remove …
        </button>
      )}
      {trouble.value !== undefined && (
        <span class="wrong" role="alert">
          {trouble.value}
        </span>
      )}
    </>
  )
}
