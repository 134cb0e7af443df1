/** Shows the fields of a message as a tree, with one line for each field. */
import { VirtualList } from "../widgets/VirtualList.tsx"
import { type Inspection, type TreeLine, choose, isOpen, findLine, mark, toggle } from "./inspection.ts"

const ROW_HEIGHT = 24

/** The tree of fields. The arrow keys select other fields, and open and close groups. */
export const FieldTree = ({ id, inspection }: { readonly id: string; readonly inspection: Inspection }) => {
  const lines = inspection.lines.value
  const marked = findLine(lines, inspection.marked.value?.id)
  const active = findLine(lines, inspection.chosen.value)

  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[active]
    if (line === undefined || !["ArrowRight", "ArrowLeft", "Enter"].includes(event.key)) return
    event.preventDefault()
    enterOrLeave(event.key, line)
  }
  const enterOrLeave = (key: string, { node, parent }: TreeLine): void => {
    const open = isOpen(node, inspection.toggled.value)
    const isGroup = node.children.length > 0
    if (isGroup && (key === "Enter" || open === (key === "ArrowLeft"))) toggle(inspection, node.id)
    else if (isGroup && key === "ArrowRight") choose(inspection, node.children[0]!.id)
    else if (key === "ArrowLeft" && parent !== undefined) choose(inspection, parent.id)
  }

  return (
    <VirtualList
      id={id}
      label="Fields"
      role="tree"
      class="fields"
      count={lines.length}
      rowHeight={ROW_HEIGHT}
      active={active}
      look={inspection.marked.value?.pane === "bytes" ? marked : -1}
      onMove={(index) => choose(inspection, lines[index]!.node.id)}
      onKeyDown={onKeyDown}
      onPointerLeave={() => mark(inspection, undefined, "fields")}
      render={(index, attributes) => {
        const line = lines[index]!
        const { level, node, position, siblings } = line
        const isGroup = node.children.length > 0
        const open = isGroup ? isOpen(node, inspection.toggled.value) : undefined
        return (
          <div
            key={node.id}
            {...attributes}
            class={`field tone-${node.tone}${index === marked ? " marked" : ""}${index === active ? " chosen" : ""}`}
            aria-level={level}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-expanded={open}
            data-field={node.id}
            onPointerEnter={(event) => event.pointerType === "mouse" && mark(inspection, node.id, "fields")}
            onClick={() => {
              // A click on a closed group opens the group. A click on an open group closes it only if the group was already selected.
              if (isGroup && (open === false || inspection.chosen.value === node.id)) toggle(inspection, node.id)
              choose(inspection, node.id)
            }}
          >
            <span
              class={`indent level-${Math.min(level, 5)}`}
              aria-hidden="true"
              onClick={(event) => {
                if (!isGroup) return
                event.stopPropagation()
                toggle(inspection, node.id)
              }}
            >
              {isGroup ? (open === true ? "▾" : "▸") : ""}
            </span>
            <span class="field-name">{node.name}</span>
            <span class="field-value">
              {node.value}
              {node.meaning === undefined ? null : <span class="field-meaning">{node.meaning}</span>}
            </span>
            <span class="field-type">{node.type}</span>
          </div>
        )
      }}
    />
  )
}
