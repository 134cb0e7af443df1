/** TypeScript interfaces from declarations. */
import type { Declaration, Element } from "../src/declarations/Declaration.ts"
import {
  listProperties,
  listEntryProperties,
  listMessageProperties,
  type Property,
  type ValueElement
} from "../src/declarations/properties.ts"

/** The interfaces of a message's entries and groups, and then the interface of the message. */
export const generateInterfaces = (declaration: Declaration): string => {
  const { doc, fields, sources, tag, valve } = declaration
  const lines = [`  readonly _tag: "${tag}"`, ...listMessageProperties(declaration).map(line)]
  return [...nestedInterfaces(fields), generateInterface(tag, `${valve}: ${doc} Documents: ${sources}.`, lines)].join(
    "\n\n"
  )
}

const nestedInterfaces = (fields: ReadonlyArray<Element>): ReadonlyArray<string> =>
  fields.flatMap((element) => {
    switch (element.kind) {
      case "bits":
        return nestedInterfaces(element.fields.map((field) => field.element))
      case "group":
        return generateInterface(typeName(element.name), element.doc, listProperties(element.fields).map(line))
      case "list": {
        const { entryName } = element
        return generateInterface(
          typeName(entryName),
          `One ${entryName} of a list.`,
          listEntryProperties(element).map(line)
        )
      }
      default:
        return []
    }
  })

const generateInterface = (name: string, doc: string, lines: ReadonlyArray<string>): string => `/** ${doc} */
export interface ${name} {
${lines.join("\n")}
}`

const line = ({ element, onlyTrue, optional }: Property): string =>
  `  /** ${element.doc} */\n  readonly ${element.name}${optional ? "?" : ""}: ${onlyTrue === true ? "true" : formatType(element)}`

const formatType = (element: ValueElement): string => {
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

/** The interface name of a group or of a list's entries. */
export const typeName = (name: string): string => TYPE_NAMES[name] ?? name[0]!.toUpperCase() + name.slice(1)
