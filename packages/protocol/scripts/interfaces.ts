/** TypeScript interfaces from declarations. */
import type { Declaration, Element } from "../src/declarations/Declaration.ts"
import {
  propertiesOf,
  propertiesOfEntry,
  propertiesOfMessage,
  type Property,
  type ValueElement
} from "../src/declarations/properties.ts"

/** The interface of a message, behind those of its entries and groups. */
export const interfacesOf = (declaration: Declaration): string => {
  const { doc, fields, sources, tag, valve } = declaration
  const lines = [`  readonly _tag: "${tag}"`, ...propertiesOfMessage(declaration).map(line)]
  return [...nestedOf(fields), interfaceOf(tag, `${valve}: ${doc} Documents: ${sources}.`, lines)].join("\n\n")
}

const nestedOf = (fields: ReadonlyArray<Element>): ReadonlyArray<string> =>
  fields.flatMap((element) => {
    switch (element.kind) {
      case "bits":
        return nestedOf(element.fields.map((field) => field.element))
      case "group":
        return interfaceOf(typeName(element.name), element.doc, propertiesOf(element.fields).map(line))
      case "list": {
        const { entryName } = element
        return interfaceOf(typeName(entryName), `One ${entryName} of a list.`, propertiesOfEntry(element).map(line))
      }
      default:
        return []
    }
  })

const interfaceOf = (name: string, doc: string, lines: ReadonlyArray<string>): string => `/** ${doc} */
export interface ${name} {
${lines.join("\n")}
}`

const line = ({ element, onlyTrue, optional }: Property): string =>
  `  /** ${element.doc} */\n  readonly ${element.name}${optional ? "?" : ""}: ${onlyTrue === true ? "true" : typeOf(element)}`

const typeOf = (element: ValueElement): string => {
  switch (element.kind) {
    case "text":
    case "quoted":
    case "u64":
    case "bytes":
    case "word":
      return "string"
    case "flag":
      return "boolean"
    case "decimal":
      return element.as === "u64" ? "string" : element.as === "flag" ? "boolean" : "number"
    case "code":
      return [...Object.keys(element.names).map((name) => `"${name}"`), "number"].join(" | ")
    case "addresses":
      return "ReadonlyArray<string>"
    case "group":
      return typeName(element.name)
    case "list":
      return `ReadonlyArray<${typeName(element.entryName)}>`
    default:
      return "number"
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = { hltv: "HltvSlots", mod: "GoldSourceMod" }

/** Of a group or the entries of a list. */
export const typeName = (name: string): string => TYPE_NAMES[name] ?? name[0]!.toUpperCase() + name.slice(1)
