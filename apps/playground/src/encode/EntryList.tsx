/** Shows the entries of a list as a table. */
import { Button, Table } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { inspection } from "./draft.ts"
import { type Draft, type Element, type SetKey, makeBlank, withKey } from "./draftFields.ts"
import { NumberInput, Value } from "./inputs.tsx"
import { Row, complaintAbout } from "./Row.tsx"

type ListElement = Extract<Element, { kind: "list" }>

/** Number of entries that are shown at first. If a list has thousands of entries, their inputs would make typing slow. */
const SHOWN_ENTRIES = 100

interface EntryListProps<E = ListElement> {
  readonly element: E
  readonly record: Draft
  readonly set: SetKey
}

export const EntryList = ({ element, record, set }: EntryListProps) => {
  const all = useSignal(false)
  const entries = (record[element.name] ?? []) as ReadonlyArray<Draft>
  const { count } = element
  const appended = element.appended?.some((field) => entries.some((entry) => entry[field.name] !== undefined)) === true
  const columns = appended ? [...element.entry, ...(element.appended ?? [])] : element.entry
  const shown = all.value ? entries : entries.slice(0, SHOWN_ENTRIES)
  // If the count field equals the number of entries, the count field is updated when an entry is added or removed. Otherwise, the user has
  // entered a different count on purpose, so the count field is not updated.
  const replace = (changed: ReadonlyArray<Draft>): void => {
    if (record[count.name] === entries.length) set(count.name, changed.length)
    set(element.name, changed)
  }
  return (
    <>
      <Row path={count.name} element={count}>
        <NumberInput id={count.name} value={record[count.name]} set={(value) => set(count.name, value)} />
      </Row>
      <div class="entries">
        <Table
          caption={
            <>
              {element.name} <span class="quiet">{element.doc}</span>
            </>
          }
          columns={[
            "#",
            ...columns.map(({ doc, name }) => ({ title: doc, children: name })),
            { children: <span class="hidden">Remove</span> }
          ]}
          isNamed
          rows={shown.map((entry, i) => [
            i,
            ...columns.map((column) => (
              <Cell
                element={column}
                path={`${element.name}[${i}].${column.name}`}
                record={entry}
                set={(name, value) => set(element.name, entries.with(i, withKey(entry, name, value)))}
              />
            )),
            <Button aria-label={`Remove ${element.entryName} ${i}`} onClick={() => replace(entries.toSpliced(i, 1))}>
              ×
            </Button>
          ])}
        />
        <p class="entries-foot">
          <Button onClick={() => replace([...entries, makeBlank(element.entry)])}>Add {element.entryName}</Button>
          {shown.length < entries.length ? (
            <Button onClick={() => void (all.value = true)}>Show all {entries.length}</Button>
          ) : null}
        </p>
      </div>
    </>
  )
}

const Cell = ({ element, path, record, set }: EntryListProps<Element> & { readonly path: string }) => {
  const complaint = complaintAbout(path)
  return (
    <div
      class={`${complaint === undefined ? "" : "invalid"}${inspection.chosen.value === path ? " chosen" : ""}`}
      data-path={path}
      title={complaint}
      onFocusIn={() => void (inspection.chosen.value = path)}
    >
      <label class="hidden" for={path}>
        {path}
      </label>
      <Value element={element} id={path} record={record} set={set} />
      {complaint === undefined ? null : (
        <span class="wrong hidden" role="alert">
          {complaint}
        </span>
      )}
    </div>
  )
}
