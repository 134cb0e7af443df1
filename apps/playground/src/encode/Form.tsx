/**
 * The form for a message. It is built from the message's declaration, and has a row for each element. The row of a group or a list contains
 * further rows.
 */
import type { ComponentChild } from "preact"
import { Checkbox } from "@sourcewire/ui/widgets"
import { blankValue, isDemanded, isForbidden, isOptional, withKey } from "./draftFields.ts"
import type { Draft, Element, SetKey } from "./draftFields.ts"
import { EntryList } from "./EntryList.tsx"
import { AddressesInput, Value } from "./inputs.tsx"
import { Row } from "./Row.tsx"

interface FieldProps {
  readonly element: Element
  readonly record: Draft
  readonly path: string
  readonly set: SetKey
}

interface RowsProps extends Omit<FieldProps, "element"> {
  readonly elements: ReadonlyArray<Element>
}

/** The rows of a record. The path of each field begins with `path`, which is empty or ends with a dot. */
export const Rows = ({ elements, ...common }: RowsProps) => (
  <>
    {elements.map((element) => {
      if (element.kind === "literal" || element.kind === "marker") return null
      if (element.kind === "bits")
        return element.fields.map((bit) => <Optional key={bit.element.name} element={bit.element} {...common} />)
      if (isForbidden(element, common.record)) return null
      const Shown = isOptional(element) && !isDemanded(element, common.record) ? Optional : Field
      return <Shown key={element.name} element={element} {...common} />
    })}
  </>
)

const Optional = (props: FieldProps) => {
  const { element, path, record, set } = props
  const given = record[element.name] !== undefined
  const toggle = (
    <Checkbox
      aria-label={`Send ${path}${element.name}`}
      checked={given}
      set={(checked) => set(element.name, checked ? blankValue(element) : undefined)}
    />
  )
  return given ? <Field {...props} lead={toggle} /> : <Row path={path + element.name} element={element} lead={toggle} />
}

const Field = ({ element, lead, path, record, set }: FieldProps & { readonly lead?: ComponentChild }) => {
  const own = path + element.name
  const value = record[element.name]
  if (element.kind === "group") {
    const group = (value ?? {}) as Draft
    return (
      <fieldset class="form-group">
        <legend>
          {lead} {element.name} <span class="quiet">{element.doc}</span>
        </legend>
        <Rows
          elements={element.fields}
          record={group}
          path={`${own}.`}
          set={(name, changed) => set(element.name, withKey(group, name, changed))}
        />
      </fieldset>
    )
  }
  if (element.kind === "list") return <EntryList element={element} record={record} set={set} />
  if (element.kind === "addresses") {
    return (
      <>
        <Row path={own} element={element}>
          <AddressesInput id={own} value={value} set={(changed) => set(element.name, changed)} />
        </Row>
        <label class="form-row">
          <span class="form-name">{element.end}</span>
          <span class="form-value">
            <Checkbox checked={record[element.end] === true} set={(checked) => set(element.end, checked)} />
          </span>
        </label>
      </>
    )
  }
  return (
    <Row path={own} element={element} lead={lead}>
      <Value element={element} id={own} record={record} set={set} />
    </Row>
  )
}
