/**
 * The view that builds datagrams.
 *
 * @module
 */
import { useSignalEffect } from "@preact/signals"
import { toHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { codecGroups, codecOf } from "../analysis/codecs.ts"
import { HexView } from "../inspector/HexView.tsx"
import { Explanation } from "../inspector/Inspector.tsx"
import { go, parameters, tab } from "../state/address.ts"
import { takeApart } from "../takeApart/workbench.ts"
import { CopyButton } from "../widgets/CopyButton.tsx"
import {
  blank,
  chooseTag,
  encoded,
  fields,
  inspection,
  lastBytes,
  link,
  message,
  recall,
  remember,
  setTop,
  tag
} from "./draft.ts"
import { extrasOf } from "./draftFields.ts"
import { Rows } from "./Form.tsx"
import { NumberInput, TextInput } from "./inputs.tsx"
import { cArray, commandLine, typescriptCall } from "./outputs.ts"
import { Row } from "./Row.tsx"

const REST_MS = 300

/** See the module. */
export const Build = () => {
  useSignalEffect(() => {
    if (tab.value === "build") void recall(parameters.value)
  })
  useSignalEffect(() => {
    void [message.value, parameters.value]
    const timer = setTimeout(() => void remember(), REST_MS)
    return () => clearTimeout(timer)
  })
  useSignalEffect(() => {
    // A byte that was chosen brings the row of its field into view.
    const path = inspection.chosen.value
    if (path !== undefined)
      document.querySelector(`[data-path="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "nearest" })
  })
  const codec = codecOf(tag.value)!
  const { declaration } = codec
  const failure = Result.isFailure(encoded.value) ? encoded.value.failure : undefined
  const bytes = lastBytes.value
  return (
    <div class="build">
      <section class="build-form" aria-label="Message">
        <header>
          <label for="message">Message</label>
          <select id="message" value={tag.value} onChange={(event) => chooseTag(event.currentTarget.value)}>
            {codecGroups.map(({ codecs, title }) => (
              <optgroup key={title} label={title}>
                {codecs.map((one) => (
                  <option key={one.tag} value={one.tag}>
                    {one.tag} · {one.declaration.valve}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          <button type="button" onClick={blank}>
            Empty all
          </button>
        </header>
        <p>
          {declaration.doc} <span class="quiet">Sources: {declaration.sources}.</span>
        </p>
        <form onSubmit={(event) => event.preventDefault()}>
          <Rows elements={declaration.fields} record={fields.value} path="" set={setTop} />
          <details open={extrasOf(declaration).some(({ name }) => fields.value[name] !== undefined)}>
            <summary>As sent</summary>
            {extrasOf(declaration).map(({ doc, kind, name }) => (
              <Row key={name} path={name} element={{ name, doc, kind }}>
                {kind === "number" ? (
                  <NumberInput
                    id={name}
                    value={fields.value[name]}
                    set={(value) => setTop(name, value === "" ? undefined : value)}
                  />
                ) : (
                  <TextInput
                    id={name}
                    mono
                    value={fields.value[name]}
                    set={(value) => setTop(name, value === "" ? undefined : value)}
                  />
                )}
              </Row>
            ))}
          </details>
        </form>
      </section>
      <section class="build-bytes" aria-label="Bytes of the message">
        <header class="actions">
          <button
            type="button"
            class="primary"
            disabled={failure !== undefined}
            onClick={() => {
              void takeApart([{ bytes }], `Built: ${tag.value}.`)
              go("take-apart")
            }}
          >
            Take apart
          </button>
          <CopyButton label="Hex" title="Copy as hex" text={() => toHex(bytes)} />
          <CopyButton label="C array" title="Copy as a C array" text={() => cArray(tag.value, bytes)} />
          <CopyButton label="TypeScript" title="Copy as a call of encode" text={() => typescriptCall(message.value)} />
          <CopyButton
            label="Command line"
            title="Copy as a sourcewire command"
            text={() => commandLine(message.value, bytes)}
          />
          <CopyButton label="Link" title="The link holds the message itself; nothing is uploaded" text={link} />
        </header>
        {failure === undefined ? (
          <output class="quiet">{bytes.length} bytes</output>
        ) : (
          <p class="problem" role="status">
            {failure.message}. Below are the last bytes that there were.
          </p>
        )}
        <HexView id="build-bytes" inspection={inspection} />
        <Explanation inspection={inspection} />
      </section>
    </div>
  )
}
