/**
 * TypeScript interfaces from declarations.
 *
 * @module
 */
import type { Declaration, Element } from "../src/declarations/Declaration.ts"
import { canBeTruncated, TRAILING_DOC, TRUNCATED_DOC } from "../src/declarations/Declaration.ts"

interface Property {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly doc: string
}

/** The interface of a message, behind those of its entries and groups. */
export const interfacesOf = (declaration: Declaration): string => {
  const nested: Array<string> = []
  const extras: Array<Property> = []
  const properties = declaration.fields.flatMap((element) => propertiesOf(element, false, nested, extras))
  const lists = declaration.fields.some((element) => element.kind === "list")
  if (canBeTruncated(declaration)) {
    const mark: Property = { name: "truncated", type: lists ? "boolean" : "true", optional: !lists, doc: TRUNCATED_DOC }
    if (lists) properties.push(mark)
    else extras.unshift(mark)
  }
  for (const added of declaration.rule?.adds ?? []) extras.push({ ...added, optional: true })
  extras.push({ name: "trailing", type: "string", optional: true, doc: TRAILING_DOC })
  const body = [...properties, ...extras].map(line).join("\n")
  return [
    ...nested,
    `/** ${declaration.valve}: ${declaration.doc} Documents: ${declaration.sources}. */
export interface ${declaration.tag} {
  readonly _tag: "${declaration.tag}"
${body}
}`
  ].join("\n\n")
}

const line = ({ doc, name, optional, type }: Property): string =>
  `  /** ${doc} */\n  readonly ${name}${optional ? "?" : ""}: ${type}`

const propertiesOf = (
  element: Element,
  optional: boolean,
  nested: Array<string>,
  extras: Array<Property>
): Array<Property> => {
  if (element.kind === "literal") return []
  const missing = optional || element.when !== undefined
  const own = (type: string, isOptional = missing): Property => ({
    name: element.name,
    type,
    optional: isOptional,
    doc: element.doc
  })
  const hex = (): void => {
    extras.push({
      name: `${element.name}Hex`,
      type: "string",
      optional: true,
      doc: `Bytes of \`${element.name}\` as hex, where the text does not give them back.`
    })
  }
  const code = (name: string): void => {
    extras.push({ name, type: "number", optional: true, doc: "The byte as sent, where it is neither 0 nor 1." })
  }
  switch (element.kind) {
    case "text":
      hex()
      return [own("string", missing || element.omitEmpty === true)]
    case "quoted":
      hex()
      return [own("string")]
    case "flag":
      code(`${element.name}Code`)
      return [own("boolean")]
    case "marker":
      code(`${element.name}Code`)
      return []
    case "code":
      return [
        own(
          `${Object.keys(element.names)
            .map((name) => `"${name}"`)
            .join(" | ")} | number`
        )
      ]
    case "u64":
      return [own("string")]
    case "bytes":
      return [own("string")]
    case "decimal":
      return [own("number", element.optional === true)]
    case "addresses":
      extras.push({ name: "padding", type: "string", optional: true, doc: "Bytes in front of the list, as hex." })
      return [
        own("ReadonlyArray<string>"),
        { name: element.end, type: "boolean", optional: false, doc: "Whether the list ended: no page follows." }
      ]
    case "group": {
      const name = typeName(element.name)
      nested.push(objectOf(name, element.doc, element.fields))
      return [own(name)]
    }
    case "bits": {
      extras.push(own("number", true))
      return element.fields.flatMap(({ element: field }) => propertiesOf(field, true, nested, extras))
    }
    case "list": {
      const name = typeName(element.entryName)
      const appended = (element.appended ?? []).map((field) => Object.assign({}, field, { when: [] }))
      nested.push(objectOf(name, `One ${element.entryName} of a list.`, [...element.entry, ...appended]))
      return [
        { name: element.count.name, type: "number", optional: false, doc: element.count.doc },
        own(`ReadonlyArray<${name}>`)
      ]
    }
    default:
      return [own("number")]
  }
}

const objectOf = (name: string, doc: string, elements: ReadonlyArray<Element>): string => {
  const extras: Array<Property> = []
  const properties = elements.flatMap((element) => propertiesOf(element, false, [], extras))
  return `/** ${doc} */
export interface ${name} {
${[...properties, ...extras].map(line).join("\n")}
}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = { hltv: "HltvSlots", mod: "GoldSourceMod" }

/** Of a group or the entries of a list. */
export const typeName = (name: string): string => TYPE_NAMES[name] ?? name[0]!.toUpperCase() + name.slice(1)
