/** Shows a message. The fields of the message are beside its bytes. The meaning of the selected field is below the fields and the bytes. */
import type { ComponentChild } from "preact"
import { Sources } from "./Sources.tsx"
import { Prose } from "../widgets/Prose.tsx"
import { GameFacts } from "./GameFacts.tsx"
import { FieldTree } from "./FieldTree.tsx"
import { type HexEditing, HexView } from "./HexView.tsx"
import type { Inspection } from "./inspection.ts"

interface InspectorProps {
  readonly id: string
  readonly inspection: Inspection
  readonly actions?: ComponentChild
  readonly editing?: HexEditing | undefined
  /** Content below the explanation of the selected field. */
  readonly children?: ComponentChild
}

/** Shows the message of `inspection`. `id` must be different for each inspector on a page. `actions` are shown beside the title. */
export const Inspector = ({ actions, children, editing, id, inspection }: InspectorProps) => {
  const anatomy = inspection.anatomy.value
  if (anatomy === undefined) return null
  const { message } = anatomy
  return (
    <section class="inspector" aria-label="Inspector">
      <header class="inspector-head">
        <div>
          <h2>
            {anatomy.title}
            {anatomy.message === undefined ? null : <code>{anatomy.message._tag}</code>}
          </h2>
          <p>
            {anatomy.doc}{" "}
            {anatomy.sources === "" ? null : (
              <span class="quiet">
                Sources: <Sources text={anatomy.sources} />.
              </span>
            )}
          </p>
        </div>
        <div class="actions">{actions}</div>
      </header>
      {anatomy.problem === undefined ? null : (
        <p class="problem" role="status">
          {anatomy.problem}
        </p>
      )}
      <div class="panes">
        <FieldTree id={`${id}-fields`} inspection={inspection} />
        <HexView id={`${id}-bytes`} inspection={inspection} editing={editing} />
      </div>
      <Explanation inspection={inspection} />
      {children}
      {message?._tag === "InfoReply" && message.keywords !== undefined ? <GameFacts info={message} /> : null}
    </section>
  )
}

/**
 * Explains the field under the pointer. If there is no field under the pointer, the selected field is explained. If no field is selected
 * either, `hint` is shown.
 */
export const Explanation = ({
  hint = "Point at a field or a byte, or move with the arrow keys, to see what it means.",
  inspection
}: {
  readonly hint?: string
  readonly inspection: Inspection
}) => {
  const node = inspection.nodes.value.get(inspection.marked.value?.id ?? inspection.chosen.value ?? "")
  if (node === undefined) {
    return <p class="explanation quiet">{hint}</p>
  }
  const length = node.spans.reduce((sum, span) => sum + span.end - span.start, 0)
  const first = node.spans[0]
  const places =
    node.spans.length > 1
      ? `${length} bytes in ${node.spans.length} places`
      : length === 0
        ? `byte ${first?.start ?? 0}, which is missing`
        : length === 1
          ? `byte ${first?.start ?? 0}`
          : `bytes ${first?.start ?? 0}–${(first?.end ?? 1) - 1}`
  return (
    <p class="explanation">
      <code>{/^!| /.test(node.id) ? node.name : node.id.replace(/^\d+:/, "")}</code>
      {node.value === "" ? null : <strong>{node.value}</strong>}
      {node.meaning === undefined ? null : <span>{node.meaning}</span>}
      {node.type === undefined ? null : <span class="chip">{node.type}</span>}
      <span class="quiet">{places}</span>
      <span>
        <Prose text={node.doc} />
      </span>
    </p>
  )
}
