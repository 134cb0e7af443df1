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

const declared = (modules: Modules, path: string, name: string): Exported | undefined => {
  const module = modules.get(path)!
  const statements = module.parsed.program.body.filter((statement) => namesOf(statement).includes(name))
  if (statements.length === 0) return undefined
  const docs = statements.flatMap((statement) => docBefore(module, statement.start) ?? [])
  return {
    name,
    module: path,
    doc: {
      prose: docs.map(({ prose }) => prose).join("\n\n"),
      examples: docs.flatMap(({ examples }) => examples)
    },
    signature: statements.map(({ end, start }) => tidy(module.text.slice(start, end))).join("\n")
  }
}

const resolve = (from: string, specifier: string): string =>
  posix.join(posix.dirname(from), specifier).replace(/\.(ts|js)$/, "")

/** What an entry exports, in the order of its statements. */
export const sectionsOf = (modules: Modules, entry: string): ReadonlyArray<Section> => {
  const own: Array<Exported> = []
  const sections = new Map<string, { namespace: string | undefined; exported: Array<Exported> }>()
  const section = (module: string, namespace?: string) => {
    const known = sections.get(module) ?? { namespace, exported: [] }
    sections.set(module, known)
    return known.exported
  }
  const { parsed } = modules.get(entry)!
  for (const { entries } of parsed.module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      if (moduleRequest === null) {
        const name = localName.name ?? exportName.name!
        const namespace = namespaceImport(modules, entry, name)
        if (namespace !== undefined) section(namespace, name).push(...allOf(modules, namespace))
        else own.push(...found(modules, entry, name))
      } else if (moduleRequest.value.startsWith(".")) {
        const target = resolve(entry, moduleRequest.value)
        if (importName.kind === "Name") {
          const name = exportName.name ?? importName.name!
          section(target).push(...found(modules, target, importName.name!).map((one) => ({ ...one, name })))
        } else if (exportName.kind === "Name") section(target, exportName.name!).push(...allOf(modules, target))
        else section(target).push(...allOf(modules, target))
      }
    }
  }
  return [
    ...(own.length === 0 ? [] : [{ module: entry, namespace: undefined, exported: own }]),
    // A name that is exported both behind the namespace and beside it stands once.
    ...[...sections].map(([module, { exported, namespace }]) => ({
      module,
      namespace,
      exported: exported.filter((one, i) => exported.findIndex(({ name }) => name === one.name) === i)
    }))
  ]
}

/** The module behind `import * as name`, if there is one. */
const namespaceImport = (modules: Modules, path: string, name: string): string | undefined => {
  for (const { entries, moduleRequest } of modules.get(path)!.parsed.module.staticImports) {
    const isIt = entries.some((one) => one.localName.value === name && one.importName.kind === "NamespaceObject")
    if (isIt && moduleRequest.value.startsWith(".")) return resolve(path, moduleRequest.value)
  }
  return undefined
}

/** A name that a module exports, wherever it is declared; nothing for what another package declares. */
const found = (modules: Modules, path: string, name: string): ReadonlyArray<Exported> => {
  const here = declared(modules, path, name)
  if (here !== undefined) return [here]
  const { module } = modules.get(path)!.parsed
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, moduleRequest } of entries) {
      if (moduleRequest?.value.startsWith(".") !== true) continue
      const target = resolve(path, moduleRequest.value)
      if (exportName.kind === "Name" && exportName.name === name) return found(modules, target, importName.name ?? name)
      const star = importName.kind === "AllButDefault" ? found(modules, target, name) : []
      if (star.length > 0) return star
    }
  }
  for (const { entries, moduleRequest } of module.staticImports) {
    const one = entries.find(({ localName }) => localName.value === name)
    if (one?.importName.kind === "Name" && moduleRequest.value.startsWith(".")) {
      return found(modules, resolve(path, moduleRequest.value), one.importName.name!)
    }
  }
  return []
}

const allOf = (modules: Modules, path: string): ReadonlyArray<Exported> => {
  const names = new Map<string, Exported>()
  for (const { entries } of modules.get(path)!.parsed.module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      const isStar = importName.kind === "AllButDefault" && moduleRequest?.value.startsWith(".") === true
      const all = isStar
        ? allOf(modules, resolve(path, moduleRequest.value))
        : found(modules, path, exportName.name ?? localName.name ?? "")
      for (const one of all) names.set(one.name, one)
    }
  }
  return [...names.values()]
}
