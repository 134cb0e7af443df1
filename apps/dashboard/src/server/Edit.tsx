/** Changes the name and the group of a server on the monitor's own list, and the labels of its group. */
import type { TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Button, Form, Submit, TextField } from "@sourcewire/ui/widgets"
import { edit, errorMessage } from "../requests.ts"
import { labelsIn, labelsText } from "../labels.ts"
import { displayName } from "../words.ts"

export const Edit = ({ target }: { readonly target: TargetRow }) => {
  const isOpen = useSignal(false)
  const name = useSignal("")
  const group = useSignal("")
  const labels = useSignal("")
  const trouble = useSignal<string | undefined>(undefined)
  const open = (): void => {
    name.value = displayName(target)
    group.value = target.group
    labels.value = labelsText(target.labels)
    isOpen.value = true
  }
  const submit = async (): Promise<void> => {
    const wantedLabels = labelsIn(labels.value)
    const changes = {
      ...(name.value === displayName(target) ? {} : { name: name.value.trim() }),
      ...(group.value.trim() === target.group || group.value.trim() === "" ? {} : { group: group.value.trim() }),
      ...(labelsText(wantedLabels) === labelsText(target.labels) ? {} : { labels: wantedLabels })
    }
    trouble.value =
      Object.keys(changes).length === 0 ? undefined : await edit(target.id, changes).then(() => undefined, errorMessage)
    isOpen.value = trouble.value !== undefined
  }
  if (!isOpen.value) return <Button onClick={open}>Edit</Button>
  return (
    <Form class="bar edit" onSubmit={submit}>
      <TextField
        isLabelled
        label="Name"
        value={name}
        input={{ name: "name", maxLength: 100, placeholder: "the server's own name" }}
      />
      <TextField isLabelled label="Group" value={group} input={{ name: "group", maxLength: 64 }} />
      <TextField
        isLabelled
        label="Labels of the group"
        value={labels}
        input={{ name: "labels", placeholder: "region=eu, tier=1" }}
      />
      <Submit>Save</Submit>
      <Button onClick={() => void (isOpen.value = false)}>Cancel</Button>
      <Alert text={trouble.value} />
    </Form>
  )
}
