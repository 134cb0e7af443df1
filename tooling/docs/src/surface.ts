/**
 * Finds the exports of a package. If a module re-exports a name, the search continues in the module that declares the name. The search
 * works in source files and in declaration files (`.d.ts`).
 */
import { posix } from "node:path"
import { parseSync } from "oxc-parser"
import { type DocComment, readDocComment } from "./docComment.ts"

export interface Module {
  readonly text: string
  readonly parsed: ReturnType<typeof parseSync>
}

export interface Exported {
  readonly name: string
  /** The name in the declaring module. With `export { declaredAs as name }`, it differs from `name`. */
  readonly declaredAs: string
  readonly doc: DocComment
  /** The declarations of the name, as TypeScript. */
  readonly signature: string
  /** Path of the declaring module, without extension. */
  readonly module: string
}

/** The names that an entry exports from one module. */
export interface Section {
  /** Path of the module from which the entry exports the names, without extension. */
  readonly module: string
  /** The namespace that contains the names, for example `Rcon` in `Rcon.connect`. `undefined` if the names are in no namespace. */
  readonly namespace: string | undefined
  readonly exported: ReadonlyArray<Exported>
}

/** Parsed modules. The key of each module is its path without extension. */
export type Modules = ReadonlyMap<string, Module>

/** Parses source files or declaration files (`.d.ts`). */
export const parseModules = (sources: ReadonlyArray<readonly [path: string, text: string]>): Modules =>
  new Map(sources.map(([path, text]) => [path.replace(/\.tsx?$/, ""), { text, parsed: parseSync(path, text) }]))

type Statement = Module["parsed"]["program"]["body"][number]
const findDeclaration = (statement: Statement) =>
  statement.type === "ExportNamedDeclaration" ? statement.declaration : statement

const listNames = (statement: Statement): ReadonlyArray<string> => {
  const declaration = findDeclaration(statement)
  if (declaration === null) return []
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => {
      if (id.type === "Identifier") return [id.name]
      if (id.type !== "ObjectPattern") return []
      return id.properties.flatMap((one) =>
        one.type === "Property" && one.value.type === "Identifier" ? [one.value.name] : []
      )
    })
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : []
}

const docBefore = ({ parsed, text }: Module, start: number): DocComment | undefined => {
  const comment = parsed.comments.findLast(({ end }) => end <= start)
  if (comment?.value.startsWith("*") !== true || /^[ *]*@module\b/m.test(comment.value)) return undefined
  return text.slice(comment.end, start).trim() === "" ? readDocComment(comment.value) : undefined
}

/** Removes the keywords `export` and `declare`, and private and internal members, from a declaration. */
const tidy = (text: string): string =>
  text
    .replace(/^export (default )?/, "")
    .replace(/^declare /, "")
    .replace(/^[ \t]*\/\*\*\s*@internal[^\n]*\*\/\n[^\n]*\n/gm, "")
    .replace(/import\("effect\/(\w+)"\)/g, "$1")
    .replace(/^(?:[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?[ \t]*(?:private|#)\s*[^\n]*;\n/gm, "")

/** Returns the statements of a module that declare `name`. */
export const findStatements = (modules: Modules, path: string, name: string): ReadonlyArray<Statement> =>
  modules.get(path)!.parsed.program.body.filter((statement) => listNames(statement).includes(name))

const declared = (modules: Modules, path: string, name: string): Exported | undefined => {
  const module = modules.get(path)!
  const statements = findStatements(modules, path, name)
  if (statements.length === 0) return undefined
  const docs = statements.flatMap((statement) => docBefore(module, statement.start) ?? [])
  return {
    name,
    declaredAs: name,
    module: path,
    doc: {
      prose: docs.map(({ prose }) => prose).join("\n\n"),
      examples: docs.flatMap(({ examples }) => examples)
    },
    signature: statements.map(({ end, start }) => tidy(module.text.slice(start, end))).join("\n")
  }
}

/** An export of a module. It exports either one name or all names of the module `target`. */
interface Export {
  /**
   * The exported name, or the name of the namespace in `export * as NAME`. `null` if all names of `target` are exported without a
   * namespace.
   */
  readonly name: string | null
  /** The name that the export has in the module `target`. `null` if all names of `target` are exported. */
  readonly imported: string | null
  /** Path of the module after `from`. If the exporting module declares the name itself, this is the path of the exporting module. */
  readonly target: string
}

/** The exports of a module. Re-exports from other packages are omitted, because the pages of those packages document them. */
const listExports = (modules: Modules, path: string): ReadonlyArray<Export> =>
  modules.get(path)!.parsed.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { name }, importName, localName, moduleRequest }) => {
      if (moduleRequest === null) return { name, imported: localName.name, target: path }
      if (!moduleRequest.value.startsWith(".")) return []
      const target = posix.join(posix.dirname(path), moduleRequest.value).replace(/\.(ts|js)$/, "")
      return { name, imported: importName.name, target }
    })
  )

/** Finds the declarations to which an export refers: the declaration of one name, or of all names that a module exports. */
const given = (modules: Modules, path: string, { imported, name, target }: Export): ReadonlyArray<Exported> => {
  const here = imported === null ? undefined : declared(modules, target, imported)
  if (here === undefined && target === path)
    throw new Error(`${path} exports ${name} from elsewhere: it has to do so in one statement`)
  if (imported === null) return listAll(modules, target)
  const one = here ?? listAll(modules, target).find((other) => other.name === imported)
  return one === undefined ? [] : [{ ...one, name: name ?? imported }]
}

/** Keeps only one export of each name. A module can export a name twice: in a namespace, and without a namespace. */
const each = (exported: ReadonlyArray<Exported>): ReadonlyArray<Exported> => [
  ...new Map(exported.map((one) => [one.name, one])).values()
]

const listAll = (modules: Modules, path: string): ReadonlyArray<Exported> =>
  each(listExports(modules, path).flatMap((one) => given(modules, path, one)))

/**
 * The exports of an entry: first the names that the entry declares, and then the re-exported names in the order of the `export`
 * statements.
 */
export const listSections = (modules: Modules, entry: string): ReadonlyArray<Section> => {
  const all = listExports(modules, entry).toSorted((a, b) => Number(b.target === entry) - Number(a.target === entry))
  return [...Map.groupBy(all, ({ target }) => target)].map(([module, exports]) => ({
    module,
    namespace: exports.find(({ imported }) => imported === null)?.name ?? undefined,
    exported: each(exports.flatMap((one) => given(modules, entry, one)))
  }))
}
