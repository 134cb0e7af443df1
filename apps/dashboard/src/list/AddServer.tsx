/** Adds a server to the monitor's own list. */
import { useSignal } from "@preact/signals"
import { add } from "../ask.ts"

/** A field for its address. */
export const AddServer = () => {
  const address = useSignal("")
  const isAsked = useSignal(false)
  const told = useSignal<{ readonly text: string; readonly isWrong: boolean } | undefined>(undefined)
  const submit = async (): Promise<void> => {
    if (isAsked.value || address.value.trim() === "") return
    isAsked.value = true
    told.value = await add(address.value).then(
      (added) => ({ text: `${added} is asked within seconds.`, isWrong: false }),
      (error: unknown) => ({ text: error instanceof Error ? error.message : String(error), isWrong: true })
    )
    isAsked.value = false
    if (!told.value.isWrong) address.value = ""
  }
  return (
    <form
      class="bar adding"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <input
        type="text"
        name="address"
        aria-label="Address of a server"
        placeholder="play.example.org:27015"
        autocomplete="off"
        spellcheck={false}
        maxLength={300}
        value={address}
        onInput={(event) => void (address.value = event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Add server
      </button>
      <span role="status" class={told.value?.isWrong === true ? "wrong" : "quiet"}>
        {told.value?.text}
      </span>
    </form>
  )
}
