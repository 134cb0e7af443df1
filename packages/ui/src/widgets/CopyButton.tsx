/** Copies a text and says so. */
import { Button } from "./forms.tsx"
import { useSignal } from "@preact/signals"

/** How long the button says that it has copied, in ms. */
const SAID_MS = 1500

/** The text may be made when it is wanted; nothing is copied when it is `undefined`. */
export const CopyButton = (props: {
  readonly label: string
  readonly text: string | (() => string | undefined | Promise<string | undefined>)
  readonly title?: string
}) => {
  const said = useSignal("")
  const copy = async () => {
    try {
      const text = typeof props.text === "string" ? props.text : await props.text()
      if (text === undefined) return
      await navigator.clipboard.writeText(text)
      said.value = "Copied"
    } catch {
      said.value = "Not allowed"
    }
    setTimeout(() => void (said.value = ""), SAID_MS)
  }
  return (
    <Button class="copy" title={props.title} onClick={copy}>
      {said.value || props.label}
    </Button>
  )
}
