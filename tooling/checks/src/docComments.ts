/**
 * Every module opens by saying what it is, and every export that a package's `exports` reach has a doc comment of at
 * least one sentence. Re-exports are followed to where a name is declared; what another package declares is documented
 * there.
 */
import { readDocComment } from "../../docs/src/docComment.ts"
import { modulesOf, sectionsOf } from "../../docs/src/surface.ts"
import { conclude, entriesOf, files, published, read } from "./workspace.ts"

/** Enough to add to a name: a word alone repeats it, or is Valve's name for it. */
const isSentence = (prose: string): boolean => prose.replace(/```[\s\S]*?```/g, "").split(/\s+/).length >= 2

const sources = files().filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path))
const modules = modulesOf(sources.map((path) => [path, read(path)]))
const problems = new Set<string>()
const checked = new Set<string>()

for (const { module: entry, specifier } of published.flatMap(entriesOf)) {
  if (!modules.has(entry)) problems.add(`${specifier}: there is no ${entry}.ts`)
  else {
    for (const { doc, module, name } of sectionsOf(modules, entry).flatMap(({ exported }) => exported)) {
      checked.add(`${module} ${name}`)
      if (!isSentence(doc.prose)) problems.add(`${module}.ts: ${name} has no doc comment`)
    }
  }
}

for (const path of sources.filter((one) => !one.includes("/generated/"))) {
  const { parsed, text } = modules.get(path.replace(/\.tsx?$/, ""))!
  const [opening] = parsed.comments
  const opens = opening?.value.startsWith("*") === true && /^(#!.*)?\s*$/.test(text.slice(0, opening.start))
  if (!opens || !isSentence(readDocComment(opening.value).prose))
    problems.add(`${path}: does not open by saying what it is`)
}
conclude([...problems].toSorted(), `${checked.size} public exports and ${sources.length} modules are documented`)
