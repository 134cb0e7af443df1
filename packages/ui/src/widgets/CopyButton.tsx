/** A button that copies a text and confirms it. */
import { Button } from "./forms.tsx"
import { useSignal } from "@preact/signals"

/** How long the confirmation is shown, in ms. */
const CONFIRMATION_MS = 1500

/** A button that copies a text. The text can be a function, which is called on a click. If it returns `undefined`, nothing is copied. */
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
