/** Generates the Wireshark dissector from declarations: tables of all messages with a header, and the code that reads them (`wireshark.lua`). */
import { readFileSync } from "node:fs"
import type { Declaration, Element, NumberElement, Presence } from "../src/declarations/Declaration.ts"

type Lua = string | number | boolean | ReadonlyArray<Lua> | { readonly [key: string]: Lua | undefined }

/** A text with every byte that is not plain ASCII escaped. */
const quoted = (text: string): string =>
  `"${[...new TextEncoder().encode(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[ !#-[\]-~]/.test(character) ? character : `\\${String(byte).padStart(3, "0")}`
    })
    .join("")}"`

const printed = (value: Lua): string => {
  if (typeof value === "string") return quoted(value)
  if (typeof value !== "object") return String(value)
  if (Array.isArray(value)) return `{ ${value.map((one: Lua) => printed(one)).join(", ")} }`
  const entries = Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [`${key} = ${printed(one)}`]))
  return `{ ${entries.join(", ")} }`
}

/** Lua has no regular expressions. A condition that needs one gets the result that it has for ordinary messages. */
const toLuaPresence = (presence: Presence): Lua => {
  if ("field" in presence) return { field: presence.field, equals: presence.equals }
  if ("left" in presence) return { left: presence.left === "some" ? "some" : presence.bytes }
  return { usually: "misses" in presence }
}

const toLuaNumber = ({ doc, kind, name }: NumberElement): Lua => ({ kind, name, doc })

const toLuaElement = (element: Element): Lua => {
  const { doc, kind, name, when } = element
  const common = { kind, name, doc, when: when?.map(toLuaPresence) }
  switch (kind) {
    case "text":
      return { ...common, unterminated: element.unterminated !== undefined ? true : undefined }
    case "code":
      return { ...common, names: Object.entries(element.names).map(([word, codes]) => ({ word, codes })) }
    case "group":
      return { ...common, fields: element.fields.map(toLuaElement) }
    case "bits":
      return { ...common, fields: element.fields.map((one) => ({ bit: one.bit, element: toLuaElement(one.element) })) }
    case "list":
      return {
        ...common,
        count: { kind: element.count.kind, name: element.count.name, doc: element.count.doc },
        entry: element.entry.map(toLuaElement),
        appended: element.appended?.map(toLuaNumber),
        max: element.max
      }
    case "literal":
      return { ...common, text: element.text, optional: element.optional }
    case "decimal":
      return { ...common, optional: element.optional }
    case "bytes":
      return { ...common, size: element.size === "rest" ? undefined : element.size.field }
    case "addresses":
      return { ...common, last: element.end }
    default:
      return common
  }
}

const formatMessage = ({ doc, fields, tag, type, valve }: Declaration): string =>
  `messages.${tag} = ${printed({ valve, type, doc, fields: fields.map(toLuaElement) })}`

/** The text of the dissector. */
export const wireshark = (declarations: ReadonlyArray<Declaration>): string => {
  const code = readFileSync(new URL("wireshark.lua", import.meta.url), "utf8")
  const tables = declarations.filter(({ bare }) => bare !== true).map(formatMessage)
  return `-- Wireshark dissector for Valve's game-server queries. Generated from packages/protocol/src/declarations by \`pnpm generate\`; not to be edited.
local messages = {}
${tables.join("\n")}

${code}`
}
