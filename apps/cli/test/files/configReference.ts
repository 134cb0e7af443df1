/** Generates tables of settings from the schemas of the configuration files. Pages of the documentation contain these tables. */
import { MonitorConfig } from "@sourcewire/monitor"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ProxyConfig } from "../../src/proxy/config.ts"

type Struct = Schema.Struct<Schema.Struct.Fields>

const { defaults, groups, retention, webhooks } = MonitorConfig.fields
const group = groups.value.fields
const server = ProxyConfig.fields.servers.value

/** The settings that a group supports, but `defaults` does not support. */
const ofGroup = Object.fromEntries(
  Object.entries(group).filter(([name]) => !Object.hasOwn(defaults.schema.fields, name))
)

/**
 * The name and the schema of each table, by the page that contains the table. On the page, a comment before each table contains the table's
 * name.
 */
const PAGES: Readonly<Record<string, Readonly<Record<string, Struct>>>> = {
  "monitor-configuration": {
    "the file": MonitorConfig,
    retention: retention.schema,
    groups: Schema.Struct(ofGroup),
    "groups and defaults": defaults.schema,
    webhooks: webhooks.schema.value,
    sources: group.sources.schema.value
  },
  "proxy-configuration": { servers: server }
}

export const pageNames = Object.keys(PAGES)

export const pagePath = (page: string): string =>
  fileURLToPath(new URL(`../../../../docs/reference/${page}.md`, import.meta.url))

/** Returns the unit of a setting. The name of the setting ends with the unit, as in `intervalMs`. */
const unit = (name: string): string => {
  const [, suffix = ""] = /(Ms|Days|Percent)$/.exec(name) ?? []
  return { Ms: "ms", Days: "days", Percent: "%" }[suffix] ?? ""
}

interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** Reads the limits of a value from the checks in the value's schema. */
const findLimits = ({ checks }: SchemaAST.AST): Limits =>
  Object.assign(
    {},
    ...(checks ?? []).map(
      ({ annotations }) =>
        (annotations as { readonly representation?: { readonly payload: Limits | null } } | undefined)?.representation
          ?.payload
    )
  ) as Limits

const describeNumber = ({ maximum, minimum }: Limits, unit: string): string => {
  if (minimum !== undefined) return `${minimum}–${maximum}${unit === "" ? "" : ` ${unit}`}`
  return unit === "" ? "number" : `number (${unit})`
}

const describeType = (ast: SchemaAST.AST, name: string): string => {
  const title = (Schema.resolveAnnotations(Schema.make(ast)) ?? {}).title
  if (title !== undefined) return title
  const limits = findLimits(ast)
  const { maxLength } = limits
  switch (ast._tag) {
    case "String":
      return maxLength === undefined ? "text" : `text, up to ${maxLength} characters`
    case "Number":
      return describeNumber(limits, unit(name))
    case "Boolean":
      return "boolean"
    case "Literal":
      return `\`${String(ast.literal)}\``
    case "Arrays":
      return `list of ${ast.rest.map((one) => (one._tag === "Objects" ? "objects" : describeType(one, ""))).join()}`
    case "Union": {
      const types = ast.types.map((one) => describeType(one, name))
      return types.join(ast.types.every(({ _tag }) => _tag === "Literal") ? ", " : " or ")
    }
    default:
      return "object"
  }
}

interface Notes {
  readonly description?: string
  readonly default?: unknown
  readonly defaultText?: string
}

const formatDefault = ({ default: value, defaultText }: Notes, isOptional: boolean): string => {
  if (!isOptional) return "required"
  if (defaultText !== undefined) return defaultText
  if (value === undefined) return "none"
  if (Array.isArray(value)) return value.map((one) => `\`${String(one)}\``).join(", ")
  return typeof value === "number" ? String(value) : `\`${String(value)}\``
}

const formatTable = ({ ast }: Struct): string => {
  const rows = (ast as SchemaAST.Objects).propertySignatures.map(({ name, type }) => {
    const notes = (type.context?.annotations ?? {}) as Notes
    if (notes.description === undefined) throw new Error(`The setting ${String(name)} has no description.`)
    const cells = [
      `\`${String(name)}\``,
      describeType(type, String(name)),
      formatDefault(notes, type.context?.isOptional === true),
      notes.description
    ]
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  })
  return ["| setting | type | default | meaning |", "|---|---|---|---|", ...rows].join("\n")
}

/** Returns the text of a page, with tables that match the current schemas. */
export const configPage = (page: string): string =>
  Object.entries(PAGES[page]!).reduce(
    (text, [name, schema]) => {
      const begin = `<!-- settings of ${name}: pnpm generate -->\n`
      const end = "<!-- end of settings -->"
      const from = text.indexOf(begin)
      const to = text.indexOf(end, from)
      if (from < 0 || to < 0) throw new Error(`The page ${page} has no place for the settings of ${name}.`)
      return `${text.slice(0, from)}${begin}\n${formatTable(schema)}\n\n${text.slice(to)}`
    },
    readFileSync(pagePath(page), "utf8")
  )
