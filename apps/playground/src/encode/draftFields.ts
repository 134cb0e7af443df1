/** Creates an empty draft from the declaration of a message, and decides which fields of a draft are required and which must be absent. */
import type { Declaration } from "@sourcewire/protocol/wire"

/** An element of the layout in a message's declaration. */
export type Element = Declaration["fields"][number]

/** A message that the user edits, or a record in this message. */
export type Draft = Readonly<Record<string, unknown>>

/** Sets a key of a record. The value `undefined` removes the key. */
export type SetKey = (name: string, value: unknown) => void

export const withKey = (record: Draft, name: string, value: unknown): Draft => {
  const { [name]: _, ...rest } = record
  return value === undefined ? rest : { ...record, [name]: value }
}

/** Creates a record with initial values (see {@link blankValue}). Optional fields are absent. */
export const makeBlank = (elements: ReadonlyArray<Element>): Draft => {
  const draft: Record<string, unknown> = {}
  for (const element of elements) {
    if (element.kind === "literal" || element.kind === "marker" || element.kind === "bits") continue
    if (isOptional(element)) continue
    draft[element.name] = blankValue(element)
    if (element.kind === "addresses") draft[element.end] = true
  }
  return draft
}

/** The initial values of texts, bytes, 64-bit numbers, flags, lists and addresses, by the kind of the element. */
const BLANKS: Readonly<Partial<Record<Element["kind"], unknown>>> = {
  text: "",
  quoted: "",
  word: "",
  bytes: "",
  u64: "0",
  flag: false,
  list: [],
  addresses: []
}

/** Returns the initial value of an element: for example an empty text, the lowest valid number of a range, or 0. */
export const blankValue = (element: Element): unknown => {
  if (element.kind === "group") return makeBlank(element.fields)
  if (element.kind === "code") return Object.keys(element.names)[0] ?? 0
  if ("range" in element && element.range !== undefined) return element.range.min
  return BLANKS[chooseInput(element)] ?? 0
}

/**
 * Returns the kind that determines the input in the form: for example, the input for the kind `flag` is a check box. If the element is a
 * value in decimal digits and has the property `as`, the function returns the kind in `as`. Otherwise, the function returns the kind of the
 * element.
 */
export const chooseInput = (element: Element): Element["kind"] =>
  element.kind === "decimal" ? (element.as ?? "decimal") : element.kind

export const isOptional = (element: Element): boolean =>
  (element.kind !== "literal" && element.when !== undefined) ||
  (element.kind === "decimal" && element.optional === true) ||
  element.kind === "word"

/**
 * Whether an element must be absent because of the values of other fields. If the draft does not contain a field, conditions about this
 * field are ignored.
 */
export const isForbidden = (element: Element, draft: Draft): boolean =>
  (element.when ?? []).some(
    (presence) =>
      "field" in presence && draft[presence.field] !== undefined && draft[presence.field] !== presence.equals
  )

/** Whether an element must be present because of the values of other fields. */
export const isDemanded = (element: Element, draft: Draft): boolean =>
  element.when !== undefined &&
  element.when.every((presence) => "field" in presence && draft[presence.field] === presence.equals)

/** Returns the draft with all required fields, and without the fields that must be absent. */
export const settle = (elements: ReadonlyArray<Element>, draft: Draft): Draft => {
  const settled: Record<string, unknown> = { ...draft }
  for (const element of elements) {
    if (element.kind === "literal" || element.kind === "bits" || element.kind === "marker") continue
    if (isForbidden(element, settled)) delete settled[element.name]
    else if (isDemanded(element, settled) && settled[element.name] === undefined)
      settled[element.name] = blankValue(element)
  }
  return settled
}

/**
 * A member that a message can contain in addition to its declared fields. It stores a part of the datagram that these fields do not store,
 * such as the bytes after the message.
 */
export interface Extra {
  readonly name: string
  readonly kind: "number" | "bytes"
  readonly doc: string
}

/**
 * Lists the extra members of a declaration, except the bytes of texts (`<name>Hex`) and the bytes of flags (`<name>Code`). The form shows
 * these bytes in the rows of the texts and flags.
 */
export const listExtras = (declaration: Declaration): ReadonlyArray<Extra> => [
  ...declaration.fields.flatMap((element): ReadonlyArray<Extra> => {
    if (element.kind === "bits") return [{ name: element.name, kind: "number", doc: element.doc }]
    if (element.kind === "addresses")
      return [{ name: "padding", kind: "bytes", doc: "Two bytes in front of the addresses." }]
    return []
  }),
  ...(declaration.rule?.adds ?? []).map(({ doc, name }): Extra => ({ name, kind: "number", doc })),
  { name: "trailing", kind: "bytes", doc: "Bytes after the message, as hex." }
]
