/** Generates layouts from declarations. Layouts have no documentation, which would be half the size of a codec. */
import type { Declaration } from "../src/declarations/Declaration.ts"
import * as rules from "../src/internal/rules.ts"

/** Properties that codecs do not need. An element's `doc` is required, so it is written as an empty text. */
const DOCUMENTATION: ReadonlySet<string> = new Set(["direction", "fast", "means", "sources", "valve", "values"])

const printed = (value: unknown, isMessage = false): string => {
  if (Array.isArray(value)) return `[${value.map((each) => printed(each)).join(", ")}]`
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value)
  const entries = Object.entries(value).filter(([key]) => !DOCUMENTATION.has(key) && !(isMessage && key === "doc"))
  return `{ ${entries.map(([key, each]) => `${key}: ${formatProperty(key, each)}`).join(", ")} }`
}

const formatProperty = (key: string, value: unknown): string => {
  if (key === "doc") return '""'
  return key === "rule" ? findExport(value) : printed(value)
}

/** The name under which `internal/rules.ts` exports a rule. */
const findExport = (rule: unknown): string => Object.entries(rules).find(([, value]) => value === rule)![0]

/** The module of all layouts. */
export const generateLayouts = (
  declarations: ReadonlyArray<Declaration>
): string => `/** Layouts of all messages. Generated from \`src/declarations\` by \`pnpm generate\`; not to be edited. */
import type { Layout } from "../declarations/Declaration.ts"
import { ${declarations.flatMap(({ rule }) => (rule === undefined ? [] : findExport(rule))).join(", ")} } from "../internal/rules.ts"

${declarations.map((each) => `export const ${each.tag}: Layout = ${printed(each, true)}`).join("\n\n")}
`
