/** Creates the empty draft of a message from its declaration, and decides which fields of a draft are required or invalid. */
import type { Declaration } from "@sourcewire/protocol/wire"

/** A part of a message's declared layout. */
export type Element = Declaration["fields"][number]

/** A record of a message that is being edited. */
export type Draft = Readonly<Record<string, unknown>>

/** Sets a key of a record. The value `undefined` removes the key. */
export type SetKey = (name: string, value: unknown) => void

export const withKey = (record: Draft, name: string, value: unknown): Draft => {
  const { [name]: _, ...rest } = record
  return value === undefined ? rest : { ...record, [name]: value }
}

/** Creates the smallest valid record: numbers are 0, texts are empty, and optional fields are absent. */
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

/** The initial values of added elements, for the kinds of elements whose initial value is not 0. */
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

/** Returns the initial value of an added element. */
export const blankValue = (element: Element): unknown => {
  if (element.kind === "group") return makeBlank(element.fields)
  if (element.kind === "code") return Object.keys(element.names)[0] ?? 0
  if ("range" in element && element.range !== undefined) return element.range.min
  return BLANKS[chooseInput(element)] ?? 0
}

/**
 * The kind of input for an element. If the element consists of decimal digits, its property `as` determines the input. For example, the
 * input for `flag` is a check box.
 */
export const chooseInput = (element: Element): Element["kind"] =>
  element.kind === "decimal" ? (element.as ?? "decimal") : element.kind

export const isOptional = (element: Element): boolean =>
  (element.kind !== "literal" && element.when !== undefined) ||
  (element.kind === "decimal" && element.optional === true) ||
  element.kind === "word"

/**
 * Whether the values of other fields require that an element is absent. A condition on a field is ignored if the draft does not contain
 * this field.
 */
export const isForbidden = (element: Element, draft: Draft): boolean =>
  (element.when ?? []).some(
    (presence) =>
      "field" in presence && draft[presence.field] !== undefined && draft[presence.field] !== presence.equals
  )

/** Whether the values of other fields require that an element is present. */
export const isDemanded = (element: Element, draft: Draft): boolean =>
  element.when !== undefined &&
  element.when.every((presence) => "field" in presence && draft[presence.field] === presence.equals)

/** Adds required fields, and removes fields that must be absent. */
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

/** A member of a message that is not one of its declared fields. It stores received bytes that belong to no field. */
export interface Extra {
  readonly name: string
  readonly kind: "number" | "bytes"
  readonly doc: string
}

/**
 * The extra members of a declaration. The list does not contain the extra members of texts and flags, because the form shows these members
 * beside the texts and flags.
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
