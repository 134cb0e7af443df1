/** Drafts and declarations: what an empty message looks like, and which fields others demand or forbid. */
import type { Declaration } from "@sourcewire/protocol/wire"

/** Part of a message's layout, as the protocol declares it. */
export type Element = Declaration["fields"][number]

/** A record of a message that is being edited. */
export type Draft = Readonly<Record<string, unknown>>

/** Writes one key of a record; `undefined` takes it away. */
export type SetKey = (name: string, value: unknown) => void

export const withKey = (record: Draft, name: string, value: unknown): Draft => {
  const { [name]: _, ...rest } = record
  return value === undefined ? rest : { ...record, [name]: value }
}

/** Fields of the least content: zeros, empty texts, nothing optional. */
export const blankOf = (elements: ReadonlyArray<Element>): Draft => {
  const draft: Record<string, unknown> = {}
  for (const element of elements) {
    if (element.kind === "literal" || element.kind === "marker" || element.kind === "bits") continue
    if (isOptional(element)) continue
    draft[element.name] = blankValue(element)
    if (element.kind === "addresses") draft[element.end] = true
  }
  return draft
}

/** First values of an added element that are not zero. */
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

/** The value that an element begins with when it is added. */
export const blankValue = (element: Element): unknown => {
  if (element.kind === "group") return blankOf(element.fields)
  if (element.kind === "code") return Object.keys(element.names)[0] ?? 0
  if ("range" in element && element.range !== undefined) return element.range.min
  return BLANKS[formatOf(element)] ?? 0
}

/** How the value of an element is edited: decimal digits may stand for a 64-bit number or a flag. */
export const formatOf = (element: Element): Element["kind"] =>
  element.kind === "decimal" ? (element.as ?? "decimal") : element.kind

export const isOptional = (element: Element): boolean =>
  (element.kind !== "literal" && element.when !== undefined) ||
  (element.kind === "decimal" && element.optional === true) ||
  element.kind === "word"

/** Whether what other fields say forbids an element. Says nothing about fields that are no part of a message. */
export const isForbidden = (element: Element, draft: Draft): boolean =>
  (element.when ?? []).some(
    (presence) =>
      "field" in presence && draft[presence.field] !== undefined && draft[presence.field] !== presence.equals
  )

/** Whether what other fields say demands an element. */
export const isDemanded = (element: Element, draft: Draft): boolean =>
  element.when !== undefined &&
  element.when.every((presence) => "field" in presence && draft[presence.field] === presence.equals)

/** Adds what is demanded and takes away what is forbidden. */
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

/** Further members of a message: the bytes as sent, if the values do not contain everything. */
export interface Extra {
  readonly name: string
  readonly kind: "number" | "bytes"
  readonly doc: string
}

/** The extras of a declaration. Those of texts and flags stand beside their fields. */
export const extrasOf = (declaration: Declaration): ReadonlyArray<Extra> => [
  ...declaration.fields.flatMap((element): ReadonlyArray<Extra> => {
    if (element.kind === "bits") return [{ name: element.name, kind: "number", doc: element.doc }]
    if (element.kind === "addresses")
      return [{ name: "padding", kind: "bytes", doc: "Two bytes in front of the addresses." }]
    return []
  }),
  ...(declaration.rule?.adds ?? []).map(({ doc, name }): Extra => ({ name, kind: "number", doc })),
  { name: "trailing", kind: "bytes", doc: "Bytes after the message, as hex." }
]
