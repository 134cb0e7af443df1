/** Shows the bytes of all sections in rows, as hex and as characters. The arrow keys move the cursor from byte to byte. */
import { useSignal } from "@preact/signals"
import { useMemo, useRef } from "preact/hooks"
import type { Section, Span } from "../analysis/Anatomy.ts"
import { plural } from "@sourcewire/capture"
import { useMatches } from "../widgets/useMatches.ts"
import { type RowAttributes, VirtualList } from "../widgets/VirtualList.tsx"
import { editedBy } from "./editing.ts"
import { type Cursor, type Inspection, chooseByte, mark, findOwner, findSpans } from "./inspection.ts"

const ROW_HEIGHT = 22

/** A line of the view: the title of a section, or some bytes of the section. */
interface HexLine {
  readonly section: number
  /** Offset of the first byte in the line. -1 for a line with a title. */
  readonly offset: number
}

const listHexLines = (sections: ReadonlyArray<Section>, perRow: number): ReadonlyArray<HexLine> =>
  sections.flatMap(({ bytes }, section): ReadonlyArray<HexLine> => {
    // The rows include the position after the last byte of the section, because a byte can be missing there.
    const rows = Math.max(1, Math.ceil((bytes.length + 1) / perRow))
    return [{ section, offset: -1 }, ...Array.from({ length: rows }, (_, i) => ({ section, offset: i * perRow }))]
  })

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")

const isWithin = (spans: ReadonlyArray<Span>, section: number, at: number): boolean =>
  spans.some((span) => span.section === section && span.start <= at && at < Math.max(span.end, span.start + 1))

/** How the user can edit the bytes. If `HexView` receives no `editing`, the bytes cannot be edited. */
export interface HexEditing {
  /** Whether digits insert bytes instead of replacing them. */
  readonly isInserting: boolean
  readonly canEdit: (section: Section) => boolean
  /** Whether an edit is still being decoded. */
  readonly isDecoding: () => boolean
  /**
   * Called with the new bytes of a section and the new position of the cursor. If the user typed a digit, `typed` is the offset of the
   * byte that this digit changed or inserted. Returns `false` if the edit is dropped.
   */
  readonly change: (section: Section, bytes: Uint8Array, cursor: Cursor, typed?: number) => Promise<boolean>
}

/** The keys that edit bytes or move the cursor. */
const KEYS = /^(?:[\da-f]|Delete|Backspace|Arrow\w+|Home|End)$/i

const isModified = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => altKey || ctrlKey || metaKey

interface HexViewProps {
  readonly id: string
  readonly inspection: Inspection
  readonly editing?: HexEditing | undefined
}

export const HexView = ({ editing, id, inspection }: HexViewProps) => {
  /** The byte of which the user has typed only the first digit. */
  const half = useSignal<Cursor | undefined>(undefined)
  /**
   * Keys that the user pressed while the page decoded a large capture after an edit. `undefined` if no capture is being decoded after an
   * edit.
   */
  const waiting = useRef<Array<KeyboardEvent> | undefined>(undefined)
  const perRow = useMatches("(max-width: 700px)") ? 8 : 16
  const sections = inspection.anatomy.value?.sections ?? []
  const lines = useMemo(() => listHexLines(sections, perRow), [sections, perRow])
  const leaves = inspection.leaves.value
  const owners = inspection.owners.value
  const marked = findSpans(inspection, inspection.marked.value?.id)
  const chosen = findSpans(inspection, inspection.chosen.value)
  const pointed = inspection.pointed.value
  const cursor = inspection.cursor.value
  const lineAt = (at: Cursor): number =>
    lines.findIndex((line) => line.section === at.section && line.offset >= 0 && line.offset + perRow > at.offset)
  const looked = inspection.marked.value?.pane === "fields" ? marked[0] : undefined
  const active = cursor === undefined ? -1 : lineAt(cursor)
  const look = looked === undefined ? -1 : lineAt({ section: looked.section, offset: looked.start })

  // The user can press a key before the effect of the previous key or click is rendered. Therefore the handlers read the current values of
  // the signals, and not the rendered values.
  const edit = (event: KeyboardEvent): boolean => {
    const cursor = inspection.cursor.value
    const section = inspection.anatomy.value?.sections[cursor?.section ?? -1]
    if (editing === undefined || cursor === undefined || section === undefined || !editing.canEdit(section))
      return false
    if (isModified(event)) return false
    const isHalf = half.value?.section === cursor.section && half.value.offset === cursor.offset
    const edited = editedBy(event.key, section.bytes, { offset: cursor.offset, isHalf }, editing.isInserting)
    if (edited === undefined) return false
    event.preventDefault()
    const next = { section: cursor.section, offset: edited.offset }
    half.value = edited.isHalf ? next : undefined
    void finish(editing.change(section, edited.bytes, next, event.key.length === 1 ? cursor.offset : undefined))
    return true
  }
  const finish = async (change: Promise<boolean>): Promise<void> => {
    const pressed: Array<KeyboardEvent> = []
    waiting.current = pressed
    const isApplied = await change
    const isLatest = waiting.current === pressed
    if (isLatest) waiting.current = undefined
    if (isApplied) pressed.forEach(onKeyDown)
    else if (isLatest) half.value = undefined
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (waiting.current !== undefined && editing?.isDecoding() === true && KEYS.test(event.key) && !isModified(event)) {
      event.preventDefault()
      waiting.current.push(event)
      return
    }
    if (edit(event)) return
    const cursor = inspection.cursor.value
    const from = cursor ?? { section: 0, offset: 0 }
    const current = inspection.anatomy.value?.sections ?? []
    const moved = cursor === undefined ? from : move(event.key, from, perRow, current, editing !== undefined)
    if (moved === undefined) return
    event.preventDefault()
    half.value = undefined
    chooseByte(inspection, moved)
  }
  const findByte = (target: EventTarget | null): Cursor | undefined => {
    const at = target instanceof HTMLElement ? target.dataset["at"] : undefined
    if (at === undefined) return undefined
    const [section = 0, offset = 0] = at.split(":").map(Number)
    return { section, offset }
  }
  const chooseClass = (section: number, at: number): string => {
    const owner = owners[section]?.[at] ?? -1
    const leaf = leaves[owner]
    // Adjacent fields can have the same colour. To distinguish them, every second field is shaded.
    let name = leaf === undefined ? "tone-none" : `tone-${leaf.tone}${owner % 2 === 0 ? "" : " shaded"}`
    if (isWithin(pointed, section, at)) name += " pointed"
    if (isWithin(marked, section, at)) name += " marked"
    if (isWithin(chosen, section, at)) name += " chosen"
    if (cursor?.section === section && cursor.offset === at) name += " cursor"
    return name
  }

  return (
    <div
      class="hex-frame"
      onPointerOver={(event) => {
        if (event.pointerType !== "mouse") return
        const at = findByte(event.target)
        mark(inspection, at === undefined ? undefined : findOwner(inspection, at), "bytes")
      }}
      onClick={(event) => {
        const at = findByte(event.target)
        if (at === undefined) return
        half.value = undefined
        chooseByte(inspection, at)
      }}
    >
      <VirtualList
        id={id}
        label="Bytes"
        role="grid"
        class="hex"
        count={lines.length}
        rowHeight={ROW_HEIGHT}
        active={active}
        look={look}
        onKeyDown={onKeyDown}
        onPointerLeave={() => mark(inspection, undefined, "bytes")}
        render={(index, attributes) => {
          const { offset, section } = lines[index]!
          const shown = sections[section]!
          if (offset < 0) return <Title key={index} section={shown} {...attributes} />
          const places = Array.from({ length: perRow }, (_, i) => offset + i)
          const cells = places.map((at) => {
            const byte = shown.bytes[at]
            const isMissing =
              byte === undefined && ((owners[section]?.[at] ?? -1) >= 0 || isWithin(pointed, section, at))
            const isEnd = at === shown.bytes.length && editing?.canEdit(shown) === true
            if (byte === undefined && !isMissing && !isEnd) return <span key={at} class="byte" />
            return (
              <span key={at} class={`byte ${chooseClass(section, at)}`} data-at={`${section}:${at}`}>
                {byte !== undefined ? hex(byte, 2) : isMissing ? "▮▮" : "··"}
              </span>
            )
          })
          const characters = places.slice(0, shown.bytes.length - offset).map((at) => (
            <span key={at} class={chooseClass(section, at)} data-at={`${section}:${at}`}>
              {printable(shown.bytes[at]!)}
            </span>
          ))
          return (
            <div key={index} {...attributes} class="hex-row">
              <span class="offset" role="rowheader">
                {hex(offset, 4)}
              </span>
              <span class="bytes" role="gridcell">
                {cells}
              </span>
              <span class="characters" role="gridcell">
                {characters}
              </span>
            </div>
          )
        }}
      />
      <p class="hidden" aria-live="polite">
        {cursor === undefined ? "" : describeByte(inspection, cursor)}
      </p>
    </div>
  )
}

const Title = ({ section, ...attributes }: RowAttributes & { readonly section: Section }) => (
  <div {...attributes} class={`hex-title ${section.kind}`}>
    <span role="gridcell">
      {section.title} <span class="quiet">{plural(section.bytes.length, "byte")}</span>
    </span>
  </div>
)

const describeByte = (inspection: Inspection, cursor: Cursor): string => {
  const byte = inspection.anatomy.value?.sections[cursor.section]?.bytes[cursor.offset]
  const field = inspection.nodes.value.get(findOwner(inspection, cursor) ?? "")
  const name = field === undefined ? "no field" : `${field.id}, ${field.value}`
  return byte === undefined ? `End of the bytes: ${name}` : `Byte ${cursor.offset}, hex ${hex(byte, 2)}: ${name}`
}

/** Moves the cursor. If `hasEnd` is set, the cursor can be moved to the position after the last byte, so that the user can append bytes. */
const move = (
  key: string,
  from: Cursor,
  perRow: number,
  sections: ReadonlyArray<Section>,
  hasEnd: boolean
): Cursor | undefined => {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perRow, ArrowDown: perRow }
  const length = sections[from.section]?.bytes.length ?? 0
  if (key === "Home") return { ...from, offset: from.offset - (from.offset % perRow) }
  if (key === "End") return { ...from, offset: Math.min(length - 1, from.offset - (from.offset % perRow) + perRow - 1) }
  const step = steps[key]
  if (step === undefined) return undefined
  const offset = from.offset + step
  if (offset >= 0 && offset < length + (hasEnd && step === 1 ? 1 : 0)) return { ...from, offset }
  const next = sections[from.section + Math.sign(step)]
  if (next === undefined) return from
  return { section: from.section + Math.sign(step), offset: step > 0 ? 0 : Math.max(0, next.bytes.length - 1) }
}
