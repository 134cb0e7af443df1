/**
 * Checks three rules for doc comments:
 *
 * - every module begins with a sentence about its purpose
 * - comments and signatures of public declarations mention only exported names
 * - the code of an `@example` begins on the line after the tag
 */
import { globSync } from "node:fs"
import { parseSync } from "oxc-parser"
import { readDocComment } from "../../docs/src/docComment.ts"
import { missingNames } from "../../docs/src/publicNames.ts"
import { parseModules } from "../../docs/src/surface.ts"
import { conclude, listEntries, files, published, read, root } from "./workspace.ts"

/** Whether a module's comment contains at least two words. A single word would only repeat the name of the file. */
const isSentence = (prose: string): boolean => prose.replace(/```[\s\S]*?```/g, "").split(/\s+/).length >= 2

const sources = files().filter(
  (path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes("/generated/")
)
const problems = sources.filter((path) => {
  const text = read(path)
  const [opening] = parseSync(path, text).comments
  const opens = opening?.value.startsWith("*") === true && /^(#!.*)?\s*$/.test(text.slice(0, opening.start))
  return !opens || !isSentence(readDocComment(opening.value).prose)
})
/** Modules in which code follows `@example` on the same line, for example because a formatter joined two lines. */
const joined = sources.filter((path) => /^ +\* @example [^\n]/m.test(read(path)))
const modules = parseModules(globSync("packages/*/src/**/*.ts", { cwd: root }).map((path) => [path, read(path)]))
const entries = published.flatMap((one) => listEntries(one).map(({ module }) => module))
conclude(
  [
    ...problems.map((path) => `${path}: does not open by saying what it is`),
    ...joined.map((path) => `${path}: the code of @example begins on the line of the tag`),
    ...missingNames(
      modules,
      entries.filter((entry) => modules.has(entry))
    )
  ],
  `${sources.length} modules say what they are`
)
