/**
 * The state of the inspector: the marked field, the selected field and the open groups. The tree and the bytes use the same state, so they
 * show the same selection.
 */
import { type ReadonlySignal, computed, signal } from "@preact/signals"
import { type Anatomy, type FieldNode, type Span, byteOwners, listLeaves } from "../analysis/Anatomy.ts"

/**
 * The position of a byte in a section. `offset` can be the position after the last byte if a byte is missing there, or if the user can
 * append a byte.
 */
export interface Cursor {
  readonly section: number
  readonly offset: number
}

export interface Mark {
  readonly id: string
  readonly pane: "fields" | "bytes"
}

export interface TreeLine {
  readonly node: FieldNode
  /** The level of the field in the tree. Top-level fields have the level 1. */
  readonly level: number
  readonly parent: FieldNode | undefined
  readonly position: number
  readonly siblings: number
}

export const makeInspection = (anatomy: ReadonlySignal<Anatomy | undefined>) => {
  /** Groups that are not in their initial state, because the user has opened or closed them. */
  const toggled = signal<ReadonlySet<string>>(new Set())
  const leaves = computed(() => listLeaves(anatomy.value?.fields ?? []))
  return {
    anatomy,
    /**
     * The field under the pointer, and the pane that contains the pointer. If the pointer is over the bytes, the tree scrolls to this
     * field. If the pointer is over the tree, the bytes scroll to this field.
     */
    marked: signal<Mark | undefined>(undefined),
    chosen: signal<string | undefined>(undefined),
    cursor: signal<Cursor | undefined>(undefined),
    /** The bytes of the selected finding. */
    pointed: signal<ReadonlyArray<Span>>([]),
    toggled,
    leaves,
    lines: computed(() => listLines(anatomy.value?.fields ?? [], toggled.value)),
    /** For each byte of each section, the index of its field in `leaves`. -1 if no field contains the byte. */
    owners: computed(() =>
      (anatomy.value?.sections ?? []).map(({ bytes }, section) => byteOwners(leaves.value, section, bytes.length))
    ),
    nodes: computed(() => new Map(flatten(anatomy.value?.fields ?? []).map((node) => [node.id, node])))
  }
}

/** Returns the nodes and all their descendants. */
const flatten = (nodes: ReadonlyArray<FieldNode>): ReadonlyArray<FieldNode> =>
  nodes.flatMap((node) => [node, ...flatten(node.children)])

export type Inspection = ReturnType<typeof makeInspection>

/**
 * Whether a group is open at first. List entries, fragment headers and fields with bit fields are closed at first, because their lines
 * already summarise their content.
 */
const isOpenAtFirst = ({ name, type }: FieldNode): boolean =>
  type === undefined && !name.startsWith("[") && !name.startsWith("fragment ")

export const isOpen = (node: FieldNode, toggled: ReadonlySet<string>): boolean =>
  isOpenAtFirst(node) !== toggled.has(node.id)

const listLines = (
  nodes: ReadonlyArray<FieldNode>,
  toggled: ReadonlySet<string>,
  level = 1,
  parent?: FieldNode
): ReadonlyArray<TreeLine> =>
  nodes.flatMap((node, i) => {
    const line: TreeLine = { node, level, parent, position: i + 1, siblings: nodes.length }
    if (node.children.length === 0 || !isOpen(node, toggled)) return [line]
    return [line, ...listLines(node.children, toggled, level + 1, node)]
  })

export const toggle = ({ toggled }: Inspection, id: string): void => {
  const next = new Set(toggled.value)
  if (!next.delete(id)) next.add(id)
  toggled.value = next
}

/** Selects a field, and moves the cursor to the first byte of this field. */
export const choose = (inspection: Inspection, id: string): void => {
  inspection.pointed.value = []
  inspection.chosen.value = id
  inspection.marked.value = undefined
  const span = inspection.nodes.value.get(id)?.spans[0]
  inspection.cursor.value = span === undefined ? undefined : { section: span.section, offset: span.start }
}

/**
 * Highlights bytes of the sections, and moves the cursor to the first highlighted byte. If the message has the field `field`, this field is
 * selected. Otherwise, the field that contains the first highlighted byte is selected.
 */
export const pointAt = (inspection: Inspection, spans: ReadonlyArray<Span>, field?: string): void => {
  forget(inspection)
  const first = spans[0]
  const node = field === undefined ? undefined : inspection.nodes.value.get(field)
  if (node !== undefined && node.spans.length > 0) choose(inspection, node.id)
  if (first === undefined) return
  const cursor = { section: first.section, offset: first.start }
  if (node === undefined) chooseByte(inspection, cursor)
  else inspection.cursor.value = cursor
  inspection.pointed.value = spans
}

/** Clears the selection, the mark, the cursor and the highlighted bytes, for example before another message is shown. */
export const forget = ({ chosen, cursor, marked, pointed }: Inspection): void => {
  chosen.value = undefined
  marked.value = undefined
  cursor.value = undefined
  pointed.value = []
}

/** Marks a field. If `id` is `undefined`, the mark is removed. */
export const mark = ({ marked }: Inspection, id: string | undefined, pane: Mark["pane"]): void => {
  if (marked.value?.id !== id) marked.value = id === undefined ? undefined : { id, pane }
}

export const findOwner = (inspection: Inspection, { offset, section }: Cursor): string | undefined =>
  inspection.leaves.value[inspection.owners.value[section]?.[offset] ?? -1]?.id

/** Moves the cursor to a byte, and selects the field that contains this byte. */
export const chooseByte = (inspection: Inspection, cursor: Cursor): void => {
  inspection.pointed.value = []
  inspection.cursor.value = cursor
  inspection.marked.value = undefined
  inspection.chosen.value = findOwner(inspection, cursor)
}

/**
 * The index of the line that shows a field. This is the field's own line, or the line of the closed group that contains the field. -1 if no
 * line shows the field.
 */
export const findLine = (lines: ReadonlyArray<TreeLine>, id: string | undefined): number =>
  id === undefined ? -1 : lines.findLastIndex(({ node }) => holds(node, id))

const holds = (node: FieldNode, id: string): boolean =>
  node.id === id || node.children.some((child) => holds(child, id))

export const findSpans = (inspection: Inspection, id: string | undefined): ReadonlyArray<Span> =>
  id === undefined ? [] : (inspection.nodes.value.get(id)?.spans ?? [])
