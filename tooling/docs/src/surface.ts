/**
 * What a package exports, found by following re-exports through its modules, sources or declarations, to where each name is declared.
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
  /** Its name in the module that declares it. */
  readonly declaredAs: string
  readonly doc: DocComment
  /** Its declarations, as TypeScript. */
  readonly signature: string
  /** Path of the module that declares it, without ending. */
  readonly module: string
}

/** A module's part of an entry: its names, behind a namespace or beside the others. */
export interface Section {
  /** The module that the entry names, without ending. */
  readonly module: string
  /** `Rcon`, where the names are `Rcon.connect` and so on. */
  readonly namespace: string | undefined
  readonly exported: ReadonlyArray<Exported>
}

/** Modules by their paths, without ending. */
export type Modules = ReadonlyMap<string, Module>

/** Parses modules, sources or declarations. */
export const modulesOf = (sources: ReadonlyArray<readonly [path: string, text: string]>): Modules =>
  new Map(sources.map(([path, text]) => [path.replace(/\.tsx?$/, ""), { text, parsed: parseSync(path, text) }]))

type Statement = Module["parsed"]["program"]["body"][number]
const declarationOf = (statement: Statement) =>
  statement.type === "ExportNamedDeclaration" ? statement.declaration : statement

const namesOf = (statement: Statement): ReadonlyArray<string> => {
  const declaration = declarationOf(statement)
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

/** Without the members that are not for users, and without what TypeScript adds for itself. */
const tidy = (text: string): string =>
  text
    .replace(/^export (default )?/, "")
    .replace(/^declare /, "")
    .replace(/^[ \t]*\/\*\*\s*@internal[^\n]*\*\/\n[^\n]*\n/gm, "")
    .replace(/import\("effect\/(\w+)"\)/g, "$1")
    .replace(/^(?:[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?[ \t]*(?:private|#)\s*[^\n]*;\n/gm, "")

/** The statements of a module that declare a name. */
export const statementsOf = (modules: Modules, path: string, name: string): ReadonlyArray<Statement> =>
  modules.get(path)!.parsed.program.body.filter((statement) => namesOf(statement).includes(name))

const declared = (modules: Modules, path: string, name: string): Exported | undefined => {
  const module = modules.get(path)!
  const statements = statementsOf(modules, path, name)
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

/** One export of a module: its name, and what it is called in the module that it comes from. */
interface Export {
  /** `null` for all names of the target. */
  readonly name: string | null
  /** `null` for all names, behind `name` as a namespace where there is one. */
  readonly imported: string | null
  /** The module itself for what it declares. */
  readonly target: string
}

/** Those of a module. What another package declares is documented there. */
const exportsOf = (modules: Modules, path: string): ReadonlyArray<Export> =>
  modules.get(path)!.parsed.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName: { name }, importName, localName, moduleRequest }) => {
      if (moduleRequest === null) return { name, imported: localName.name, target: path }
      if (!moduleRequest.value.startsWith(".")) return []
      const target = posix.join(posix.dirname(path), moduleRequest.value).replace(/\.(ts|js)$/, "")
      return { name, imported: importName.name, target }
    })
  )

/** What an export gives, wherever it is declared. */
const given = (modules: Modules, path: string, { imported, name, target }: Export): ReadonlyArray<Exported> => {
  const here = imported === null ? undefined : declared(modules, target, imported)
  if (here === undefined && target === path)
    throw new Error(`${path} exports ${name} from elsewhere: it has to do so in one statement`)
  if (imported === null) return allOf(modules, target)
  const one = here ?? allOf(modules, target).find((other) => other.name === imported)
  return one === undefined ? [] : [{ ...one, name: name ?? imported }]
}

/** Each once, also where it is exported both behind the namespace and beside it. */
const each = (exported: ReadonlyArray<Exported>): ReadonlyArray<Exported> => [
  ...new Map(exported.map((one) => [one.name, one])).values()
]

const allOf = (modules: Modules, path: string): ReadonlyArray<Exported> =>
  each(exportsOf(modules, path).flatMap((one) => given(modules, path, one)))

/** What an entry exports: its own, then in the order of its statements. */
export const sectionsOf = (modules: Modules, entry: string): ReadonlyArray<Section> => {
  const all = exportsOf(modules, entry).toSorted((a, b) => Number(b.target === entry) - Number(a.target === entry))
  return [...Map.groupBy(all, ({ target }) => target)].map(([module, exports]) => ({
    module,
    namespace: exports.find(({ imported }) => imported === null)?.name ?? undefined,
    exported: each(exports.flatMap((one) => given(modules, entry, one)))
  }))
}
