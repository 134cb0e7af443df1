/**
 * The view that takes datagrams apart: what to paste into, the list, the inspector.
 *
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { editInBuild } from "../build/draft.ts"
import { Inspector } from "../inspector/Inspector.tsx"
import { parameters, tab } from "../state/address.ts"
import { CopyButton } from "../widgets/CopyButton.tsx"
import { DatagramList } from "./DatagramList.tsx"
import { openFile } from "./files.ts"
import { PasteBox } from "./PasteBox.tsx"
import { Welcome } from "./Welcome.tsx"
import { chosenRow, datagrams, encoding, inspection, link, recall, remember, rows } from "./workbench.ts"

/** Milliseconds of rest before the address is written: browsers limit how often it may be. */
const REST_MS = 300

/** See the module. */
export const TakeApart = () => {
  const dropping = useSignal(false)
  useSignalEffect(() => {
    if (tab.value === "take-apart") void recall(parameters.value)
  })
  useSignalEffect(() => {
    // Read here, so that a change of any of them runs this again.
    void [datagrams.value, chosenRow.value, inspection.chosen.value, encoding.value, parameters.value]
    const timer = setTimeout(() => void remember(), REST_MS)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      dropping.value = event.type === "dragover"
    }
    const drop = (event: DragEvent) => {
      over(event)
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) void openFile(file)
    }
    addEventListener("dragover", over)
    addEventListener("dragleave", over)
    addEventListener("drop", drop)
    return () => {
      removeEventListener("dragover", over)
      removeEventListener("dragleave", over)
      removeEventListener("drop", drop)
    }
  }, [])
  const message = inspection.anatomy.value?.message
  return (
    <div class={`take-apart${dropping.value ? " dropping" : ""}`}>
      <PasteBox />
      {rows.value.length === 0 ? (
        <Welcome />
      ) : (
        <>
          <DatagramList />
          <Inspector
            id="inspector"
            inspection={inspection}
            actions={
              <>
                {message === undefined ? null : (
                  <>
                    <button type="button" onClick={() => editInBuild(message)}>
                      Edit
                    </button>
                    <CopyButton label="Copy JSON" text={() => JSON.stringify(message, null, 2)} />
                  </>
                )}
                <CopyButton
                  label="Copy link"
                  title="The link holds the bytes themselves; nothing is uploaded"
                  text={link}
                />
              </>
            }
          />
        </>
      )}
    </div>
  )
}
