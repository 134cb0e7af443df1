/** A button that copies a text, and then shows whether the text was copied. */
import { Button } from "./forms.tsx"
import { useSignal } from "@preact/signals"

/** Time in milliseconds for which the button shows whether the text was copied. */
const CONFIRMATION_MS = 1500

/**
 * Copies a text when the user clicks. If `text` is a function, the click calls the function and copies its result. If the result is
 * `undefined`, nothing is copied.
 */
export const CopyButton = (props: {
  readonly label: string
  readonly text: string | (() => string | undefined | Promise<string | undefined>)
  readonly title?: string
}) => {
  const confirmation = useSignal("")
  const copy = async () => {
    try {
      const text = typeof props.text === "string" ? props.text : await props.text()
      if (text === undefined) return
      await navigator.clipboard.writeText(text)
      confirmation.value = "Copied"
    } catch {
      confirmation.value = "Cannot copy"
    }
    setTimeout(() => void (confirmation.value = ""), CONFIRMATION_MS)
  }
  return (
    <Button class="copy" title={props.title} onClick={copy}>
      {confirmation.value || props.label}
    </Button>
  )
}
