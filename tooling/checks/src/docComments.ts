/**
 * Every module opens by saying what it is, and every export that a package's `exports` reach has a doc comment of at
 * least one sentence. Re-exports are followed to where a name is declared; what another package declares is documented
 * there.
 */
import { posix } from "node:path"
import { parseSync } from "oxc-parser"
import { readDocComment } from "../../docs/src/docComment.ts"
import { type Module, sectionsOf } from "../../docs/src/surface.ts"
import { conclude, files, packages, read } from "./workspace.ts"

/** Enough to add to a name: a word alone repeats it, or is Valve's name for it. */
const isSentence = (prose: string): boolean => prose.replace(/```[\s\S]*?```/g, "").split(/\s+/).length >= 2

const sources = files().filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path))
const modules = new Map<string, Module>(
  sources.map((path) => {
    const text = read(path)
    return [path.replace(/\.tsx?$/, ""), { text, parsed: parseSync(path, text) }]
  })
)

const problems = new Set<string>()
const checked = new Set<string>()
for (const { dir, manifest } of packages().filter((one) => one.manifest.private !== true)) {
  for (const path of Object.values(manifest.exports ?? {}).filter((path) => path.endsWith(".ts"))) {
    const entry = posix.join(dir, path.slice(0, -".ts".length))
    if (!modules.has(entry)) problems.add(`${dir}: exports name ${path}, which is not there`)
    else {
      for (const { doc, module, name } of sectionsOf(modules, entry).flatMap(({ exported }) => exported)) {
        checked.add(`${module} ${name}`)
        if (!isSentence(doc.prose)) problems.add(`${module}.ts: ${name} has no doc comment`)
      }
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
