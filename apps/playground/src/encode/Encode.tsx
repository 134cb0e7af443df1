/** The view that encodes messages. */
import { Button, CopyButton } from "@sourcewire/ui/widgets"
import { useSignalEffect } from "@preact/signals"
import { displayText } from "@sourcewire/core/text"
import { toHex } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { plural } from "@sourcewire/capture"
import { messageGroups } from "./messages.ts"
import { Explanation, HexView, Sources } from "@sourcewire/ui/inspector"
import { useAddress } from "../state/address.ts"
import { openDatagrams } from "../decode/workbench.ts"
import { Undo } from "../state/Undo.tsx"
import * as draft from "./draft.ts"
import { listExtras } from "./draftFields.ts"
import { Rows } from "./Form.tsx"
import { NumberInput, TextInput } from "./inputs.tsx"
import { cArray, commandLine, typescriptCall } from "./outputs.ts"
import { Row } from "./Row.tsx"

export const Encode = () => {
  useAddress("encode", { key: "m", watched: [draft.message], save: draft.save, recall: draft.recall })
  useSignalEffect(() => {
    // If the user has selected a byte, scroll to the row of the field that contains this byte.
    const path = draft.inspection.chosen.value
    if (path !== undefined)
      document.querySelector(`[data-path="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "nearest" })
  })
  const declaration = findDeclaration(draft.tag.value)!
  const failure = Result.isFailure(draft.encoded.value) ? draft.encoded.value.failure : undefined
  const bytes = draft.lastBytes.value
  const spellings = [
    ["Hex", "Copy as hex", () => toHex(bytes)],
    ["C array", "Copy as a C array", () => cArray(draft.tag.value, bytes)],
    ["TypeScript", "Copy as a call of encode", () => typescriptCall(draft.message.value)],
    ["Command line", "Copy as a sourcewire command", () => commandLine(draft.message.value, bytes)],
    ["Link", "The link contains the message; nothing is uploaded", draft.link]
  ] as const
  return (
    <div class="encode">
      <section class="encode-form" aria-label="Message">
        <header>
          <label for="message">Message</label>
          <select id="message" value={draft.tag.value} onChange={(event) => draft.chooseTag(event.currentTarget.value)}>
            {messageGroups.map(({ messages, title }) => (
              <optgroup key={title} label={title}>
                {messages.map((one) => (
                  <option key={one.tag} value={one.tag}>
                    {one.tag} · {one.valve}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          <Button onClick={draft.blank}>Empty all</Button>
          <Undo />
        </header>
        <p>
          {declaration.doc}{" "}
          <span class="quiet">
            Sources: <Sources text={declaration.sources} />.
          </span>
        </p>
        <form onSubmit={(event) => event.preventDefault()}>
          <Rows elements={declaration.fields} record={draft.fields.value} path="" set={draft.setTop} />
          <details open={listExtras(declaration).some(({ name }) => draft.fields.value[name] !== undefined)}>
            <summary>As sent</summary>
            {listExtras(declaration).map(({ doc, kind, name }) => {
              const set = (value: unknown) => draft.setTop(name, value === "" ? undefined : value)
              const common = { id: name, value: draft.fields.value[name], set }
              return (
                <Row key={name} path={name} element={{ name, doc, kind }}>
                  {kind === "number" ? <NumberInput {...common} /> : <TextInput {...common} mono />}
                </Row>
              )
            })}
          </details>
        </form>
      </section>
      <section class="encode-bytes" aria-label="Bytes of the message">
        <header class="actions">
          <Button
            class="primary"
            disabled={failure !== undefined}
            onClick={() => void openDatagrams([{ bytes }], `Encoded: ${draft.tag.value}.`)}
          >
            Decode
          </Button>
          {spellings.map(([label, title, text]) => (
            <CopyButton key={label} label={label} title={title} text={text} />
          ))}
        </header>
        <p
          class={`encode-status${failure === undefined ? " quiet" : " problem"}`}
          role="status"
          tabIndex={failure === undefined ? undefined : 0}
        >
          {failure === undefined
            ? plural(bytes.length, "byte")
            : `${displayText(failure.message)}. The bytes below are the last valid ones.`}
        </p>
        <HexView id="encode-bytes" inspection={draft.inspection} />
        <Explanation inspection={draft.inspection} />
      </section>
    </div>
  )
}
