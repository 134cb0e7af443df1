/** Parses a TypeScript module, and finds its static and dynamic imports, its re-exports, and its types of the form `import("…")`. */
import { type Expression, parseSync, Visitor } from "oxc-parser"

export interface ImportSite {
  readonly specifier: string
  /** Line number of the import. The first line of the file has the number 1. */
  readonly line: number
}

/** Returns the number of the line that contains the character at an offset. The first line has the number 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** Returns the imports of a module, in no particular order. Imports with a computed specifier are omitted. */
export const findImports = (path: string, text: string): ReadonlyArray<ImportSite> => {
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

/**
 * Returns the name of the package to which a specifier refers: `effect` for `effect/Effect`, and `node:*` for all of Node's own modules.
 */
export const packageName = (specifier: string): string => {
  if (specifier.startsWith("node:")) return "node:*"
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
}
