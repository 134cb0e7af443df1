/**
 * The marked and selected fields and the open groups of the inspector. Tree and bytes use the same state, so they show the same selection.
 */
import { type ReadonlySignal, computed, signal } from "@preact/signals"
import { type Anatomy, type FieldNode, type Span, byteOwners, listLeaves } from "../analysis/Anatomy.ts"

/** A byte of a section. `offset` can be after the last byte, if a byte is missing there. */
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
  /** Depth in the tree, from 1. */
  readonly level: number
  readonly parent: FieldNode | undefined
  readonly position: number
  readonly siblings: number
}

export const makeInspection = (anatomy: ReadonlySignal<Anatomy | undefined>) => {
  /** Groups that the user opened or closed. */
  const toggled = signal<ReadonlySet<string>>(new Set())
  const leaves = computed(() => listLeaves(anatomy.value?.fields ?? []))
  return {
    anatomy,
    /** The field under the pointer, and the pane that contains the pointer. The other pane scrolls to the field. */
    marked: signal<Mark | undefined>(undefined),
    chosen: signal<string | undefined>(undefined),
    cursor: signal<Cursor | undefined>(undefined),
    /** Bytes of the selected finding. */
    pointed: signal<ReadonlyArray<Span>>([]),
    toggled,
    leaves,
    lines: computed(() => listLines(anatomy.value?.fields ?? [], toggled.value)),
    /** For each byte of each section, the index of its field in `leaves`, or -1. */
    owners: computed(() =>
      (anatomy.value?.sections ?? []).map(({ bytes }, section) => byteOwners(leaves.value, section, bytes.length))
    ),
    nodes: computed(() => new Map(flatten(anatomy.value?.fields ?? []).map((node) => [node.id, node])))
  }
}

/** Nodes and all their descendants. */
const flatten = (nodes: ReadonlyArray<FieldNode>): ReadonlyArray<FieldNode> =>
  nodes.flatMap((node) => [node, ...flatten(node.children)])

export type Inspection = ReturnType<typeof makeInspection>

/** Entries of lists, headers of fragments and bit fields are closed at first, because their line contains a summary. */
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

/** Chooses a field and moves the cursor to its first byte. */
export const choose = (inspection: Inspection, id: string): void => {
  inspection.pointed.value = []
  inspection.chosen.value = id
  inspection.marked.value = undefined
  const span = inspection.nodes.value.get(id)?.spans[0]
  inspection.cursor.value = span === undefined ? undefined : { section: span.section, offset: span.start }
}

/** Highlights bytes of the sections, and moves the cursor to the first of them. If a field has the name `field`, chooses this field. */
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

/** Clears selection, mark and cursor for another anatomy. */
export const forget = ({ chosen, cursor, marked, pointed }: Inspection): void => {
  chosen.value = undefined
  marked.value = undefined
  cursor.value = undefined
  pointed.value = []
}

/** Marks a field, or removes the mark if `id` is `undefined`. */
export const mark = ({ marked }: Inspection, id: string | undefined, pane: Mark["pane"]): void => {
  if (marked.value?.id !== id) marked.value = id === undefined ? undefined : { id, pane }
}

export const findOwner = (inspection: Inspection, { offset, section }: Cursor): string | undefined =>
  inspection.leaves.value[inspection.owners.value[section]?.[offset] ?? -1]?.id

/** Puts the cursor on a byte and chooses its field. */
export const chooseByte = (inspection: Inspection, cursor: Cursor): void => {
  inspection.pointed.value = []
  inspection.cursor.value = cursor
  inspection.marked.value = undefined
  inspection.chosen.value = findOwner(inspection, cursor)
}

/** The index of the line that shows a field: its own line, or the line of the closed group that contains it. -1 if no line shows it. */
export const findLine = (lines: ReadonlyArray<TreeLine>, id: string | undefined): number =>
  id === undefined ? -1 : lines.findLastIndex(({ node }) => holds(node, id))

const holds = (node: FieldNode, id: string): boolean =>
  node.id === id || node.children.some((child) => holds(child, id))

export const findSpans = (inspection: Inspection, id: string | undefined): ReadonlyArray<Span> =>
  id === undefined ? [] : (inspection.nodes.value.get(id)?.spans ?? [])
