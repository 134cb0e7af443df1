/**
 * Finds names that public declarations mention in doc comments or signatures, but that no package exports. Users could neither look up nor
 * import these names.
 */
import { type Exported, type Modules, listSections, findStatements } from "./surface.ts"

type Node = Readonly<Record<string, unknown>> & { readonly start: number; readonly type: string }

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** The text of the comment directly before a node. `undefined` if there is no such comment. */
const commentBefore = (modules: Modules, module: string, start: number): string | undefined => {
  const { parsed, text } = modules.get(module)!
  const comment = parsed.comments.findLast(({ end }) => end <= start)
  return comment !== undefined && text.slice(comment.end, start).trim() === "" ? comment.value : undefined
}

/**
 * Calls `see` for each part of a declaration that users see. Function bodies, private members and members with the tag `@internal` are
 * omitted.
 */
const visit = (modules: Modules, module: string, value: unknown, see: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const one of value) visit(modules, module, one, see)
  if (!isNode(value) || value.type === "BlockStatement" || value.accessibility === "private") return
  if (isNode(value.key) && value.key.type === "PrivateIdentifier") return
  if ("key" in value && commentBefore(modules, module, value.start)?.includes("@internal") === true) return
  see(value)
  // If the initial value of a variable is a function or a class, this value is part of the variable's signature. Other initial values are
  // not visited.
  const parts = isNode(value.init) && !/Function|Class/.test(value.init.type) ? { ...value, init: undefined } : value
  for (const part of Object.values(parts)) visit(modules, module, part, see)
}

const LINK = /\{@link ([^}|\s]+)/g

/** The names that a public declaration mentions: names in the links of its comments, and types from this repository in its signature. */
const findMentions = (
  modules: Modules,
  { declaredAs, module }: Exported
): ReadonlyArray<readonly [as: string, string]> => {
  const { parsed, text } = modules.get(module)!
  const own = new Set<string>()
  for (const { entries, moduleRequest } of parsed.module.staticImports) {
    if (/^(\.|@sourcewire\/)/.test(moduleRequest.value)) for (const { localName } of entries) own.add(localName.value)
  }
  for (const { start, end } of parsed.program.body) {
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/.exec(text.slice(start, end)) ?? []
    if (name !== undefined) own.add(name)
  }
  const mentions: Array<readonly [string, string]> = []
  const addLinks = (comment: string | undefined): void => {
    for (const [, link] of (comment ?? "").matchAll(LINK)) mentions.push(["{@link}", link!])
  }
  for (const statement of findStatements(modules, module, declaredAs)) {
    addLinks(commentBefore(modules, module, statement.start))
    visit(modules, module, statement, (node) => {
      if ("key" in node) addLinks(commentBefore(modules, module, node.start))
      if (node.type !== "TSTypeReference" || !isNode(node.typeName)) return
      const { name } = node.typeName as { readonly name?: string }
      if (name !== undefined && own.has(name)) mentions.push(["type", name])
    })
  }
  return mentions
}

/**
 * Returns a message for each name that a public declaration mentions and no package exports. `entries` are the modules that users can
 * import.
 */
export const missingNames = (modules: Modules, entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sections = entries.flatMap((entry) => listSections(modules, entry))
  const exported = sections.flatMap((section) => section.exported)
  const names = new Set([...exported.map(({ name }) => name), ...exported.map(({ declaredAs }) => declaredAs)])
  for (const { namespace } of sections) if (namespace !== undefined) names.add(namespace)
  const problems = exported.flatMap((one) =>
    findMentions(modules, one).flatMap(([as, mentioned]) =>
      names.has(mentioned.split(".")[0]!)
        ? []
        : [`${one.module}.ts: ${one.name} mentions ${mentioned} (${as}), which no package exports`]
    )
  )
  return [...new Set(problems)].toSorted()
}
