/**
 * The properties of a message, a group or a list entry, from which types and schemas are generated. First come the properties of the
 * fields, in the order of the datagram. Then come the properties for unusual bytes. An encoder cannot restore unusual bytes from the fields
 * alone.
 */
import type { BitsElement, Declaration, Element, ListElement, LiteralElement, MarkerElement } from "./Declaration.ts"

/** Elements whose value is a property of the decoded message. */
export type ValueElement = Exclude<Element, LiteralElement | MarkerElement | BitsElement>

/** A property of a message, a group or a list entry. */
export interface Property {
  readonly element: ValueElement
  readonly optional: boolean
  /** If present, the property is a flag that is either `true` or absent. */
  readonly onlyTrue?: true
}

/** Returns the properties of a group that consists of the elements `fields`. */
export const listProperties = (fields: ReadonlyArray<Element>): ReadonlyArray<Property> => [
  ...usualProperties(fields),
  ...fields.flatMap(unusualProperties)
]

export const listEntryProperties = ({ appended = [], entry }: ListElement): ReadonlyArray<Property> => [
  ...usualProperties(entry),
  ...usualProperties(appended, true),
  ...entry.flatMap(unusualProperties)
]

/** Returns the properties of a message, without its tag. */
export const listMessageProperties = ({ fields, rule }: Declaration): ReadonlyArray<Property> => {
  const isList = fields.some(({ kind }) => kind === "list")
  const canBeTruncated =
    isList ||
    fields.some((field) => field.kind === "bits" || ("unterminated" in field && field.unterminated === "truncated"))
  return [
    ...usualProperties(fields),
    ...(canBeTruncated ? [isList ? { element: TRUNCATED, optional: false } : MAYBE_TRUNCATED] : []),
    ...fields.flatMap(unusualProperties),
    ...(rule?.adds ?? []).map((element) => ({ element, optional: true })),
    ...hex("trailing", "The bytes after the message, or after its last complete part, as hex.")
  ]
}

/** Returns the properties of the fields, without the properties for unusual bytes. */
export const usualProperties = (fields: ReadonlyArray<Element>, optional = false): ReadonlyArray<Property> =>
  fields.flatMap((element): ReadonlyArray<Property> => {
    switch (element.kind) {
      case "literal":
      case "marker":
        return []
      case "bits":
        return usualProperties(
          element.fields.map((field) => field.element),
          true
        )
      case "list":
        return [element.count, element].map((each) => ({ element: each, optional }))
      case "addresses": {
        const end = {
          kind: "flag",
          name: element.end,
          doc: "Whether the list ends on this page. If so, no further page follows."
        } as const
        return [element, end].map((each) => ({ element: each, optional }))
      }
      default: {
        const mayBeLeftOut =
          ("omitEmpty" in element && element.omitEmpty) ||
          (element.kind === "decimal" && element.optional) ||
          element.kind === "word"
        return [{ element, optional: optional || element.when !== undefined || mayBeLeftOut === true }]
      }
    }
  })

const unusualProperties = (element: Element): ReadonlyArray<Property> => {
  const { name } = element
  switch (element.kind) {
    case "text":
    case "quoted":
      return hex(`${name}Hex`, `Bytes of \`${name}\` as hex, if they cannot be restored from the text.`)
    case "flag":
    case "marker":
      return byte(`${name}Code`, "The byte as sent, if it is neither 0 nor 1.")
    case "addresses":
      return hex("padding", "Bytes before the list, as hex.")
    case "bits":
      return [...byte(name, element.doc), ...element.fields.flatMap((field) => unusualProperties(field.element))]
    default:
      return []
  }
}

const hex = (name: string, doc: string): ReadonlyArray<Property> => [
  { element: { kind: "bytes", name, doc, size: "rest" }, optional: true }
]
const byte = (name: string, doc: string): ReadonlyArray<Property> => [
  { element: { kind: "u8", name, doc }, optional: true }
]
const TRUNCATED: ValueElement = {
  kind: "flag",
  name: "truncated",
  doc: "Whether the reply is truncated: an announced part is missing or incomplete."
}
const MAYBE_TRUNCATED: Property = { element: TRUNCATED, optional: true, onlyTrue: true }
