/**
 * What one TypeScript module imports, read from its syntax: static and dynamic imports, re-exports, and types named
 * through `import("…")`.
 */
import { type Expression, parseSync, Visitor } from "oxc-parser"

export interface ImportSite {
  readonly specifier: string
  /** Line in the file, from 1. */
  readonly line: number
}

/** Line, from 1, of an offset in a text. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** Every import of a module, in no particular order. A specifier that is computed at run time is not seen. */
export const importsOf = (path: string, text: string): ReadonlyArray<ImportSite> => {
  const sites: Array<ImportSite> = []
  const add = ({ source }: { readonly source: Expression | null }): void => {
    if (source?.type === "Literal" && typeof source.value === "string")
      sites.push({ specifier: source.value, line: lineAt(text, source.start) })
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add
  }).visit(parseSync(path, text).program)
  return sites
}

/** The package that a bare specifier belongs to: `effect` for `effect/Effect`, `node:*` for all of Node's modules. */
export const packageOf = (specifier: string): string => {
  if (specifier.startsWith("node:")) return "node:*"
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
}
