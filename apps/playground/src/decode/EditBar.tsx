/**
 * The controls below the bytes. With these controls, the user can edit the bytes, copy the bytes in a chosen notation, and open the panel
 * for a server that sends the bytes.
 */
import { type Signal, useSignal } from "@preact/signals"
import { Button, Checkbox, CopyButton, Select } from "@sourcewire/ui/widgets"
import { droppedFragment, swappedFragments, truncation, wrongChecksum } from "./edits.ts"
import { ServePanel } from "./ServePanel.tsx"
import { SPELLINGS, type Spelling, spell } from "./spellings.ts"
import { chosenDatagrams, inspection } from "./workbench.ts"

const Command = (props: {
  readonly title: string
  readonly run: (() => void) | undefined
  readonly children: string
}) => (
  <Button title={props.title} aria-disabled={props.run === undefined} onClick={() => props.run?.()}>
    {props.children}
  </Button>
)

export const EditBar = ({ isInserting }: { readonly isInserting: Signal<boolean> }) => {
  const spelling = useSignal<Spelling>("hex")
  const isServing = useSignal(false)
  const { anatomy } = inspection
  return (
    <section class="edit-bar" aria-label="Edit the bytes">
      <div class="bar">
        <span class="quiet">Choose a byte and type hex digits. Delete and Backspace remove bytes.</span>
        <label>
          <Checkbox checked={isInserting.value} set={(checked) => void (isInserting.value = checked)} /> Insert
        </label>
      </div>
      <div class="bar">
        <Command title="Remove the chosen byte and all bytes after it" run={truncation()}>
          Truncate here
        </Command>
        <Command title="Change the CRC32 of a compressed reply" run={wrongChecksum()}>
          Wrong checksum
        </Command>
        <Command title="Remove the datagram of the chosen byte" run={droppedFragment()}>
          Drop this fragment
        </Command>
        <Command title="Swap the fragment of the chosen byte with the next one" run={swappedFragments()}>
          Swap these fragments
        </Command>
        <span class="copy-as">
          <Select
            label="Notation"
            value={spelling.value}
            options={SPELLINGS}
            choose={(chosen) => void (spelling.value = chosen)}
          />
          <CopyButton
            label="Copy as"
            text={() =>
              spell(spelling.value, {
                datagrams: chosenDatagrams(),
                message: anatomy.value?.message,
                problem: anatomy.value?.problem,
                date: new Date().toISOString().slice(0, 10)
              })
            }
          />
        </span>
        <Button aria-expanded={isServing.value} onClick={() => void (isServing.value = !isServing.value)}>
          Serve these bytes
        </Button>
      </div>
      {isServing.value ? <ServePanel /> : null}
    </section>
  )
}
