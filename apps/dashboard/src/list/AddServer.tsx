/** Adds a server to the monitor's own list. */
import { useSignal } from "@preact/signals"
import { Form, Submit, TextField } from "@sourcewire/playground/widgets"
import { add, messageOf } from "../ask.ts"

export const AddServer = () => {
  const address = useSignal("")
  const isAsked = useSignal(false)
  const told = useSignal<{ readonly text: string; readonly isWrong: boolean } | undefined>(undefined)
  const submit = async (): Promise<void> => {
    if (isAsked.value || address.value.trim() === "") return
    isAsked.value = true
    told.value = await add(address.value).then(
      (added) => ({ text: `${added} is asked within seconds.`, isWrong: false }),
      (error: unknown) => ({ text: messageOf(error), isWrong: true })
    )
    isAsked.value = false
    if (!told.value.isWrong) address.value = ""
  }
  return (
    <Form class="bar adding" onSubmit={submit}>
      <TextField
        label="Address of a server"
        value={address}
        input={{ name: "address", placeholder: "play.example.org:27015", maxLength: 300 }}
      />
      <Submit>Add server</Submit>
      <span role="status" class={told.value?.isWrong === true ? "wrong" : "quiet"}>
        {told.value?.text}
      </span>
    </Form>
  )
}
