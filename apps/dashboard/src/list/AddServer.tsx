/** Adds servers to the monitor's own list: a single server by its address, or many servers from a text or a file after a preview. */
import { useSignal } from "@preact/signals"
import { Button, Form, Submit, TextField } from "@sourcewire/ui/widgets"
import { add, errorMessage } from "../requests.ts"
import { AddMany } from "./AddMany.tsx"

export const AddServer = () => {
  const address = useSignal("")
  const isSent = useSignal(false)
  const isMany = useSignal(false)
  const outcome = useSignal<{ readonly text: string; readonly isWrong: boolean } | undefined>(undefined)
  const submit = async (): Promise<void> => {
    if (isSent.value || address.value.trim() === "") return
    isSent.value = true
    outcome.value = await add(address.value).then(
      (added) => ({ text: `Added ${added}. The first query follows within seconds.`, isWrong: false }),
      (error: unknown) => ({ text: errorMessage(error), isWrong: true })
    )
    isSent.value = false
    if (!outcome.value.isWrong) address.value = ""
  }
  return (
    <>
      <Form class="bar adding" onSubmit={submit}>
        <TextField
          label="Address of a server"
          value={address}
          input={{ name: "address", placeholder: "play.example.org:27015", maxLength: 300 }}
        />
        <Submit>Add server</Submit>
        <Button aria-expanded={isMany.value} onClick={() => void (isMany.value = !isMany.value)}>
          Add many
        </Button>
        <span role="status" class={outcome.value?.isWrong === true ? "wrong" : "quiet"}>
          {outcome.value?.text}
        </span>
      </Form>
      {isMany.value && <AddMany close={() => void (isMany.value = false)} />}
    </>
  )
}
