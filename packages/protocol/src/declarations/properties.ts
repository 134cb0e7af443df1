/**
 * The keys of a message, a group or an entry, as types and schemas have them: those of its fields, in the order of the wire, and behind
 * them those that are there only where bytes are not as usual.
 */
import type { BitsElement, Declaration, Element, ListElement, LiteralElement, MarkerElement } from "./Declaration.ts"

/** What a key can hold. */
export type ValueElement = Exclude<Element, LiteralElement | MarkerElement | BitsElement>

/** One key. */
export interface Property {
  readonly element: ValueElement
  readonly optional: boolean
  /** A flag that is `true` if it is there. */
  readonly onlyTrue?: true
}

/** Those of a group. */
export const propertiesOf = (fields: ReadonlyArray<Element>): ReadonlyArray<Property> => [
  ...usualOf(fields),
  ...fields.flatMap(unusualOf)
]

/** Those of an entry of a list. */
export const propertiesOfEntry = ({ appended = [], entry }: ListElement): ReadonlyArray<Property> => [
  ...usualOf(entry),
  ...usualOf(appended, true),
  ...entry.flatMap(unusualOf)
]

/** Those of a message, besides its tag. */
export const propertiesOfMessage = ({ fields, rule }: Declaration): ReadonlyArray<Property> => {
  const isList = fields.some(({ kind }) => kind === "list")
  const canBeTruncated =
    isList ||
    fields.some((field) => field.kind === "bits" || ("unterminated" in field && field.unterminated === "truncated"))
  return [
    ...usualOf(fields),
    ...(canBeTruncated ? [isList ? { element: TRUNCATED, optional: false } : MAYBE_TRUNCATED] : []),
    ...fields.flatMap(unusualOf),
    ...(rule?.adds ?? []).map((element) => ({ element, optional: true })),
    ...hex("trailing", "Bytes after the message, or of its incomplete part, as hex.")
  ]
}

/** Those of fields alone. */
export const usualOf = (fields: ReadonlyArray<Element>, optional = false): ReadonlyArray<Property> =>
  fields.flatMap((element): ReadonlyArray<Property> => {
    switch (element.kind) {
      case "literal":
      case "marker":
        return []
      case "bits":
        return usualOf(
          element.fields.map((field) => field.element),
          true
        )
      case "list":
        return [element.count, element].map((each) => ({ element: each, optional }))
      case "addresses": {
        const end = { kind: "flag", name: element.end, doc: "Whether the list ended: no page follows." } as const
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

const unusualOf = (element: Element): ReadonlyArray<Property> => {
  const { name } = element
  switch (element.kind) {
    case "text":
    case "quoted":
      return hex(`${name}Hex`, `Bytes of \`${name}\` as hex, where the text does not give them back.`)
    case "flag":
    case "marker":
      return byte(`${name}Code`, "The byte as sent, where it is neither 0 nor 1.")
    case "addresses":
      return hex("padding", "Bytes in front of the list, as hex.")
    case "bits":
      return [...byte(name, element.doc), ...element.fields.flatMap((field) => unusualOf(field.element))]
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
  doc: "Something announced did not arrive whole. What is here arrived."
}
const MAYBE_TRUNCATED: Property = { element: TRUNCATED, optional: true, onlyTrue: true }
