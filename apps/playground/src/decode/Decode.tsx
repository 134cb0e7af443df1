/** The view that decodes datagrams: the input, the list and the inspector. */
import { Button, CopyButton } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { editMessage } from "../encode/draft.ts"
import { Inspector } from "@sourcewire/ui/inspector"
import { useAddress } from "../state/address.ts"
import { DatagramList } from "./DatagramList.tsx"
import { Diagram } from "./Diagram.tsx"
import { EditBar } from "./EditBar.tsx"
import { canEdit, changeBytes, isDecoding } from "./edits.ts"
import { openFile } from "./files.ts"
import type { Finding } from "@sourcewire/diagnosis"
import { Export } from "../explain/Export.tsx"
import { Findings } from "../explain/Findings.tsx"
import { narrow } from "./filtering.ts"
import { FilterBar } from "./FilterBar.tsx"
import { PasteBox } from "./PasteBox.tsx"
import { Greeting, Welcome } from "./Welcome.tsx"
import {
  chosenRow,
  datagrams,
  encoding,
  inspection,
  link,
  linkToShown,
  paste,
  point,
  recall,
  returnToFirstScreen,
  rows,
  save,
  shownDiagnoses,
  shownForExport,
  stale,
  work
} from "./workbench.ts"

const kept = {
  key: "d",
  watched: [datagrams, chosenRow, inspection.chosen, encoding],
  save,
  recall,
  empty: returnToFirstScreen
}

const MANY_ROWS = 6

/** Shows the bytes to which a finding refers. If the page is too small for both the findings and the bytes, it scrolls to the bytes. */
const showFinding = (finding: Finding): void => {
  point(finding)
  requestAnimationFrame(() => document.querySelector("#inspector-bytes")?.scrollIntoView({ block: "nearest" }))
}

export const Decode = () => {
  const dropping = useSignal(false)
  const isInserting = useSignal(false)
  useAddress("decode", kept)
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
    const pasteAnywhere = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text") ?? ""
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (!isField && text.trim() !== "") void paste(text)
    }
    const gone = new AbortController()
    addEventListener("paste", pasteAnywhere, gone)
    addEventListener("dragover", over, gone)
    addEventListener("dragleave", over, gone)
    addEventListener("drop", drop, gone)
    return () => gone.abort()
  }, [])
  const message = inspection.anatomy.value?.message
  return (
    <div class={`decode${dropping.value ? " dropping" : ""}`}>
      <div class={`intake${rows.value.length === 0 ? " first" : ""}`}>
        {rows.value.length === 0 ? <Greeting /> : null}
        <PasteBox />
      </div>
      {work.value === undefined ? null : (
        <p class="work" role="status">
          <progress aria-label="In progress" /> {work.value}
        </p>
      )}
      {rows.value.length === 0 ? (
        <Welcome />
      ) : (
        <div class={`decoded${stale.value ? " stale" : ""}`} inert={stale.value}>
          <Findings
            diagnoses={shownDiagnoses.value}
            point={showFinding}
            {...(rows.value.length < MANY_ROWS ? {} : { select: (server: string) => narrow({ ends: server }) })}
          >
            <Export shown={shownForExport} link={linkToShown} />
          </Findings>
          {rows.value.length < MANY_ROWS ? null : <FilterBar />}
          <DatagramList />
          <Diagram />
          <Inspector
            id="inspector"
            inspection={inspection}
            editing={{ isInserting: isInserting.value, canEdit, isDecoding, change: changeBytes }}
            actions={
              <>
                {message === undefined ? null : (
                  <>
                    <Button onClick={() => editMessage(message)}>Edit as a form</Button>
                    <CopyButton label="Copy JSON" text={() => JSON.stringify(message, null, 2)} />
                  </>
                )}
                <CopyButton label="Copy link" title="The link contains the bytes; nothing is uploaded" text={link} />
              </>
            }
          >
            <EditBar isInserting={isInserting} />
          </Inspector>
        </div>
      )}
    </div>
  )
}
