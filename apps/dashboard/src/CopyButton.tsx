/** Copies a text and says so. */
import { useSignal } from "@preact/signals"

/** How long the button says that it has copied, in ms. */
const SAID_MS = 1500

/** `label` says what is copied. */
export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const said = useSignal<string | undefined>(undefined)
  const copy = async (): Promise<void> => {
    said.value = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not allowed"
    )
    setTimeout(() => void (said.value = undefined), SAID_MS)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {said.value ?? label}
    </button>
  )
}
