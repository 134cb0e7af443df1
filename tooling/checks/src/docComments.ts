/**
 * Every module opens by saying what it is, and every export that a package's `exports` reach has a doc comment of at
 * least one sentence. Re-exports are followed to where a name is declared; what another package declares is documented
 * there.
 *
 * @module
 */
import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import { parseSync } from "oxc-parser"
import { lineAt } from "./source.ts"
import { conclude, files, packages, read, root } from "./workspace.ts"

type Parsed = ReturnType<typeof parseSync>
type Statement = Parsed["program"]["body"][number]
interface Module {
  readonly path: string
  readonly text: string
  readonly parsed: Parsed
}

const modules = new Map<string, Module>()
const load = (path: string): Module => {
  const known = modules.get(path)
  if (known !== undefined) return known
  const text = read(path)
  const loaded = { path, text, parsed: parseSync(path, text) }
  modules.set(path, loaded)
  return loaded
}

/** The prose of a doc comment, without its tags and code blocks. */
const proseOf = (comment: string): string =>
  comment
    .replace(/^\*/, "")
    .replace(/^\s*\* ?/gm, "")
    .replace(/```[\s\S]*?```/g, "")
    .split(/^\s*@/m)[0]!
    .trim()

/** Enough to add to a name: a word alone repeats it, or is Valve's name for it. */
const isSentence = (prose: string): boolean => prose.split(/\s+/).length >= 2

/** Whether the doc comment right before a statement says something. */
const isDocumented = ({ parsed, text }: Module, statement: Statement): boolean =>
  parsed.comments.some(
    (comment) =>
      comment.type === "Block" &&
      comment.value.startsWith("*") &&
      !/^\s*\*?\s*@module\b/m.test(comment.value) &&
      comment.end <= statement.start &&
      text
        .slice(comment.end, statement.start)
        .replace(/\/\/.*$/gm, "")
        .trim() === "" &&
      isSentence(proseOf(comment.value))
  )

/** The names that a top-level statement declares. */
const declaredBy = (statement: Statement): ReadonlyArray<string> => {
  const declaration =
    statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
      ? statement.declaration
      : statement
  if (declaration === null) return []
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => {
      if (id.type === "Identifier") return [id.name]
      if (id.type !== "ObjectPattern") return []
      return id.properties.flatMap((property) =>
        property.type === "Property" && property.value.type === "Identifier" ? [property.value.name] : []
      )
    })
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : []
}

const problems = new Set<string>()
let checked = 0

const resolve = (from: string, specifier: string): string => posix.join(posix.dirname(from), specifier)

/** Checks the declaration of one name in a module; a type and a value of the same name may share one comment. */
const checkDeclared = (module: Module, name: string): void => {
  const statements = module.parsed.program.body.filter((statement) => declaredBy(statement).includes(name))
  const first = statements[0]
  if (first === undefined) {
    // Not declared here: imported and exported again under the same name.
    const imported = module.parsed.module.staticImports
      .filter(({ moduleRequest }) => moduleRequest.value.startsWith("."))
      .find(({ entries }) => entries.some(({ localName }) => localName.value === name))
    const entry = imported?.entries.find(({ localName }) => localName.value === name)
    if (imported !== undefined && entry?.importName.kind === "Name") {
      checkName(resolve(module.path, imported.moduleRequest.value), entry.importName.name!)
    }
    return
  }
  checked++
  if (statements.some((statement) => isDocumented(module, statement))) return
  problems.add(`${module.path}:${lineAt(module.text, first.start)}  ${name} has no doc comment`)
}

const visited = new Set<string>()

/** Checks what a module exports under one name, or under all if none is given. */
const checkName = (path: string, wanted?: string): void => {
  const key = `${path} ${wanted ?? "*"}`
  if (visited.has(key)) return
  visited.add(key)
  const module = load(path)
  for (const { entries } of module.parsed.module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      if (wanted !== undefined && exportName.kind === "Name" && exportName.name !== wanted) continue
      if (moduleRequest === null) {
        const name = localName.name ?? exportName.name
        if (name !== null) checkDeclared(module, name)
      } else if (moduleRequest.value.startsWith(".")) {
        const target = resolve(path, moduleRequest.value)
        if (importName.kind === "Name") checkName(target, importName.name!)
        else checkName(target, importName.kind === "AllButDefault" ? wanted : undefined)
      }
    }
  }
}

for (const { dir, manifest } of packages().filter((one) => one.manifest.private !== true)) {
  for (const path of Object.values(manifest.exports ?? {})) {
    const file = posix.join(dir, path)
    if (!path.endsWith(".ts")) continue
    if (existsSync(join(root, file))) checkName(file)
    else problems.add(`${dir}: exports name ${path}, which is not there`)
  }
}

const sources = files().filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path))
for (const path of sources.filter((file) => !file.includes("/generated/"))) {
  const { parsed, text } = load(path)
  const opening = parsed.comments[0]
  const opens =
    opening !== undefined &&
    opening.value.startsWith("*") &&
    text.slice(0, opening.start).replace(/^#!.*/, "").trim() === ""
  if (!opens || !isSentence(proseOf(opening.value))) problems.add(`${path}: does not open by saying what it is`)
}
conclude([...problems].toSorted(), `${checked} public exports and ${sources.length} modules are documented`)
